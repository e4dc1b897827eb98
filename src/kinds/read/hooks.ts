import type { HookFacts } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { unusedName } from '../../text/free-name.ts';
import { groupBy } from '../../text/group.ts';
import type { ReadBack } from '../native/shapes.ts';
import type { ImportedItem } from './items.ts';
import { readCommand, type ShellCommand } from './shell.ts';

interface FoundHook {
  readonly native: string;
  /** A name outside of the entry. */
  readonly id?: string | undefined;
  readonly read: ReadBack;
}

/** Converts the hooks of a place to items with names not in `taken`, and says why others are left out. */
export function readHooks(
  found: readonly FoundHook[],
  facts: HookFacts,
  taken?: Set<string>,
): { readonly items: ImportedItem[]; readonly unreadable: string[] } {
  const hooks: NativeHook[] = [];
  const unreadable: string[] = [];
  for (const { native, id, read } of found) {
    const hook = readHook(read, native, facts);
    if ('unreadable' in hook) unreadable.push(hook.unreadable);
    else hooks.push({ ...(id !== undefined && { id }), ...hook });
  }
  return { items: portableHooks(hooks, facts, taken).map(hook => ({ block: 'hooks', ...hook })), unreadable };
}

/** A hook of a tool's file, before its portable event is known. */
export interface NativeHook {
  readonly native: string;
  readonly id?: string;
  /** Everything except event and matcher. */
  readonly fields: ReadonlyMap<string, Data>;
  readonly matcher?: string;
  readonly unknown: ReadonlyMap<string, Data>;
}

/**
 * Reads a native hook. A command that needs variable expansion is returned as text, because portable hooks do
 * not expand variables. With `ownLines` such a hook gets no command, and its line becomes an overlay.
 */
export function readHook(
  { fields, unknown }: ReadBack,
  native: string,
  facts: HookFacts,
  ownLines = false,
): NativeHook | { readonly unreadable: string } {
  const result = new Map<string, Data>();
  const prompt = fields.get('prompt');
  const action = fields.get('action') ?? (prompt === undefined ? 'command' : 'prompt');
  if (action === 'prompt' && typeof prompt === 'string') {
    result.set('prompt', prompt);
    if (fields.has('model')) result.set('model', fields.get('model')!);
  } else if (action !== 'command') {
    return { unreadable: `it is of the tool's own kind \`${String(action)}\`` };
  } else {
    const line = fields.get('shell') ?? fields.get('wrapped');
    const isLine = ownLines && typeof line === 'string' && line.trim() !== '';
    const { argv, cwd }: ShellCommand = commandOf(fields, line, facts) ?? { argv: [] };
    if (argv.length === 0 && !isLine) return { unreadable: whyUnreadable(line, unknown) };
    if (argv.length > 0) result.set('command', argv);
    const directory = fields.get('directory') ?? fields.get('lineDirectory') ?? cwd;
    if (directory !== undefined && directory !== '')
      result.set('cwd', directory === '.' ? 'project' : directory);
  }
  const timeout = fields.get('timeout');
  if (typeof timeout === 'number')
    result.set('timeoutMs', facts.timeoutUnit === 'milliseconds' ? timeout : timeout * 1000);
  for (const name of ['timeoutMs', 'statusMessage', 'description', 'continueOnFailure', 'async', 'enabled']) {
    const value = fields.get(name);
    if (value !== undefined) result.set(name, value);
  }
  const matcher = fields.get('matcher');
  const id = fields.get('id') ?? fields.get('name');
  return {
    native,
    ...(typeof id === 'string' && { id }),
    fields: result,
    ...(typeof matcher === 'string' && matcher !== '' && { matcher }),
    unknown,
  };
}

function commandOf(
  fields: ReadonlyMap<string, Data>,
  line: Data | undefined,
  { root }: HookFacts,
): ShellCommand | undefined {
  if (typeof line === 'string') return readCommand(line, root);
  const list = strings(fields.get('argv'));
  return {
    argv: list.length > 0 ? list : [...strings(fields.get('program')), ...strings(fields.get('arguments'))],
  };
}

function whyUnreadable(line: Data | undefined, unknown: ReadonlyMap<string, Data>): string {
  if (typeof line === 'string' && line.trim() !== '')
    return `\`${line}\` needs a shell that fills something in`;
  const keys = [...unknown.keys()].map(key => `\`${key}\``).join(', ');
  return keys === '' ? 'it names no command' : `it names no command; what it has (${keys}) is the tool's own`;
}

/**
 * Groups the hooks of a file by portable event, with names that are not in `taken`. Equal hooks at all native
 * events of one portable event become one hook.
 */
export function portableHooks(
  hooks: readonly NativeHook[],
  { events }: HookFacts,
  taken: Set<string> = new Set(),
): Omit<ImportedItem, 'block'>[] {
  const groups = groupBy(hooks, hook => JSON.stringify([[...hook.fields], [...hook.unknown]]));
  const wide = Object.entries(events)
    .filter(([, natives]) => natives.length > 1)
    .sort(([, a], [, b]) => b.length - a.length);
  const result: Omit<ImportedItem, 'block'>[] = [];
  const add = (event: string, { id, fields, matcher, unknown }: NativeHook, explained: boolean) => {
    const all = new Map<string, Data>([['event', event]]);
    if (matcher !== undefined && !explained) all.set('matcher', matcher);
    for (const [name, value] of fields) all.set(name, value);
    const key = id !== undefined && !taken.has(id) ? id : hookName(all, taken);
    taken.add(key);
    result.push({ key, fields: all, unknown });
  };
  for (const group of groups.values()) {
    let left: readonly NativeHook[] = group;
    for (const [event, natives] of wide) {
      const found = natives.map(({ name }) => left.find(hook => hook.native === name));
      if (found.some(hook => hook === undefined)) continue;
      left = left.filter(hook => !found.includes(hook));
      add(event, found[0]!, false);
    }
    for (const hook of left) {
      const { event, explained } = portableEvent(hook, events);
      add(event, hook, explained);
    }
  }
  return result;
}

/** The portable event with the entry's matcher, else one without a matcher for the fewest events. */
function portableEvent(
  { native, matcher }: NativeHook,
  events: HookFacts['events'],
): { event: string; explained: boolean } {
  let plain: { readonly event: string; readonly width: number } | undefined;
  for (const [event, names] of Object.entries(events)) {
    for (const name of names) {
      if (name.name !== native) continue;
      if (name.matcher !== undefined && name.matcher === matcher) return { event, explained: true };
      if (name.matcher === undefined && !(plain && plain.width <= names.length))
        plain = { event, width: names.length };
    }
  }
  return { event: plain?.event ?? native, explained: false };
}

function hookName(fields: ReadonlyMap<string, Data>, taken: ReadonlySet<string>): string {
  const command = strings(fields.get('command')).join(' ');
  const script = /([\w-]+)\.(?:sh|py|js|ts|mjs|rb|ps1)\b/.exec(command)?.[1];
  const base = (script ?? String(fields.get('event'))).toLowerCase().replace(/[^a-z0-9_-]+/g, '-') || 'hook';
  return unusedName(base, name => taken.has(name));
}
