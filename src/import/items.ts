import { conventions } from '../generated/conventions.ts';
import type { HookFacts, ItemFiles, Row, TargetSpec } from '../generated/types/target.ts';
import { isDataObject, strings } from '../model/data.ts';
import type { Data } from '../model/model.ts';
import { type ReadBack, readRows } from './backward.ts';

/** An entry of a block, read from a file of a tool. */
export interface ImportedItem {
  /** Name of the block: `skills`, `guards`, … */
  readonly block: string;
  readonly key: string;
  readonly fields: ReadonlyMap<string, Data>;
  /** Keys of the file that no spec explains; they stay in the entry. */
  readonly unknown: ReadonlyMap<string, Data>;
}

export type ItemCollection = ItemFiles['of'] | 'plugins';

/** Block of a collection, where the names differ. */
const blockNames: Readonly<Record<string, string>> = { commands: 'shortcuts', topics: 'standards' };

export const blockOf = (collection: string): string => blockNames[collection] ?? collection;

/** The rows of an entry of `files`. */
export function rowsOf(rows: string | readonly Row[] | undefined): readonly Row[] {
  if (rows === undefined) return [];
  return typeof rows === 'string' ? (conventions.rows[rows] ?? []) : rows;
}

/** Rows of all specs for one collection: what a key means elsewhere. */
export function synonymsFor(collection: string, specs: readonly TargetSpec[]): readonly Row[] {
  return specs.flatMap(spec =>
    Object.values(spec.files).flatMap(file =>
      file.kind === 'items' && file.of === collection ? rowsOf(file.frontmatter) : [],
    ),
  );
}

/**
 * An item file: its keys by the rows that would write them, its body as `content`. `native` is the name in the
 * path; a name that the file states differently stays a field.
 */
export function itemFromKeys(
  collection: ItemCollection,
  native: string,
  keys: ReadonlyMap<string, Data>,
  body: string | undefined,
  rows: readonly Row[],
  synonyms: readonly Row[],
): ImportedItem {
  const { fields, unknown } = readRows(keys, rows, synonyms);
  return completeItem(collection, native, { fields, unknown }, body);
}

function completeItem(
  collection: ItemCollection,
  native: string,
  { fields, unknown }: ReadBack,
  body: string | undefined,
): ImportedItem {
  const content = body ?? '';
  if (content.trim() !== '') fields.set('content', content);
  // Block texts of YAML and TOML end with line ends that mean nothing.
  for (const name of ['description', 'content']) {
    const text = fields.get(name);
    if (typeof text === 'string') fields.set(name, text.trimEnd());
  }
  let key = keyOf(collection, native);
  const stated = fields.get('name');
  if (collection === 'skills' && typeof stated === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(stated))
    key = stated;
  if (stated === key) fields.delete('name');
  const globs = fields.get('globs');
  if (globs !== undefined) {
    fields.delete('globs');
    fields.set('applyTo', globs);
  }
  return { block: blockOf(collection), key, fields: ordered(fields), unknown };
}

/** Commands are called by `/name`; folders become part of the name. */
function keyOf(collection: ItemCollection, native: string): string {
  const name = collection === 'skills' ? native.split('/').at(-1)! : native.replaceAll('/', '-');
  return collection === 'commands' ? `/${name}` : name;
}

/** What names and describes comes first, the content last. */
const order = ['name', 'applyTo', 'description'];

function ordered(fields: ReadonlyMap<string, Data>): Map<string, Data> {
  const rest = [...fields].filter(([name]) => !order.includes(name) && name !== 'content');
  const first = order.flatMap(name => (fields.has(name) ? [[name, fields.get(name)!] as const] : []));
  const content = fields.get('content');
  return new Map([...first, ...rest, ...(content === undefined ? [] : [['content', content] as const])]);
}

/** Fields that the compiler computes from others, back to those others. */
export function serverFields(read: ReadBack, transport: string | undefined): ReadBack {
  const { fields, unknown } = read;
  const argv = strings(fields.get('argv'));
  const program = fields.get('program');
  const rest = fields.get('arguments');
  const result = new Map<string, Data>();
  if (argv.length > 0) result.set('command', argv[0]!);
  if (argv.length > 1) result.set('args', argv.slice(1));
  if (program !== undefined) result.set('command', program);
  if (rest !== undefined) result.set('args', rest);
  for (const [name, value] of fields)
    if (!['argv', 'program', 'arguments', 'name', 'transport'].includes(name)) result.set(name, value);
  const implied = result.has('url') ? 'http' : 'stdio';
  if (transport !== undefined && transport !== implied) result.set('transport', transport);
  return { fields: result, unknown };
}

/** A hook of a tool: its own event and fields, back to the portable ones. */
export function hookFields(read: ReadBack, event: string, facts: HookFacts): ReadBack {
  const { fields, unknown } = read;
  const matcher = fields.get('matcher');
  const portable = portableEvent(event, typeof matcher === 'string' ? matcher : undefined, facts);
  const result = new Map<string, Data>([['event', portable.event]]);
  if (matcher !== undefined && matcher !== '' && !portable.explained) result.set('matcher', matcher);
  const argv = strings(fields.get('argv'));
  const command =
    fields.get('shell') ??
    fields.get('wrapped') ??
    (argv.length > 0 ? argv.join(' ') : fields.get('program'));
  if (command !== undefined) result.set('command', command);
  const timeout = fields.get('timeout');
  if (typeof timeout === 'number')
    result.set('timeoutMs', facts.timeoutUnit === 'milliseconds' ? timeout : timeout * 1000);
  const directory = fields.get('directory');
  if (directory !== undefined) result.set('cwd', directory);
  for (const name of ['timeoutMs', 'statusMessage', 'description', 'continueOnFailure', 'enabled']) {
    const value = fields.get(name);
    if (value !== undefined) result.set(name, value);
  }
  return { fields: result, unknown };
}

/** The portable event whose matcher the tool's entry has, else the first that has the event without one. */
function portableEvent(
  native: string,
  matcher: string | undefined,
  { events }: HookFacts,
): { event: string; explained: boolean } {
  let plain: string | undefined;
  for (const [event, names] of Object.entries(events)) {
    for (const name of names) {
      if (name.name !== native) continue;
      if (name.matcher !== undefined && name.matcher === matcher) return { event, explained: true };
      if (name.matcher === undefined) plain ??= event;
    }
  }
  return { event: plain ?? native, explained: false };
}

/** A name for a hook that its tool leaves unnamed: what it runs, or its event. */
export function hookName(fields: ReadonlyMap<string, Data>, taken: ReadonlySet<string>): string {
  const command = String(fields.get('command') ?? '');
  const script = /([\w-]+)\.(?:sh|py|js|ts|mjs|rb|ps1)\b/.exec(command)?.[1];
  const base = (script ?? String(fields.get('event'))).toLowerCase().replace(/[^a-z0-9_-]+/g, '-') || 'hook';
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
  return name;
}

export const asMap = (data: Data): ReadonlyMap<string, Data> =>
  isDataObject(data) ? new Map(Object.entries(data)) : new Map();
