import type { Report } from '../diagnostics/diagnostic.ts';
import { conventions } from '../generated/conventions.ts';
import { specProblem } from '../generated/diagnostics.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import { type Fault, reportUnknown } from '../spec/fault.ts';
import { optionProblem } from '../spec/option-value.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { fieldsOf, wordFor } from '../spec/vocabulary.ts';
import type { Span } from '../text/source.ts';
import type { DataPath } from '../text/yaml.ts';
import {
  lintConvention,
  lintDuplicateRows,
  lintHookFacts,
  lintOmits,
  lintUnusedOptions,
} from './lint-usage.ts';

interface Lint {
  readonly spec: TargetSpec;
  readonly fault: Fault;
}

type AnyFile = TargetSpec['files'][string] & Record<string, unknown>;

type SpanOf = (path: DataPath, part?: 'key' | 'value') => Span | undefined;

/** The innermost place around one that is not written: what a stanza gives stands in no line of the spec. */
function around(path: DataPath, spanOf: SpanOf): Span | undefined {
  if (path.length === 0) return undefined;
  const outer = path.slice(0, -1);
  return spanOf(outer, 'key') ?? around(outer, spanOf);
}

/** Reports what is wrong with a spec at a place of it, or at the place around it when that has none. */
export function faultOf(spec: Pick<TargetSpec, 'id'>, spanOf: SpanOf, report: Report): Fault {
  return (path, problem, hint, part) =>
    report(
      specProblem(
        { target: spec.id, problem },
        { span: spanOf(path, part) ?? around(path, spanOf), target: spec.id, hint },
      ),
    );
}

/**
 * What the schema cannot say about a spec: names that must exist, fields that the model has, paths that must not
 * collide. `fileName` is the name of the file without `.yaml`. `spanOf` gives the places.
 */
export function lintSpec(spec: TargetSpec, fileName: string, spanOf: SpanOf, report: Report): void {
  const lint: Lint = { spec, fault: faultOf(spec, spanOf, report) };
  if (spec.id !== fileName) {
    lint.fault(
      ['id'],
      `the id is "${spec.id}" but the file is ${fileName}.yaml`,
      'Give the file the name of the id.',
    );
  }
  if (!Object.hasOwn(spec.versions, spec.defaultVersion)) {
    unknown(lint, ['defaultVersion'], 'version', spec.defaultVersion, Object.keys(spec.versions));
  }
  for (const [name, file] of Object.entries(spec.files)) lintFile(lint, name, file as AnyFile);
  lintOptions(lint);
  for (const [index, limit] of (spec.limits ?? []).entries()) {
    if (limit.option !== undefined && !Object.hasOwn(spec.options ?? {}, limit.option))
      unknown(lint, ['limits', index, 'option'], 'option', limit.option, Object.keys(spec.options ?? {}));
    if (!Object.hasOwn(spec.files, limit.file))
      unknown(lint, ['limits', index, 'file'], 'entry of `files`', limit.file, Object.keys(spec.files));
    else if (limit.field !== undefined) {
      const file = spec.files[limit.file] as AnyFile;
      lintField(
        lint,
        ['limits', index, 'field'],
        limit.field,
        'of' in file ? fieldsOf(file.of as string) : [],
      );
    }
  }
  for (const [index, legacy] of (spec.legacy ?? []).entries()) {
    if (legacy.as !== undefined && !Object.hasOwn(spec.files, legacy.as)) {
      unknown(lint, ['legacy', index, 'as'], 'entry of `files`', legacy.as, Object.keys(spec.files));
    }
  }
  lintConvention(spec, lint.fault);
  lintOmits(spec, lint.fault);
  lintUnusedOptions(spec, lint.fault);
  lintCollisions(lint);
}

function unknown(lint: Lint, path: DataPath, what: string, name: string, known: readonly string[]): void {
  reportUnknown(lint.fault, path, what, name, known);
}

function lintFile(lint: Lint, name: string, file: AnyFile): void {
  const at: DataPath = ['files', name];
  for (const [index, version] of (file.versions ?? []).entries()) {
    if (!Object.hasOwn(lint.spec.versions, version)) {
      unknown(lint, [...at, 'versions', index], 'version', version, Object.keys(lint.spec.versions));
    }
  }
  lintWhen(lint, [...at, 'when'], file.when);
  lintPath(lint, [...at, 'path'], file);
  const fields = 'of' in file ? fieldsOf(file.of as string) : undefined;
  const rows = (file as { frontmatter?: unknown }).frontmatter;
  if (Array.isArray(rows)) {
    for (const [index, row] of rows.entries()) lintRow(lint, [...at, 'frontmatter', index], row, fields);
    lintDuplicateRows([...at, 'frontmatter'], rows, lint.fault);
  }
  if (file.kind === 'items') lintBody(lint, [...at, 'body'], file.body, fields ?? []);
  if (file.kind === 'document') lintSections(lint, [...at, 'sections'], file.sections);
  if (file.kind === 'entries') {
    if ((file.by === undefined) === (file.entry === undefined)) {
      lint.fault(at, 'an entry needs either `entry`, or `by` with `variants`', 'Keep one of the two forms.');
    }
    if (file.by !== undefined) lintField(lint, [...at, 'by'], file.by, fields);
    for (const [variant, shape] of Object.entries(file.variants ?? {}))
      lintShape(lint, [...at, 'variants', variant], shape, fields);
    if ((file.of === 'hooks') !== (file.hooks !== undefined)) {
      lint.fault(
        at,
        'the facts in `hooks` go with `of: hooks`, and only with it',
        'Add them, or name another collection.',
      );
    }
  }
  lintHookFacts(at, file, lint.fault);
  if ('entry' in file && file.entry !== undefined) lintShape(lint, [...at, 'entry'], file.entry, fields);
}

function lintWhen(lint: Lint, at: DataPath, when: AnyFile['when']): void {
  if (!when) return;
  const definition = lint.spec.options?.[when.option];
  if (definition === undefined) {
    unknown(lint, [...at, 'option'], 'option', when.option, Object.keys(lint.spec.options ?? {}));
    return;
  }
  for (const [index, value] of (when.is ?? []).entries()) {
    const values: readonly string[] | undefined = definition.values;
    if (values && !values.includes(String(value)))
      unknown(lint, [...at, 'is', index], `value of ${when.option}`, String(value), values);
  }
}

const placeholders: Readonly<Record<string, readonly string[]>> = {
  items: ['name', 'event'],
  scripts: ['event'],
};

function lintPath(lint: Lint, at: DataPath, file: AnyFile): void {
  const known = [...(placeholders[file.kind] ?? []), ...Object.keys(lint.spec.options ?? {})];
  for (const [, name] of file.path.matchAll(/\{([^}]*)\}/g))
    if (!known.includes(name!)) unknown(lint, at, 'placeholder', name!, known);
  if (file.kind === 'items' && !file.path.includes('{name}')) {
    lint.fault(at, 'every item would get the same path', 'Put `{name}` into the path.');
  }
  if (file.kind === 'scripts' && !file.path.includes('{event}')) {
    lint.fault(at, 'every event would get the same path', 'Put `{event}` into the path.');
  }
}

interface AnyRow {
  readonly key: string;
  readonly from?: string;
  readonly value?: unknown;
  readonly map?: unknown;
  readonly when?: AnyFile['when'];
}

function lintRow(lint: Lint, at: DataPath, row: AnyRow, fields: readonly string[] | undefined): void {
  if ((row.from === undefined) === (row.value === undefined)) {
    lint.fault(at, `the row "${row.key}" needs \`from\` or \`value\``, 'Give it one of the two.');
  }
  if (row.from !== undefined) lintField(lint, [...at, 'from'], row.from, fields);
  if (row.map === undefined) lintEventName(lint, [...at, 'from'], row.from, fields);
  lintWhen(lint, [...at, 'when'], row.when);
}

function lintField(lint: Lint, at: DataPath, name: string, fields: readonly string[] | undefined): void {
  if (!fields || name.startsWith('meta.') || fields.includes(name)) return;
  const word = wordFor(name, fields);
  if (word === undefined) unknown(lint, at, 'field', name, fields);
  else lint.fault(at, `\`${name}\` is the name that sources use`, `Write \`${word}\`.`);
}

/** Our names of events mean nothing to a tool. */
function lintEventName(lint: Lint, at: DataPath, from: unknown, fields: readonly string[] | undefined): void {
  if (from !== 'event' || !fields?.includes('nativeEvent')) return;
  const hint = "Write `nativeEvent`: the tool's name, as `hooks.events` gives it.";
  lint.fault(at, '`event` is the name that sources use', hint);
}

function lintBody(lint: Lint, at: DataPath, body: string | undefined, fields: readonly string[]): void {
  if (body === undefined || body.includes('{{') || body === 'content') return;
  const template = builtinTemplate(`body:${body}`);
  if (!template && !fields.includes(body)) {
    lint.fault(
      at,
      `there is no body "${body}"`,
      'Name a field of the item or a template of conventions/bodies/, or write one with `{{content}}`.',
    );
  }
}

function lintSections(
  lint: Lint,
  at: DataPath,
  sections:
    | {
        list?: string;
        titles?: object;
        templates?: object;
        replace?: readonly { section: string; with: string; when?: AnyFile['when'] }[];
      }
    | undefined,
): void {
  if (!sections) return;
  const { lists, sections: known } = conventions.catalogue;
  const keys = Object.keys(known);
  if (sections.list !== undefined && !Object.hasOwn(lists, sections.list))
    unknown(lint, [...at, 'list'], 'section list', sections.list, Object.keys(lists));
  for (const part of ['titles', 'templates'] as const) {
    for (const key of Object.keys(sections[part] ?? {}))
      if (!keys.includes(key)) unknown(lint, [...at, part, key], 'section', key, keys);
  }
  for (const [index, entry] of (sections.replace ?? []).entries()) {
    for (const part of ['section', 'with'] as const)
      if (!keys.includes(entry[part]))
        unknown(lint, [...at, 'replace', index, part], 'section', entry[part], keys);
    lintWhen(lint, [...at, 'replace', index, 'when'], entry.when);
  }
}

function lintShape(lint: Lint, at: DataPath, shape: unknown, fields: readonly string[] | undefined): void {
  if (Array.isArray(shape)) {
    for (const [index, item] of shape.entries()) lintShape(lint, [...at, index], item, fields);
    return;
  }
  if (typeof shape !== 'object' || shape === null) return;
  const slot = shape as Record<string, unknown>;
  if (typeof slot.from === 'string') {
    lintField(lint, [...at, 'from'], slot.from, fields);
    lintEventName(lint, [...at, 'from'], slot.from, fields);
    return;
  }
  if (typeof slot.option === 'string') {
    const known = Object.keys(lint.spec.options ?? {});
    if (!known.includes(slot.option)) unknown(lint, [...at, 'option'], 'option', slot.option, known);
    return;
  }
  for (const [key, value] of Object.entries(slot)) lintShape(lint, [...at, key], value, fields);
}

function lintOptions(lint: Lint): void {
  for (const [name, option] of Object.entries(lint.spec.options ?? {})) {
    const at: DataPath = ['options', name];
    if ((option.type === 'enum') !== (option.values !== undefined)) {
      lint.fault(
        at,
        `the option "${name}" needs \`values\` if, and only if, its type is enum`,
        'Add or remove `values`.',
      );
    }
    const problem = option.default === undefined ? undefined : optionProblem(option, option.default);
    if (problem !== undefined)
      lint.fault(
        [...at, 'default'],
        `the default of "${name}" is wrong: ${problem}`,
        'Give it an allowed value.',
      );
    for (const [value, versions] of Object.entries(option.requires ?? {})) {
      for (const version of versions as readonly string[]) {
        if (!Object.hasOwn(lint.spec.versions, version))
          unknown(lint, [...at, 'requires', value], 'version', version, Object.keys(lint.spec.versions));
      }
    }
  }
}

/**
 * Two entries that write one path in one version. Structured files may be shared by entries and settings, and items of
 * two collections may lie in one folder; a document shares its path with nothing.
 */
function lintCollisions(lint: Lint): void {
  for (const version of Object.keys(lint.spec.versions)) {
    const seen = new Map<string, { name: string; kind: string }>();
    for (const [name, file] of Object.entries(lint.spec.files)) {
      const versions: readonly string[] | undefined = file.versions;
      if ((versions && !versions.includes(version)) || file.when || file.kind === 'items') continue;
      const kind = file.kind === 'entries' || file.kind === 'settings' ? 'shared' : file.kind;
      const key = file.path.toLowerCase();
      const other = seen.get(key);
      if (other !== undefined && (kind !== 'shared' || other.kind !== 'shared')) {
        lint.fault(
          ['files', name, 'path'],
          `"${other.name}" writes the same path in version ${version}`,
          'Give them different versions or paths.',
        );
      }
      seen.set(key, { name, kind });
    }
  }
}
