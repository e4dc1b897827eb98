import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { commandTable } from '../generated/command-table.ts';
import {
  missingArgument,
  missingOptionValue,
  unexpectedArgument,
  unknownCommand,
  unknownOption,
} from '../generated/diagnostics.ts';
import { standardStreams } from '../host/standard-streams.ts';
import { terminalFacts } from '../host/terminal.ts';
import { suggest } from '../text/similar.ts';
import { type CommandInfo, commonOptions } from './command-info.ts';
import { showOutcome, type View } from './report/outcome.ts';

/** The exit code for a command line that cannot be run. */
const wrongCommandLine = 2;

/**
 * Says that there is no such command, and which one may have been meant. Behind `help`, words that are no command are a
 * topic of the manual.
 */
export async function rejectCommand(name: string, args: readonly string[], isHelp: boolean): Promise<number> {
  const meant = suggest(
    name,
    commandTable.map(info => info.name),
  );
  let hint = meant && `Did you mean \`prs ${meant}\`?`;
  if (isHelp) {
    const { showTopic } = await import('./manual/show.ts');
    const words = args.slice(args.indexOf('help') + 1).filter(word => !word.startsWith('-'));
    const topic = showTopic(words);
    if (topic.shown) return 0;
    const other = topic.meant === undefined ? '' : `Did you mean \`prs help ${topic.meant}\`? `;
    hint ??= `${other}\`prs help topics\` lists the manual.`;
  }
  return show(name, args, [unknownCommand({ name }, { hint })]);
}

/** Says what is wrong with the arguments of a command; called when they could not be parsed. */
export function rejectArguments(name: string, args: readonly string[], at: number): Promise<number> {
  const info = commandTable.find(command => command.name === name)!;
  const words = [...args.slice(0, at), ...args.slice(at + 1)];
  const found = findMistakes(info, words);
  const rest = () => unexpectedArgument({ command: name, argument: words.join(' ') });
  return show(name, args, found.length > 0 ? found : [rest()]);
}

/** Says what is wrong with options that no command follows; `undefined` when every command has them. */
export function rejectOptions(args: readonly string[]): Promise<number> | undefined {
  const options = commonOptions(commandTable);
  const found = findMistakes({ ...commandTable[0]!, name: '', positionals: [], options }, args);
  return found.length > 0 ? show('', args, found) : undefined;
}

function findMistakes(info: CommandInfo, words: readonly string[]): Diagnostic[] {
  const command = info.name;
  const found: Diagnostic[] = [];
  const room = info.positionals.some(({ rest }) => rest) ? Number.POSITIVE_INFINITY : info.positionals.length;
  let positionals = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') {
      positionals += words.length - at - 1;
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positionals++;
      if (positionals > room) found.push(unexpectedArgument({ command, argument: word }));
      continue;
    }
    const [option, value] = splitOption(word);
    const known = info.options.find(({ names }) => names.includes(option));
    if (known?.takesValue) {
      if (value === undefined && (words[at + 1] === undefined || words[at + 1]!.startsWith('-'))) {
        found.push(missingOptionValue({ option }));
      } else if (value === undefined) {
        at++;
      }
    } else if (!known && !isNegation(option, info)) {
      const program = command === '' ? 'prs' : `prs ${command}`;
      found.push(unknownOption({ program, option }, { hint: meantOption(option, info) }));
    } else if (value !== undefined && command === '') {
      found.push(unknownOption({ program: 'prs', option: word }, { hint: meantOption(option, info) }));
    }
  }
  const missing = info.positionals[positionals];
  if (found.length === 0 && missing?.required) {
    found.push(missingArgument({ command, argument: `<${missing.name}>` }));
  }
  return found;
}

function splitOption(word: string): readonly [string, string | undefined] {
  const equals = word.indexOf('=');
  return equals === -1 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function isNegation(option: string, info: CommandInfo): boolean {
  const positive = option.replace(/^--no-/, '--');
  return (
    positive !== option &&
    info.options.some(({ names, takesValue }) => !takesValue && names.includes(positive))
  );
}

/** The nearest option of this command, else a command that has an option of this name. */
function meantOption(option: string, info: CommandInfo): string | undefined {
  const names = [...info.options.flatMap(each => each.names), '--help', '--version'];
  const longer = option.length > 3 ? names.filter(name => name.startsWith(option)) : [];
  const meant = longer.length === 1 ? longer[0] : suggest(option, names);
  if (meant) return `Did you mean \`${meant}\`?`;
  const others = commandTable.filter(({ options }) => options.some(({ names }) => names.includes(option)));
  if (others.length === 0) return undefined;
  return `${others.map(({ name }) => `\`prs ${name}\``).join(' and ')} ${others.length === 1 ? 'has' : 'have'} it.`;
}

function show(name: string, args: readonly string[], diagnostics: readonly Diagnostic[]): Promise<number> {
  const color = args.includes('--no-color') ? false : args.includes('--color') ? true : undefined;
  const view: View = {
    json: args.includes('--json'),
    quiet: false,
    detailed: false,
    failsOnWarnings: false,
    diagnosticsFormat: undefined,
    diagnosticsFormats: [],
  };
  return showOutcome(
    name,
    view,
    { exitCode: wrongCommandLine },
    diagnostics,
    terminalFacts(color, process.env, standardStreams()),
  );
}
