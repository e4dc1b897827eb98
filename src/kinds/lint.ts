/** Checks of entries in `files` that the schema of specs cannot express. */
import { conventions } from '../generated/conventions.ts';
import type {
  EntriesFile,
  FileSpec,
  HookFacts,
  ItemFiles,
  PermissionFacts,
  Row,
  Sections,
  TargetSpec,
  When,
} from '../generated/types/target.ts';
import { findBlock } from '../resolve/catalogue.ts';
import { type ReportProblem, reportUnknown } from '../spec/shared-parts.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { fieldsOf, wordFor } from '../spec/vocabulary.ts';
import { dialectFor } from '../text/permissions/dialects.ts';
import { kinds } from '../text/permissions/subject.ts';
import type { DataPath } from '../text/yaml.ts';
import type { FileOf } from './kind.ts';

export interface Lint {
  readonly spec: TargetSpec;
  readonly fault: ReportProblem;
}

export interface Linter<E extends FileSpec = FileSpec> {
  /** Placeholders that paths may contain besides names of options. */
  readonly placeholders: readonly string[];
  /** The placeholder without which all files of the entry would have the same path. */
  readonly distinctBy?: { readonly placeholder: string; readonly each: string; readonly unless: string };
  /** What else may use the path: nothing, entries of other places, or files in the same folder. */
  readonly shares: 'nothing' | 'file' | 'folder';
  /** Reports problems of an entry, in addition to the checks of all kinds. */
  lint(file: E, at: DataPath, lint: Lint): void;
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

/** Reports a field that the collection does not have, or has under another name. */
export function lintField(lint: Lint, at: DataPath, name: string, fields: Known): void {
  if (!fields || name.startsWith('meta.') || fields.includes(name)) return;
  const word = wordFor(name, fields);
  if (word === undefined) lintName(lint, at, 'field', name, fields);
  else lint.fault(at, `\`${name}\` is the name that sources use`, `Write \`${word}\`.`);
}

/** Checks the field of a slot. Portable event names must be mapped, because tools do not know them. */
function lintFrom(lint: Lint, at: DataPath, from: string, isMapped: boolean, fields: Known): void {
  lintField(lint, at, from, fields);
  if (from !== 'event' || isMapped || !fields?.includes('nativeEvent')) return;
  const hint = "Write `nativeEvent`: the tool's name, as `hooks.events` gives it.";
  lint.fault(at, '`event` is the name that sources use', hint);
}

/** Checks rows of front matter. Two rows of one key need conditions that exclude each other. */
function lintRows(lint: Lint, at: DataPath, rows: readonly Row[] = [], fields: Known): void {
  const keys = new Set<string>();
  for (const [index, { key, from, value, map, when, activation }] of rows.entries()) {
    const place = [...at, index];
    if ((from === undefined) === (value === undefined))
      lint.fault(place, `the row "${key}" needs \`from\` or \`value\``, 'Give it one of the two.');
    if (from !== undefined) lintFrom(lint, [...place, 'from'], from, map !== undefined, fields);
    lintWhen(lint, [...place, 'when'], when);
    if (keys.has(key) && when === undefined && activation === undefined)
      lint.fault([...place, 'key'], `the key "${key}" is written twice`, 'Remove one of the rows.');
    keys.add(key);
  }
}

function lintShape(lint: Lint, at: DataPath, shape: unknown, fields: Known): void {
  if (typeof shape !== 'object' || shape === null) return;
  const { from, option } = shape as Record<string, unknown>;
  if (typeof from === 'string') lintFrom(lint, [...at, 'from'], from, false, fields);
  else if (typeof option === 'string') lintWhen(lint, at, { option });
  else
    for (const [key, part] of Object.entries(shape))
      lintShape(lint, [...at, Array.isArray(shape) ? Number(key) : key], part, fields);
}

/** Reports sections, lists and templates that are not in the catalogue. */
function lintSections(lint: Lint, at: DataPath, sections: Sections): void {
  const { lists, sections: known } = conventions.catalogue;
  const keys = Object.keys(known);
  const check = (path: DataPath, key: string) => lintName(lint, [...at, ...path], 'section', key, keys);
  if (sections.list !== undefined)
    lintName(lint, [...at, 'list'], 'section list', sections.list, Object.keys(lists));
  for (const part of ['titles', 'templates'] as const)
    for (const key of Object.keys(sections[part] ?? {})) check([part, key], key);
  for (const [index, entry] of (sections.replace ?? []).entries()) {
    check(['replace', index, 'section'], entry.section);
    check(['replace', index, 'with'], entry.with);
    lintWhen(lint, [...at, 'replace', index, 'when'], entry.when);
  }
}

function lintBody(lint: Lint, at: DataPath, { body = 'content' }: ItemFiles, fields: Known): void {
  if (body.includes('{{') || body === 'content' || fields?.includes(body) || builtinTemplate(`body:${body}`))
    return;
  lint.fault(
    at,
    `there is no body "${body}"`,
    'Name a field of the item or a template of conventions/bodies/, or write one with `{{content}}`.',
  );
}

/** Reports unknown events, and shapes that are not among `variants`. */
function lintEvents(lint: Lint, at: DataPath, events: HookFacts['events'], variants: object = {}): void {
  const known = portableEvents();
  for (const [event, natives] of Object.entries(events)) {
    const place: DataPath = [...at, event];
    lintName(lint, place, 'event', event, known, 'key');
    for (const [index, { shape }] of natives.entries())
      if (shape !== undefined)
        lintName(lint, [...place, index, 'shape'], 'variant', shape, Object.keys(variants));
  }
}

/** The same, and prompts at events that the tool does not have. */
function lintHookFacts(lint: Lint, at: DataPath, facts: HookFacts | undefined, variants?: object): void {
  if (!facts) return;
  for (const [index, event] of (facts.prompts ?? []).entries())
    lintName(lint, [...at, 'hooks', 'prompts', index], 'event', event, Object.keys(facts.events));
  lintEvents(lint, [...at, 'hooks', 'events'], facts.events, variants);
}

/** Reports permission forms without a text, with a decision without a word, or with a wrong dialect. */
function lintPermissionFacts(lint: Lint, at: DataPath, facts: PermissionFacts): void {
  for (const kind of kinds)
    for (const [index, { text = [], whole, only = [], as }] of (facts[kind] ?? []).entries()) {
      const fault = (path: DataPath, problem: string, hint: string) =>
        lint.fault([...at, 'permissions', kind, index, ...path], problem, hint);
      const texts = [text].flat();
      if (texts.length === 0 && whole === undefined)
        fault([], 'a form needs `text` or `whole`', 'Give it one of the two.');
      for (const [number, decision] of only.entries())
        if (facts.decisions[decision] === undefined)
          fault(
            ['only', number],
            `there is no word for \`${decision}\``,
            'Add it to `decisions`, or remove it here.',
          );
      if (as !== undefined && !dialectFor(as, kind)?.of.includes(kind))
        fault(['as'], `\`${as}\` says nothing about \`${kind}\``, 'Choose another one.');
      const needed = kind === 'mcp' ? '{server}' : '{pattern}';
      if (!texts.every(one => one.includes(needed)))
        fault(['text'], `the text has no \`${needed}\``, 'All subjects would look alike.');
    }
}

/** Combinations of fields that are invalid in `entries`: condition, field, and message. */
function misplaced(file: EntriesFile): readonly (readonly [boolean, string, string])[] {
  const { of, others, permissions } = file;
  const otherCollection = 'Add them, or name another collection.';
  const wrongPermissions = of === 'permissions' ? !permissions : permissions !== undefined && of !== 'ignore';
  return [
    [
      (file.by === undefined) === (file.entry === undefined),
      'an entry needs either `entry`, or `by` with `variants`',
      'Keep one of the two forms.',
    ],
    [
      (of === 'hooks') !== (file.hooks !== undefined),
      'the facts in `hooks` go with `of: hooks`, and only with it',
      otherCollection,
    ],
    [
      wrongPermissions,
      'the facts in `permissions` go with `of: permissions`, or with `of: ignore`',
      otherCollection,
    ],
    [
      file.servers !== undefined && of !== 'mcpServers',
      'the facts in `servers` go with `of: mcpServers`',
      'Remove them, or name that collection.',
    ],
    [
      // Only these collections have names for the file that contains them.
      others !== undefined && !(others.includes('{name}') && (of === 'hooks' || of === 'mcpServers')),
      '`others` holds `{name}`, and goes with `of: hooks` or `of: mcpServers`',
      'Write `{name}` into the path, or remove the field.',
    ],
    [
      file.forms !== undefined && !file.hooks,
      '`forms` goes with `of: hooks`',
      'Remove it, or name that collection.',
    ],
  ];
}

function lintEntries(file: EntriesFile, at: DataPath, lint: Lint): void {
  const fields = fieldsOf(file.of);
  for (const [isWrong, problem, hint] of misplaced(file)) if (isWrong) lint.fault(at, problem, hint);
  if (file.by !== undefined) lintField(lint, [...at, 'by'], file.by, fields);
  lintShape(lint, [...at, 'variants'], file.variants, fields);
  if (file.permissions) lintPermissionFacts(lint, at, file.permissions);
  lintHookFacts(lint, at, file.hooks, file.variants);
  for (const [name, { events, entry }] of Object.entries(file.forms ?? {})) {
    if (events) lintEvents(lint, [...at, 'forms', name, 'events'], events);
    lintShape(lint, [...at, 'forms', name, 'entry'], entry, fields);
  }
  lintShape(lint, [...at, 'entry'], file.entry, fields);
}

const linters: { readonly [K in FileSpec['kind']]: Linter<FileOf<K>> } = {
  document: {
    placeholders: [],
    shares: 'nothing',
    lint: (file, at, lint) => {
      lintRows(lint, [...at, 'frontmatter'], file.frontmatter, fieldsOf(file.of));
      if (file.sections) lintSections(lint, [...at, 'sections'], file.sections);
    },
  },
  items: {
    placeholders: ['name', 'event'],
    distinctBy: { placeholder: 'name', each: 'item', unless: 'headed' },
    shares: 'folder',
    lint: (file, at, lint) => {
      const fields = fieldsOf(file.of);
      lintRows(lint, [...at, 'frontmatter'], file.frontmatter, fields);
      lintBody(lint, [...at, 'body'], file, fields);
      lintHookFacts(lint, at, file.hooks);
      lintShape(lint, [...at, 'entry'], file.entry, fields);
    },
  },
  entries: { placeholders: [], shares: 'file', lint: lintEntries },
  settings: {
    placeholders: [],
    shares: 'file',
    lint: (file, at, lint) => lintShape(lint, [...at, 'entry'], file.entry, undefined),
  },
  scripts: {
    placeholders: ['event'],
    distinctBy: { placeholder: 'event', each: 'event', unless: 'template' },
    shares: 'nothing',
    lint: (file, at, lint) => {
      lintHookFacts(lint, at, file.hooks);
      if (file.template !== undefined && file.template.split('{hooks}').length !== 2)
        lint.fault([...at, 'template'], 'the template has no `{hooks}`, or more than one', 'Name it once.');
    },
  },
};

export const linterOf = ({ kind }: FileSpec): Linter => linters[kind];
