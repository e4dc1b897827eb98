import { readText } from '../host/looks.ts';
import { programFolder } from '../host/program-folder.ts';
import { beforeSeparator } from './separator.ts';
import { columnsOfOutput, writeResult } from './streams.ts';
import { answerUnchanged } from './unchanged.ts';
import { version } from './version.ts';

/**
 * Does what the arguments ask for and returns the exit code. A compile that would change nothing is answered from what the last one said;
 * `--version` and `--help` are answered from prepared text;
 * otherwise what runs commands is loaded, because every run pays for what stands here.
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
  const help = name === undefined || wantsHelp ? (await preparedHelp())[helpFor ?? ''] : undefined;
  if (help !== undefined) {
    writeResult(await fitted(help));
    return 0;
  }
  const { runCommand } = await import('./run.ts');
  return runCommand(helpFor!, args, at);
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

/** Where the command name stands: the first word that is neither an option nor the value of one. */
function commandIndex(args: readonly string[]): number {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--cwd' || args[at] === '--config') at++;
    else if (!args[at]!.startsWith('-') || args[at] === '-') return at;
  }
  return args.length;
}
