#!/usr/bin/env node
import { type CommandName, commands } from './commands.ts';
import { isFlushed, writeError, writeResult } from './streams.ts';

/** Put in by the build. */
const version = process.env.INSTR_VERSION ?? 'development';

/**
 * The entry of the program. It answers `--version` and `--help` from prepared text and loads the one command
 * that was asked for; nothing else is imported here, because every run pays for it.
 */
async function main(args: readonly string[]): Promise<void> {
  const words = beforeSeparator(args);
  if (words.includes('--version') || words.includes('-v')) {
    writeResult(`${version}\n`);
    return;
  }
  const at = commandIndex(args);
  const name = args[at];
  const helpFor = name === 'help' ? args[at + 1] : name;
  const wantsHelp = name === 'help' || words.includes('--help') || words.includes('-h');
  if (name === undefined && !wantsHelp && words.length > 0) {
    const { rejectOptions } = await import('./reject.ts');
    const rejected = rejectOptions(words);
    if (rejected) {
      process.exitCode = await rejected;
      return;
    }
  }
  if (name === undefined || (wantsHelp && (helpFor === undefined || isCommand(helpFor)))) {
    const { help } = await import('../generated/help.ts');
    writeResult(await fitted(help[helpFor ?? ''] ?? ''));
    return;
  }
  if (!isCommand(helpFor!)) {
    const { rejectCommand } = await import('./reject.ts');
    process.exitCode = await rejectCommand(helpFor!, words);
    return;
  }
  const [{ runCommand }, command] = await Promise.all([import('./run.ts'), commands[helpFor!]()]);
  process.exitCode = await runCommand(command.default, args, at);
  // Of itself a process first takes its memory apart, object by object, which nobody waits for.
  if (isFlushed()) process.exit();
}

/** Help is prepared for eighty columns; a screen that has fewer gets it wrapped at words. */
async function fitted(help: string): Promise<string> {
  const { columns = 80 } = process.stdout;
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

/** What reaches this place is a bug of ours: it says so, and 70 tells it from findings. */
function crash(error: unknown): void {
  const stack = error instanceof Error ? error.stack : String(error);
  writeError(
    `prs ${version} hit a bug (Node ${process.version}, ${process.platform}). Nothing you wrote should cause this.\n` +
      `Please report it with the lines below.\n\n${stack}\n`,
  );
  process.exit(70);
}

process.on('uncaughtException', crash);
main(process.argv.slice(2)).catch(crash);
