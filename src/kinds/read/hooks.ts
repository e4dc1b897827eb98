import type { HookFacts } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { unusedName } from '../../text/free-name.ts';
import { groupBy } from '../../text/group.ts';
import { markReference } from '../../text/variables.ts';
import type { ReadBack } from '../native/shapes.ts';
import { exitUnless, gitRoot } from '../write/hooks.ts';
import type { ImportedItem } from './items.ts';

interface ShellCommand {
  readonly argv: readonly string[];
  /** `project`, or a path below it; absent when the command does not set a working directory. */
  readonly cwd?: string;
}

/** Represents the project root while a command is parsed; it does not occur in commands. */
const rootMark = '\ue000';

/** First words that need a shell: built-in commands, and variable assignments for one command. */
const shellOnly =
  /^(?:[A-Za-z_]\w*=.*|if|for|while|until|case|function|\[|\[\[|!|\.|:|source|exit|export|unset|set|cd|eval|exec|trap|return|umask|ulimit|alias)$/s;

const anyExitGuard = new RegExp(`^${escapeRegex(exitUnless('NAME')).replace('NAME', '\\w+_PROJECT_DIR')}`);

/**
 * Parses a POSIX command to an argument list. References to the project root become `cwd`, which every tool
 * can express; syntax that needs a shell is passed to one. Returns `undefined` when variables must be
 * expanded, which portable hooks do not do.
 */
export function readCommand(text: string, root: HookFacts['root']): ShellCommand | undefined {
  // The guard that ends a hook in another tool belongs to the file, not to the hook.
  const marked = markRoot(text.trim().replace(anyExitGuard, ''), root);
  const { tokens, complete } = tokenize(marked);
  const [first, directory, and] = tokens;
  const rest = first?.text === 'cd' && and?.operator ? tokens.slice(3) : undefined;
  const cwd = rest && rest.length > 0 ? directoryOf(directory!.text, root) : undefined;
  const words = cwd === undefined ? tokens : rest!;
  const below = cwd === undefined ? {} : { cwd };
  const isProgram = words.length > 0 && !shellOnly.test(words[0]!.text);
  if (complete && isProgram && !words.some(({ operator }) => operator)) {
    const read = readWords(
      words.map(word => word.text),
      root,
    );
    if (read) return { ...below, ...read, ...below };
  }
  const line = marked.slice(words[0]?.start ?? 0);
  if (line.trim() === '' || line.includes(rootMark) || /\$\(|`|\$\{/.test(line)) return undefined;
  return { argv: ['sh', '-c', line], ...below };
}

function readWords(words: readonly string[], root: HookFacts['root']): ShellCommand | undefined {
  const [program, flag, script] = words;
  if (words.length === 3 && /^(?:sh|bash)$/.test(program!) && flag === '-c') {
    const inner = readCommand(script!, root);
    if (inner && inner.argv[1] !== '-c') return inner;
  }
  if (!words.some(word => word.includes(rootMark))) return { argv: words };
  const argv = words.map(word => (word === rootMark ? '.' : word.replace(new RegExp(`^${rootMark}/+`), '')));
  return argv.some(word => word.includes(rootMark)) ? undefined : { argv, cwd: 'project' };
}

function directoryOf(word: string, root: HookFacts['root']): string | undefined {
  if (word.startsWith(rootMark)) return word.slice(1).replace(/^\/+|\/+$/g, '') || 'project';
  return root?.cwd === 'project' && /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(word) ? word : undefined;
}

function markRoot(text: string, root: HookFacts['root']): string {
  const git = text.replaceAll(gitRoot, rootMark);
  if (root?.env === undefined) return git;
  return git.replace(
    new RegExp(`\\$\\{${root.env}(?::?[?-][^}]*)?\\}|\\$${root.env}(?![A-Za-z0-9_])`, 'g'),
    rootMark,
  );
}

const withReferences = (text: string): string =>
  text.replace(
    /\\(["\\$`}])|\$\{([A-Za-z_]\w*)(?::-((?:[^\\{}]|\\.)*))?\}/g,
    (_, escaped?: string, name?: string, fallback?: string) =>
      escaped ??
      markReference({
        name: name!,
        ...(fallback !== undefined && { fallback: fallback.replace(/\\(.)/g, '$1') }),
      }),
  );

interface Token {
  readonly text: string;
  readonly start: number;
  /** Whether it is `&&`; other operators are not supported. */
  readonly operator: boolean;
}

/** Words and `&&` up to the first syntax that needs a shell; `complete` when there is none. */
function tokenize(text: string): { tokens: Token[]; complete: boolean } {
  const tokens: Token[] = [];
  const one =
    /[ \t]*(?:(&&)|((?:[^\s'"\\$`|&;<>(){}*?[\]~#!]|(?<=\S)[~#!]|\\[^\n]|'[^']*'|"(?:[^"\\$`]|\\[^\n]|\$\{[A-Za-z_]\w*(?::-(?:[^"\\$`{}]|\\[^\n])*)?\})*")+))/y;
  let at = 0;
  while (at < text.length) {
    one.lastIndex = at;
    const match = one.exec(text);
    if (!match) return { tokens, complete: text.slice(at).trim() === '' };
    const [whole, and, word] = match;
    const start = at + whole.length - (and ?? word)!.length;
    tokens.push({ text: and ?? unquote(word!), start, operator: and !== undefined });
    at += whole.length;
  }
  return { tokens, complete: true };
}

const unquote = (word: string): string =>
  word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? (double === undefined ? escaped! : withReferences(double)),
  );

/** An entry for a hook as the shape of its place reads it. */
interface FoundHook {
  /** The tool's name of its event. */
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
  const reads = found.map(hook => readHook(hook, facts));
  const hooks = reads.flatMap(read => ('unreadable' in read ? [] : [read]));
  const unreadable = reads.flatMap(read => ('unreadable' in read ? [read.unreadable] : []));
  return { items: portableHooks(hooks, facts, taken), unreadable };
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
  { native, id: outer, read: { fields, unknown } }: FoundHook,
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
  const inner = fields.get('id') ?? fields.get('name');
  const id = typeof inner === 'string' ? inner : outer;
  return {
    native,
    ...(id !== undefined && { id }),
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
): ImportedItem[] {
  const groups = groupBy(hooks, hook => JSON.stringify([[...hook.fields], [...hook.unknown]]));
  const wide = Object.entries(events)
    .filter(([, natives]) => natives.length > 1)
    .sort(([, a], [, b]) => b.length - a.length);
  const items: ImportedItem[] = [];
  const add = (event: string, { id, fields, matcher, unknown }: NativeHook, explained: boolean) => {
    const all = new Map<string, Data>([['event', event]]);
    if (matcher !== undefined && !explained) all.set('matcher', matcher);
    for (const [name, value] of fields) all.set(name, value);
    const key = id !== undefined && !taken.has(id) ? id : hookName(all, taken);
    taken.add(key);
    items.push({ block: 'hooks', key, fields: all, unknown });
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
  return items;
}

/** The portable event with the entry's matcher, else one without a matcher for the fewest events. */
function portableEvent(
  { native, matcher }: NativeHook,
  events: HookFacts['events'],
): { event: string; explained: boolean } {
  const forms = Object.entries(events).flatMap(([event, natives]) =>
    natives.filter(({ name }) => name === native).map(form => ({ ...form, event, width: natives.length })),
  );
  const explaining = forms.find(form => form.matcher !== undefined && form.matcher === matcher);
  if (explaining) return { event: explaining.event, explained: true };
  const plain = forms.filter(form => form.matcher === undefined).sort((a, b) => a.width - b.width);
  return { event: plain[0]?.event ?? native, explained: false };
}

function hookName(fields: ReadonlyMap<string, Data>, taken: ReadonlySet<string>): string {
  const command = strings(fields.get('command')).join(' ');
  const script = /([\w-]+)\.(?:sh|py|js|ts|mjs|rb|ps1)\b/.exec(command)?.[1];
  const base = (script ?? String(fields.get('event'))).toLowerCase().replace(/[^a-z0-9_-]+/g, '-') || 'hook';
  return unusedName(base, name => taken.has(name));
}
