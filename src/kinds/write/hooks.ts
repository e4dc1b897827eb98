import type { EntriesFile, HookFacts } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data, Item } from '../../model/model.ts';
import { isKnownValue } from '../../resolve/catalogue.ts';
import { adviceOf } from '../../spec/vocabulary.ts';
import { isObject } from '../../text/data.ts';
import { posixCommand, powershellCommand } from '../../text/shell.ts';
import { withFields } from '../native/shapes.ts';
import type { Omissions } from '../omissions.ts';
import { usesField } from '../places.ts';
import type { TargetRequest } from '../request.ts';
import { mainPlace } from './tool-keys.ts';

/** The expression that vendors recommend for the root. POSIX shells and PowerShell support it. */
export const gitRoot = '$(git rev-parse --show-toplevel)';

/**
 * A shell command that first changes to `directory` (relative to the project root, empty for the root
 * itself).
 * - For a tool that starts commands at the root: a plain relative command.
 * - For a tool with a variable for the root: the variable. If it is not set, the command does not run,
 *   because it must not act on another directory.
 * - Any other tool starts commands in its own working directory, where a relative command could fail silently
 *   and a missing hook would guard nothing. The command therefore asks Git for the root. Outside of a
 *   repository a command for the root runs in the working directory, and one for a subfolder does not run.
 */
export function shellInProject(argv: readonly string[], directory: string, root: HookFacts['root']): string {
  const command = posixCommand(argv);
  const folder = directory === '' ? '' : posixCommand([directory]);
  if (root?.cwd === 'project') return folder === '' ? command : `cd ${folder} && ${command}`;
  const start = root?.env ? `\${${root.env}:?}` : gitRoot;
  return `cd "${start}"${folder === '' ? '' : posixCommand([`/${directory}`])} && ${command}`;
}

/**
 * Equivalent command lines for a program in the root of the project: with the variable of the root before its path, as
 * vendors show it, and without the change of directory, which is the same where the tool is started in the root.
 */
function otherLines(argv: readonly string[], directory: string, root: HookFacts['root']): string[] {
  const [program] = argv;
  if (program === undefined || directory !== '' || root?.cwd === 'project') return [];
  const plain = posixCommand(argv);
  const path = program.replace(/^\.\//, '');
  const isPath = path.includes('/') && !path.startsWith('/');
  const line = posixCommand([path, ...argv.slice(1)]);
  return [...(root?.env && isPath ? [`"$${root.env}"/${line}`, `"\${${root.env}}"/${line}`] : []), plain];
}

/** The prefix of a POSIX shell command that must not run in tools that set this variable. */
export const exitUnless = (variable: string): string => `test -z "$${variable}" || exit 0; `;

function powershellInProject(argv: readonly string[], directory: string, root: HookFacts['root']): string {
  // In PowerShell `$HOME` is defined even when the environment variable is not set.
  const variable = root?.env === 'HOME' ? '"$HOME"' : `"$env:${root?.env}"`;
  const start = root?.env ? variable : root?.cwd === 'project' ? '' : gitRoot.slice(1);
  const folders = [start, directory === '' ? '' : powershellCommand([directory])];
  const moves = folders.flatMap(folder => (folder === '' ? [] : `Set-Location ${folder}; `));
  return `${moves.join('')}${powershellCommand(argv)}`;
}

/**
 * The facts of a spec about hooks, with the variables of tools that must skip a hook, by the path of the
 * hook, and for user hooks the real folder of the sources.
 */
type Facts = HookFacts & {
  readonly exitVariables?: ReadonlyMap<string, string>;
  readonly sources?: string;
  /** Whether entries have a key for the working directory of a native command line. */
  readonly hasFolderKey?: boolean;
  /** Whether native entries can be copied unchanged. */
  readonly allowsNativeEntries?: boolean;
};

export const factsOf = (file: EntriesFile): Facts => ({
  ...file.hooks!,
  hasFolderKey: usesField(file, ['lineDirectory']),
  allowsNativeEntries: mainPlace(file.entry) !== undefined,
});

export interface NativeHook {
  readonly event: string;
  readonly item: Item;
}

/** A hook in each of the native events of its portable event; empty when the tool has none. */
export function nativeFormsOf(hook: Item, facts: Facts): NativeHook[] {
  const event = String(hook.fields.get('event') ?? '');
  const natives = Object.hasOwn(facts.events, event) ? facts.events[event]! : [];
  return natives.map(native => ({ event: native.name, item: nativeItem(hook, native, facts) }));
}

/**
 * Converts the hooks for one target: native events, time unit, and access to the project root. A hook whose
 * event the tool does not have is an omission.
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
    // A hook with only native lines of other tools.
    const isForOthers =
      !isObject(fields.get('raw')) &&
      !fields.has('prompt') &&
      strings(fields.get('argv')).length === 0 &&
      String(fields.get('line') ?? '').trim() === '';
    return isForOthers ? [] : natives;
  });

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
      // An unknown event is reported separately.
      isIntended: !isKnownValue('hooks', 'event', event),
    };
  }
  if (isObject(fields.get('raw')))
    return facts.allowsNativeEntries
      ? undefined
      : { reason: `${title} has no entries for hooks that could contain \`raw\`. Use a command.` };
  if (!fields.has('prompt') || facts.prompts?.includes(event)) return undefined;
  const advice = facts.prompts
    ? `${title} asks a model at ${facts.prompts.join(', ')} only; give the hook for ${event} a command.`
    : `${title} runs programs at its events and asks no model; give the hook a command.`;
  return { reason: adviceOf(spec, 'hooks.prompt') ?? advice };
}

function nativeItem(item: Item, native: HookFacts['events'][string][number], facts: Facts): Item {
  const { fields } = item;
  const isPrompt = fields.has('prompt');
  // A matcher in an overlay for this tool is not checked.
  const takesMatcher = !native.plain || item.own?.has('matcher');
  const matcher = takesMatcher ? (fields.get('matcher') ?? native.matcher) : undefined;
  const timeout = fields.get('timeoutMs');
  const isInMs = facts.timeoutUnit === 'milliseconds';
  const derived = {
    action: isPrompt ? 'prompt' : 'command',
    nativeEvent: native.name,
    ...(!isPrompt && commandFields(item, facts)),
    ...(native.shape !== undefined && { eventShape: native.shape }),
    ...(typeof timeout === 'number' && { timeout: isInMs ? timeout : Math.ceil(timeout / 1000) }),
  };
  const isImplied = matcher === native.matcher;
  const computed = new Set([...item.computed, ...Object.keys(derived), ...(isImplied ? ['matcher'] : [])]);
  return withFields(
    { ...item, computed },
    {
      ...derived,
      matcher,
      // No slot uses this name, so that the matcher becomes an omission.
      'matcher (this event takes none)': takesMatcher ? undefined : fields.get('matcher'),
    },
  );
}

/** The forms of a command that tools use. */
function commandFields({ fields, path }: Item, facts: Facts): Readonly<Record<string, Data | undefined>> {
  const exit = facts.exitVariables?.get(path);
  const argv = scriptAt(facts.sources, strings(fields.get('argv')), fields.get('script'));
  const cwd = fields.get('cwd');
  const directory = typeof cwd === 'string' && cwd !== 'project' ? cwd.replace(/^\.\/|\/+$/g, '') : '';
  // The path of a script is relative to the project root, and a client may be started in a subfolder.
  const inProject = cwd !== undefined || isOwnScript(fields.get('script'));
  const line = String(fields.get('line') ?? '');
  const isOwn = line.trim() !== '';
  const isKept = isOwn && facts.hasFolderKey === true && cwd !== undefined && cwd !== 'project';
  const inShell = inProject ? shellInProject(argv, directory, facts.root) : posixCommand(argv);
  const isPlain = !inProject || isKept;
  const shell = `${exit === undefined ? '' : exitUnless(exit)}${isOwn ? line : inShell}`;
  const equivalents =
    inProject && !isOwn && exit === undefined ? otherLines(argv, directory, facts.root) : [];
  return {
    lineDirectory: isKept ? cwd : undefined,
    shell,
    powershell: isPlain ? powershellCommand(argv) : powershellInProject(argv, directory, facts.root),
    program: argv[0],
    arguments: argv.length > 1 ? argv.slice(1) : undefined,
    directory: directory === '' ? undefined : directory,
    wrapped: posixCommand(['sh', '-c', shell]),
    otherLines: equivalents.length > 0 ? equivalents : undefined,
  };
}

/** A command whose script is in the folder of the sources. */
function scriptAt(sources: string | undefined, argv: string[], script: Data | undefined): string[] {
  const path = isObject(script) ? strings(script.path)[0] : undefined;
  if (sources === undefined || !path?.startsWith('.instr/')) return argv;
  return argv.map(word => (word === path ? `${sources}${word.slice('.instr'.length)}` : word));
}

const isOwnScript = (script: Data | undefined): boolean =>
  isObject(script) && strings(script.path).every(path => !/^[/~$\\]|^[A-Za-z]:|^\ufdd0/.test(path));
