import type { EntriesFile, HookFacts } from '../../generated/types/target.ts';
import { isDataObject, strings } from '../../model/data.ts';
import type { Data, Item } from '../../model/model.ts';
import { isKnownValue } from '../../resolve/catalogue.ts';
import { adviceOf } from '../../spec/vocabulary.ts';
import { posixCommand, powershellCommand } from '../../text/shell.ts';
import type { Omissions } from '../omissions.ts';
import { usesField } from '../places.ts';
import type { TargetRequest } from '../request.ts';
import { mainPlace } from './tool-keys.ts';

/** How a command gets to the project root before it runs. */
export interface RootAccess {
  readonly env?: string;
  readonly cwd?: 'project' | 'git';
}

/** The words by which vendors themselves tell a hook to find the root: POSIX shells and PowerShell read them alike. */
export const gitRoot = '$(git rev-parse --show-toplevel)';

/**
 * A command for a shell that first changes to `directory` (relative to the project root, empty for the root itself).
 * - A tool that starts commands at the root gets a plain relative command.
 * - A tool that sets a variable for the root gets it. Where the variable is missing, the command does not run: it must not
 *   act on another directory.
 * - Any other tool starts commands where it was started itself. A relative command would fail there without a word, and a
 *   hook that is left out guards nothing, so the command asks Git in words that everybody knows. Outside of a repository
 *   a command for the root runs where it is started, and one for a folder below it does not run.
 */
export function shellInProject(
  argv: readonly string[],
  directory: string,
  root: RootAccess | undefined,
): string {
  const command = posixCommand(argv);
  const folder = directory === '' ? '' : posixCommand([directory]);
  if (root?.cwd === 'project') return folder === '' ? command : `cd ${folder} && ${command}`;
  const start = root?.env ? `\${${root.env}:?}` : gitRoot;
  return `cd "${start}"${folder === '' ? '' : posixCommand([`/${directory}`])} && ${command}`;
}

/** How a command for POSIX shells begins that is not to run where a tool sets this variable. */
export const exitUnless = (variable: string): string => `test -z "$${variable}" || exit 0; `;

function powershellInProject(
  argv: readonly string[],
  directory: string,
  root: RootAccess | undefined,
): string {
  // PowerShell knows the home folder where the system sets no such variable.
  const variable = root?.env === 'HOME' ? '"$HOME"' : `"$env:${root?.env}"`;
  const start = root?.env ? variable : root?.cwd === 'project' ? '' : gitRoot.slice(1);
  const folders = [start, directory === '' ? '' : powershellCommand([directory])];
  const moves = folders.flatMap(folder => (folder === '' ? [] : `Set-Location ${folder}; `));
  return `${moves.join('')}${powershellCommand(argv)}`;
}

/**
 * What a spec says of hooks, for hooks that leave a tool alone its variable, by their paths in the program, and for those of
 * a user where the folder of the sources really lies.
 */
type Facts = HookFacts & {
  readonly leaves?: ReadonlyMap<string, string>;
  readonly sources?: string;
  /** Entries have a key for the folder in which a line of the tool's own runs. */
  readonly keepsFolder?: boolean;
  /** An entry of the tool's own can stand there as it is. */
  readonly takesRaw?: boolean;
};

/** What a spec says of the hooks of a structured file. */
export const factsOf = (file: EntriesFile): Facts => ({
  ...file.hooks!,
  keepsFolder: usesField(file, ['lineDirectory']),
  takesRaw: mainPlace(file.entry) !== undefined,
});

/** A portable hook in the words of one tool. */
export interface NativeHook {
  readonly event: string;
  readonly item: Item;
}

/** A hook as each of the tool's events of its own event has it; none where the tool has no such event. */
export function nativeFormsOf(hook: Item, facts: Facts): NativeHook[] {
  const event = String(hook.fields.get('event') ?? '');
  const natives = Object.hasOwn(facts.events, event) ? facts.events[event]! : [];
  return natives.map(native => ({ event: native.name, item: nativeItem(hook, native, facts) }));
}

/**
 * Translates the hooks for one target: the tool's events, time unit and way to the project root. A hook whose event the tool lacks is an omission.
 */
export const nativeHooks = (
  hooks: readonly Item[],
  facts: Facts,
  request: TargetRequest,
  omissions: Omissions,
): NativeHook[] =>
  hooks.flatMap(hook => {
    const { fields } = hook;
    const natives = nativeFormsOf(hook, facts);
    const why = obstacle(hook, natives.length > 0, facts, request);
    if (why) {
      omissions.item(hook, 'hooks', why.reason, why.isIntended);
      return [];
    }
    // Lines of single tools alone: it is for these tools.
    const isForOthers =
      !isDataObject(fields.get('raw')) &&
      !fields.has('prompt') &&
      strings(fields.get('argv')).length === 0 &&
      String(fields.get('line') ?? '').trim() === '';
    return isForOthers ? [] : natives;
  });

/** Why a hook is not written. */
function obstacle(
  { fields }: Item,
  hasEvent: boolean,
  facts: Facts,
  { spec }: TargetRequest,
): { readonly reason: string; readonly isIntended?: boolean } | undefined {
  const { title } = spec;
  const event = String(fields.get('event') ?? '');
  if (fields.get('enabled') === false)
    return { reason: `The source switches this hook off for ${spec.id}.`, isIntended: true };
  if (!hasEvent) {
    const events = Object.keys(facts.events).join(', ');
    const own = adviceOf(spec, `hooks.${event}`);
    return {
      reason: own ?? `${title} has no event for ${event}; it has ${events}.`,
      // An event that nobody knows is an error of its own.
      isIntended: !isKnownValue('hooks', 'event', event),
    };
  }
  if (isDataObject(fields.get('raw')))
    return facts.takesRaw
      ? undefined
      : { reason: `${title} has no entries for hooks in which \`raw\` could stand; name a command.` };
  if (!fields.has('prompt') || facts.prompts?.includes(event)) return undefined;
  const advice = facts.prompts
    ? `${title} asks a model at ${facts.prompts.join(', ')} only; give the hook for ${event} a command.`
    : `${title} runs programs at its events and asks no model; give the hook a command.`;
  return { reason: adviceOf(spec, 'hooks.prompt') ?? advice };
}

type NativeEvent = HookFacts['events'][string][number];

function nativeItem(item: Item, native: NativeEvent, facts: Facts): Item {
  const fields = new Map<string, Data>(item.fields);
  fields.set('action', fields.has('prompt') ? 'prompt' : 'command');
  fields.set('nativeEvent', native.name);
  if (!fields.has('prompt')) addCommand(fields, facts, facts.leaves?.get(item.path));
  if (native.shape !== undefined) fields.set('eventShape', native.shape);
  // What is said for this tool alone is its own affair.
  const plain = native.plain && !item.own?.has('matcher');
  const matcher = plain ? undefined : (fields.get('matcher') ?? native.matcher);
  if (matcher !== undefined) fields.set('matcher', matcher);
  else if (plain && fields.has('matcher')) {
    // Kept under another name: no slot finds it, so it becomes an omission.
    fields.set('matcher (this event takes none)', fields.get('matcher')!);
    fields.delete('matcher');
  }
  const timeout = fields.get('timeoutMs');
  if (typeof timeout === 'number')
    fields.set('timeout', facts.timeoutUnit === 'milliseconds' ? timeout : Math.ceil(timeout / 1000));
  const isImplied = fields.get('matcher') === native.matcher;
  const made = new Set([...item.computed, ...computed, ...(isImplied ? ['matcher'] : [])]);
  return { ...item, fields, computed: made };
}

function addCommand(fields: Map<string, Data>, facts: Facts, left: string | undefined): void {
  const argv = scriptAt(facts.sources, strings(fields.get('argv')), fields.get('script'));
  const cwd = fields.get('cwd');
  const directory = typeof cwd === 'string' && cwd !== 'project' ? cwd.replace(/^\.\/|\/+$/g, '') : '';
  // A script is named from the root of the project, and a client can be started below it.
  const inProject = cwd !== undefined || isOwnScript(fields.get('script'));
  const line = String(fields.get('line') ?? '');
  const isOwn = line.trim() !== '';
  const isKept = isOwn && facts.keepsFolder === true && cwd !== undefined && cwd !== 'project';
  const inShell = inProject ? shellInProject(argv, directory, facts.root) : posixCommand(argv);
  const isPlain = !inProject || isKept;
  const shell = `${left === undefined ? '' : exitUnless(left)}${isOwn ? line : inShell}`;
  const made: Readonly<Record<string, Data | undefined>> = {
    lineDirectory: isKept ? cwd : undefined,
    shell,
    powershell: isPlain ? powershellCommand(argv) : powershellInProject(argv, directory, facts.root),
    program: argv[0],
    arguments: argv.length > 1 ? argv.slice(1) : undefined,
    directory: directory === '' ? undefined : directory,
    wrapped: posixCommand(['sh', '-c', shell]),
  };
  for (const [field, value] of Object.entries(made)) if (value !== undefined) fields.set(field, value);
}

/** A command with its script where the folder of the sources lies. */
function scriptAt(sources: string | undefined, argv: string[], script: Data | undefined): string[] {
  const path = isDataObject(script) ? strings(script.path)[0] : undefined;
  if (sources === undefined || !path?.startsWith('.instr/')) return argv;
  return argv.map(word => (word === path ? `${sources}${word.slice('.instr'.length)}` : word));
}

const isOwnScript = (script: Data | undefined): boolean =>
  isDataObject(script) && strings(script.path).every(path => !/^[/~$\\]|^[A-Za-z]:|^\ufdd0/.test(path));

const computed = [
  'action',
  'nativeEvent',
  'shell',
  'powershell',
  'program',
  'arguments',
  'directory',
  'lineDirectory',
  'timeout',
  'wrapped',
  'eventShape',
];
