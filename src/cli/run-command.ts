import { Cli } from 'clipanion';
import type { PrsCommand, PrsCommandClass } from './command.ts';
import { beforeSeparator, commandIndex } from './command-line.ts';
import { type CommandName, commands, isCommand } from './commands.ts';
import { columnsOfOutput, writeResult } from './streams.ts';

/** Shows help, or runs the command of a command line. Returns the exit code. */
export async function runLine(args: readonly string[]): Promise<number> {
  const words = beforeSeparator(args);
  const at = commandIndex(args);
  const isHelp = args[at] === 'help';
  const name = isHelp ? args[at + 1] : args[at];
  const isGeneral = name === undefined || name === '--all';
  if (isHelp || words.includes('--help') || words.includes('-h')) {
    const { commandHelp, generalHelp } = await import('./help.ts');
    const columns = columnsOfOutput() ?? 80;
    const help = isGeneral
      ? await generalHelp(words.includes('--all'), columns)
      : isCommand(name) && (await commandHelp(name, columns));
    if (help) {
      writeResult(help);
      return 0;
    }
  }
  if (name === 'complete') {
    const { completeLine } = await import('./completion.ts');
    writeResult(await completeLine(args.slice(at + 1)));
    return 0;
  }
  if (name !== undefined && !isCommand(name)) {
    const { rejectCommand } = await import('./reject.ts');
    return rejectCommand(name, words, isHelp);
  }
  return runCommand(name, args);
}

/**
 * Loads one command, lets clipanion parse the arguments, and runs it. Without a name it is `status`, which
 * has the empty path.
 */
async function runCommand(name: CommandName | undefined, args: readonly string[]): Promise<number> {
  const Class: PrsCommandClass = await commands[name ?? 'status']();
  const words = args.map(Class.spelled ?? String);
  let command: PrsCommand;
  try {
    command = Cli.from(Class, { binaryName: 'prs' }).process(words) as PrsCommand;
  } catch (error) {
    if (!(error instanceof Error && 'clipanion' in error)) throw error;
    const { rejectArguments } = await import('./reject.ts');
    return rejectArguments(name ?? '', args, error);
  }
  const { execute } = await import('./run.ts');
  return execute(name ?? 'status', command, args);
}
