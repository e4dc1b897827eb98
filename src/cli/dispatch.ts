import { programFolder } from '../host/beside.ts';
import { readText } from '../host/looks.ts';
import { type CommandName, commands } from './commands.ts';
import { columnsOfOutput, writeResult } from './streams.ts';
import { answerUnchanged } from './unchanged.ts';
import { version } from './version.ts';

/**
 * Does what the arguments ask for and returns the exit code. A compile that would change nothing is answered from what the last one said;
 * `--version` and `--help` are answered from prepared text;
 * otherwise the one command that was asked for is loaded, and nothing else, because every run pays for it.
 */
export async function dispatch(args: readonly string[]): Promise<number> {
  const unchanged = answerUnchanged(version, args);
  if (unchanged !== undefined) return unchanged;
  const words = beforeSeparator(args);
  if (words.includes('--version') || words.includes('-v')) {
    writeResult(`${version}\n`);
    return 0;
  }
  const at = commandIndex(args);
  const name = args[at];
  const helpFor = name === 'help' ? args[at + 1] : name;
  const wantsHelp = name === 'help' || words.includes('--help') || words.includes('-h');
  if (name === undefined && !wantsHelp && words.length > 0) {
    const { rejectOptions } = await import('./reject.ts');
    const rejected = rejectOptions(words);
    if (rejected) return rejected;
  }
  if (name === undefined || (wantsHelp && (helpFor === undefined || isCommand(helpFor)))) {
    writeResult(await fitted((await preparedHelp())[helpFor ?? ''] ?? ''));
    return 0;
  }
  if (!isCommand(helpFor!)) {
    const { rejectCommand } = await import('./reject.ts');
    return rejectCommand(helpFor!, words, name === 'help');
  }
  const [{ runCommand }, command] = await Promise.all([import('./run.ts'), commands[helpFor!]()]);
  return runCommand(command.default, args, at);
}

/** The build puts the texts beside the entry as data: loading a module takes longer than the rest of `--help`. */
const preparedHelp = async (): Promise<Readonly<Record<string, string>>> =>
  programFolder
    ? JSON.parse(readText(`${programFolder}/help.json`))
    : (await import('../generated/help.ts')).help;

/** Help is prepared for eighty columns; a screen that has fewer gets it wrapped at words. */
async function fitted(help: string): Promise<string> {
  const columns = columnsOfOutput() ?? 80;
  if (columns >= 80) return help;
  const { wrapLines } = await import('../text/wrap.ts');
  return wrapLines(help, columns, '      ');
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** The arguments up to `--`, behind which everything is a value. */
function beforeSeparator(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--');
  return at === -1 ? args : args.slice(0, at);
}

/** Where the command name stands: the first word that is neither an option nor the value of one. */
function commandIndex(args: readonly string[]): number {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--cwd' || args[at] === '--config') at++;
    else if (!args[at]!.startsWith('-') || args[at] === '-') return at;
  }
  return args.length;
}
