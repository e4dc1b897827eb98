import {
  missingArgument,
  missingOptionValue,
  unexpectedArgument,
  unknownCommand,
  unknownOption,
} from '../generated/diagnostics.ts';
import { standardStreams } from '../host/standard-streams.ts';
import { resolveTargetName } from '../spec/load.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { joinWithOr } from '../text/names.ts';
import { suggest } from '../text/similar.ts';
import { commands } from './commands.ts';
import { type CommandInfo, describeCommands, targetOptions } from './help.ts';
import { showTopic } from './manual.ts';
import { showResult, type View } from './report/outcome.ts';
import { terminalFacts } from './terminal.ts';

/** The exit code for an invalid command line. */
const wrongCommandLine = 2;

/**
 * Reports an unknown command with the most similar one. After `help`, unknown words are a topic of the
 * manual.
 */
export async function rejectCommand(name: string, args: readonly string[], isHelp: boolean): Promise<number> {
  const meant = suggest(name, Object.keys(commands));
  let hint = meant && `Did you mean \`prs ${meant}\`?`;
  if (isHelp) {
    const words = args.slice(args.indexOf('help') + 1).filter(word => !word.startsWith('-'));
    const topic = showTopic(words);
    if (topic.hint === undefined) return 0;
    hint ??= topic.hint;
  }
  return show(name, args, unknownCommand({ name }, { hint }));
}

/** The exception of clipanion for an invalid command line, with the reason of each attempt to parse it. */
interface SyntaxError extends Error {
  readonly candidates?: readonly { readonly reason: string | null }[];
}

/** Reports why clipanion could not parse the arguments of a command. */
export async function rejectArguments(
  name: string,
  args: readonly string[],
  { candidates = [] }: SyntaxError,
): Promise<number> {
  const all = await describeCommands();
  const info = all.find(one => one.name === (name || 'status'))!;
  const reasons = candidates.flatMap(({ reason }) => reason ?? []);
  // clipanion also tries `--no-color` and `--target=x` as option names; these reasons are ignored.
  const reason = reasons.find(one => !isKnown(quotedIn(one), info)) ?? reasons[0] ?? '';
  return show(name, args, wrongArguments(name, reason, info, all));
}

const quotedIn = (reason: string): string => /\("(.*)"\)/.exec(reason)?.[1] ?? '';

function isKnown(word: string, { options }: CommandInfo): boolean {
  const [option = ''] = word.split('=');
  return options.some(
    ({ names, takesValue }) =>
      names.includes(option) || (!takesValue && names.includes(option.replace(/^--no-/, '--'))),
  );
}

function wrongArguments(
  command: string,
  reason: string,
  info: CommandInfo,
  all: readonly CommandInfo[],
): Diagnostic {
  const quoted = quotedIn(reason);
  if (/^(?:Unsupported|Invalid) option name/.test(reason)) {
    const program = command === '' ? 'prs' : `prs ${command}`;
    return unknownOption({ program, option: quoted }, { hint: meantOption(quoted, info, all) });
  }
  const option = /^Not enough arguments to option (.*)\.$/.exec(reason)?.[1];
  if (option !== undefined) return missingOptionValue({ option });
  if (quoted !== '')
    return unexpectedArgument({ command, argument: quoted }, { hint: meantTarget(quoted, info) });
  return missingArgument({ command, argument: info.usage.match(/<[^>]*>/g)?.join(' ') ?? 'an argument' });
}

/** The most similar option of this command, else the commands that have an option with this name. */
function meantOption(
  written: string,
  { options }: CommandInfo,
  all: readonly CommandInfo[],
): string | undefined {
  const [option = ''] = written.split('=');
  const names = [...namesOf(options), '--help', '--version'];
  const longer = option.length > 3 ? names.filter(name => name.startsWith(option)) : [];
  const meant = longer.length === 1 ? longer[0] : suggest(option, names);
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  const others = all.flatMap(one => (namesOf(one.options).includes(option) ? [`\`prs ${one.name}\``] : []));
  return others.length === 0 ? undefined : `The option belongs to ${joinWithOr(others)}.`;
}

/** The option of a command that takes a tool, where an argument is the name of one. */
function meantTarget(argument: string, { name, options }: CommandInfo): string | undefined {
  const option = namesOf(options).find(one => targetOptions.includes(one));
  if (option === undefined || resolveTargetName(argument, new Map()) === undefined) return undefined;
  return `Did you mean \`prs ${name} ${option} ${argument}\`?`;
}

const namesOf = (options: CommandInfo['options']) => options.flatMap(({ names }) => names);

function show(name: string, args: readonly string[], diagnostic: Diagnostic): Promise<number> {
  const color = args.includes('--no-color') ? false : args.includes('--color') ? true : undefined;
  const view: View = { json: args.includes('--json'), quiet: false, detailed: false, formats: [] };
  const terminal = terminalFacts(color, process.env, standardStreams());
  return showResult(name, view, { exitCode: wrongCommandLine }, [diagnostic], terminal);
}
