/** Checks of entries in `files` that the schema of specs cannot express. */
import type { EntriesFile, FileSpec, HookFacts, Row, TargetSpec, When } from '../generated/types/target.ts';
import { findBlock } from '../resolve/catalogue.ts';
import { type ReportProblem, reportUnknown } from '../spec/shared-parts.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { fieldsOf } from '../spec/vocabulary.ts';
import type { DataPath } from '../text/yaml.ts';

export interface Lint {
  readonly spec: TargetSpec;
  readonly fault: ReportProblem;
}

/** Fields that an entry may use; `undefined` for one that is filled from `meta` or options only. */
type Known = readonly string[] | undefined;

export function lintName(
  { fault }: Lint,
  path: DataPath,
  what: string,
  name: string,
  known: readonly string[],
  part?: 'key' | 'value',
): void {
  if (!known.includes(name)) reportUnknown(fault, path, what, name, known, part);
}

export const portableEvents = (): readonly string[] =>
  findBlock('hooks')?.entry?.fields?.find(field => field.name === 'event')?.values ?? [];

export const lintVersion = (lint: Lint, at: DataPath, version: string): void =>
  lintName(lint, at, 'version', version, Object.keys(lint.spec.versions));

/** Reports an unknown option, or a value that an option cannot have. */
export function lintWhen(lint: Lint, at: DataPath, when: When | undefined): void {
  if (!when) return;
  const { option, is = [] } = when;
  const options = lint.spec.options ?? {};
  lintName(lint, [...at, 'option'], 'option', option, Object.keys(options));
  const values = options[option]?.values;
  for (const [index, value] of is.entries())
    if (values) lintName(lint, [...at, 'is', index], `value of ${option}`, String(value), values);
}

/** Reports a field that the collection does not have. */
export function lintField(lint: Lint, at: DataPath, name: string, fields: Known): void {
  if (fields && !name.startsWith('meta.')) lintName(lint, at, 'field', name, fields);
}

/** Checks an entry of any kind. */
export function lintFile(lint: Lint, file: FileSpec, at: DataPath): void {
  const fields = file.kind === 'settings' ? undefined : fieldsOf(file.of);
  for (const [index, version] of (file.versions ?? []).entries())
    lintVersion(lint, [...at, 'versions', index], version);
  lintWhen(lint, [...at, 'when'], file.when);
  lintPath(lint, [...at, 'path'], file);
  if ('frontmatter' in file) lintRows(lint, [...at, 'frontmatter'], file.frontmatter, fields);
  if ('hooks' in file) {
    const variants = file.kind === 'entries' ? file.variants : undefined;
    lintEvents(lint, [...at, 'hooks', 'events'], file.hooks?.events, variants);
  }
  if ('entry' in file) lintShape(lint, [...at, 'entry'], file.entry, fields);
  if (file.kind === 'entries') lintEntries(lint, at, file, fields);
  if (file.kind === 'items') {
    lintBody(lint, [...at, 'body'], file.body, fields);
    if (file.entry && file.frontmatter)
      lint.fault([...at, 'entry'], 'the rows beside `entry` are not written', 'Keep one of the two forms.');
    for (const [name, part] of Object.entries(file.parts ?? {})) lintFile(lint, part, [...at, 'parts', name]);
  }
  if (file.kind === 'scripts' && file.template !== undefined && file.template.split('{hooks}').length !== 2)
    lint.fault([...at, 'template'], 'the template has no `{hooks}`, or more than one', 'Name it once.');
}

/** Checks placeholders. Without a certain one, all files of some entries would have the same path. */
function lintPath(lint: Lint, at: DataPath, file: FileSpec): void {
  const [names, isOne] =
    file.kind === 'items'
      ? [['name', 'event'], file.headed !== undefined]
      : file.kind === 'scripts'
        ? [['event'], file.template !== undefined]
        : [[], true];
  const known = [...names, ...Object.keys(lint.spec.options ?? {})];
  for (const [, name] of file.path.matchAll(/\{([^}]*)\}/g)) lintName(lint, at, 'placeholder', name!, known);
  if (isOne || file.path.includes(`{${names[0]}}`)) return;
  const each = file.kind === 'items' ? 'item' : 'event';
  lint.fault(at, `every ${each} would get the same path`, `Put \`{${names[0]}}\` into the path.`);
}

/** Checks rows of front matter. Two rows of one key need conditions that exclude each other. */
function lintRows(lint: Lint, at: DataPath, rows: readonly Row[] = [], fields: Known): void {
  const keys = new Set<string>();
  for (const [index, { key, from, value, when, activation }] of rows.entries()) {
    const place = [...at, index];
    if ((from === undefined) === (value === undefined))
      lint.fault(place, `the row "${key}" needs \`from\` or \`value\``, 'Give it one of the two.');
    if (from !== undefined) lintField(lint, [...place, 'from'], from, fields);
    lintWhen(lint, [...place, 'when'], when);
    if (keys.has(key) && when === undefined && activation === undefined)
      lint.fault([...place, 'key'], `the key "${key}" is written twice`, 'Remove one of the rows.');
    keys.add(key);
  }
}

function lintShape(lint: Lint, at: DataPath, shape: unknown, fields: Known): void {
  if (typeof shape !== 'object' || shape === null) return;
  const { from, option } = shape as Record<string, unknown>;
  if (typeof from === 'string') lintField(lint, [...at, 'from'], from, fields);
  else if (typeof option === 'string') lintWhen(lint, at, { option });
  else
    for (const [key, part] of Object.entries(shape))
      lintShape(lint, [...at, Array.isArray(shape) ? Number(key) : key], part, fields);
}

function lintBody(lint: Lint, at: DataPath, body = 'content', fields: Known): void {
  if (body.includes('{{') || body === 'content' || fields?.includes(body) || builtinTemplate(`body:${body}`))
    return;
  lint.fault(
    at,
    `there is no body "${body}"`,
    'Name a field of the item or a template of conventions/bodies/, or write one with `{{content}}`.',
  );
}

/** Reports unknown events, and shapes that are not among `variants`. */
function lintEvents(lint: Lint, at: DataPath, events: HookFacts['events'] = {}, variants: object = {}): void {
  const known = portableEvents();
  for (const [event, natives] of Object.entries(events)) {
    const place: DataPath = [...at, event];
    lintName(lint, place, 'event', event, known, 'key');
    for (const [index, { shape }] of natives.entries())
      if (shape !== undefined)
        lintName(lint, [...place, index, 'shape'], 'variant', shape, Object.keys(variants));
  }
}

function lintEntries(lint: Lint, at: DataPath, file: EntriesFile, fields: Known): void {
  if ((file.by === undefined) === (file.entry === undefined))
    lint.fault(at, 'an entry needs either `entry`, or `by` with `variants`', 'Keep one of the two forms.');
  if (file.by !== undefined) lintField(lint, [...at, 'by'], file.by, fields);
  lintShape(lint, [...at, 'variants'], file.variants, fields);
  for (const [name, { events, entry }] of Object.entries(file.forms ?? {})) {
    lintEvents(lint, [...at, 'forms', name, 'events'], events);
    lintShape(lint, [...at, 'forms', name, 'entry'], entry, fields);
  }
}
