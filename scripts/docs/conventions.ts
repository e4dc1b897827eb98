/** The reference of conventions, section lists and row lists. */
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

/** The sections in the order of the standard list, each with what it can list. */
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

export function rowTables({ rows }: Pick<Conventions, 'rows'>): string {
  return Object.entries(rows)
    .map(([name, list]) => {
      const cells = list.map(({ key, from, as }) => [
        code(key),
        from === undefined ? '' : code(from),
        as ?? '',
      ]);
      return `### ${name}\n\n${table(['Key', 'Field', 'Form'], cells)}`;
    })
    .join('\n\n');
}

export function optionList({ options }: Pick<Conventions, 'options'>): string {
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
