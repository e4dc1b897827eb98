/** Reference tables of conventions, section lists and the shared parts of specs. */
import type { SharedParts } from '../../src/spec/shared-parts.ts';
import type { Conventions } from '../../src/spec/spec.ts';
import { code, table } from './markdown.ts';

export function conventionTable({ conventions }: Pick<Conventions, 'conventions'>): string {
  return table(
    ['Convention', 'A section begins', 'It ends', 'Lists', 'Looks like'],
    Object.values(conventions).map(({ name, section, listStyle, description }) => [
      code(name),
      code(section.start),
      section.end ? code(section.end) : '',
      listStyle ?? 'dash',
      description ?? '',
    ]),
  );
}

/** The sections, each with its lists, its collection and its template. */
export function sectionTable({ catalogue }: Pick<Conventions, 'catalogue'>): string {
  const { lists, sections } = catalogue;
  const rows = Object.entries(sections).map(([key, { title, collection, items }]) => [
    code(key),
    title,
    Object.entries(lists)
      .flatMap(([name, keys]) => (keys.includes(key) ? [code(name)] : []))
      .join(', '),
    collection ?? '',
    items === undefined ? '' : `[${items}.hbs](sections/${items}.hbs)`,
  ]);
  return table(['Section', 'Title', 'Lists', 'Collection', 'Template of its items'], rows);
}

export function rowTable({ rows }: Pick<SharedParts, 'rows'>): string {
  return table(
    ['Name', 'Key', 'Field or value', 'Form', 'Values'],
    Object.entries(rows).map(([name, { key, from, value, as, allow, deny }]) => [
      code(name),
      code(key),
      from === undefined ? JSON.stringify(value) : code(from),
      as ?? '',
      allow ? allow.map(code).join(', ') : deny ? `not ${deny.map(code).join(', ')}` : '',
    ]),
  );
}

export function listTable({ lists }: Pick<SharedParts, 'lists'>): string {
  return table(
    ['Name', 'Rows'],
    Object.entries(lists).map(([name, list]) => [
      code(name),
      list.map(row => code(typeof row === 'string' ? row : row.key)).join(', '),
    ]),
  );
}

export function stanzaTable({ files }: Pick<SharedParts, 'files'>): string {
  return table(
    ['Stanza', 'Built on', 'What it says'],
    Object.entries(files).map(([name, { use, ...own }]) => [
      code(name),
      use === undefined ? '' : code(String(use)),
      Object.keys(own).map(code).join(', '),
    ]),
  );
}

export function versionTable({ versions: { usual, help } }: Pick<SharedParts, 'versions'>): string {
  return table(
    ['Version', 'Help', 'Without `versions`'],
    Object.entries(help).map(([name, text]) => [code(name), text, usual.includes(name) ? 'yes' : 'no']),
  );
}

export function optionList({ options }: Pick<SharedParts, 'options'>): string {
  return table(
    ['Name', 'Type', 'Values', 'Meaning'],
    Object.entries(options).map(([name, { type, values, help }]) => [
      code(name),
      type,
      (values ?? []).map(code).join(', '),
      help,
    ]),
  );
}
