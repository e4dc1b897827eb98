import { sep } from 'node:path';
import { Cli } from 'clipanion';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { badOptionValue, conflictingOptions, noSuchDirectory } from '../generated/diagnostics.ts';
import { nodeDisk } from '../host/disk.ts';
import { HostError } from '../host/host.ts';
import { standardStreams } from '../host/standard-streams.ts';
import { terminalFacts } from '../host/terminal.ts';
import { watchReading } from '../host/watched.ts';
import { absolutePath } from '../host/working-directory.ts';
import { hostFinding } from '../project/open/host-finding.ts';
import { either } from '../text/names.ts';
import type { Outcome, PrsCommand, PrsCommandClass } from './command.ts';
import { type CommandName, commands } from './commands.ts';
import { plainCommand } from './plain-arguments.ts';
import { startProgress } from './progress.ts';
import { showOutcome } from './report/outcome.ts';
import { beforeSeparator } from './separator.ts';
import { leaveStamp } from './stamp.ts';
import { clearStatus, keepPrinted } from './streams.ts';
import { isStamped, telling } from './unchanged.ts';
import { version } from './version.ts';

/**
 * Loads one command, parses the arguments for it, runs it, and shows findings and result.
 * `at` is the place of the command's name in `args`; options may stand before it. Returns the exit code.
 */
export async function runCommand(name: string, args: readonly string[], at: number): Promise<number> {
  if (!isCommand(name)) {
    const { rejectCommand } = await import('./reject.ts');
    return rejectCommand(name, beforeSeparator(args), args[at] === 'help');
  }
  const { default: Class }: { default: PrsCommandClass } = await commands[name]();
  const words = [...args.slice(0, at), ...args.slice(at + 1)].map(Class.spelled ?? String);
  let command: PrsCommand;
  try {
    command = plainCommand(Class, name, words) ?? parsed(Class, [name, ...words]);
  } catch (error) {
    if (!isSyntaxError(error)) throw error;
    const { rejectArguments } = await import('./reject.ts');
    return rejectArguments(name, args, at);
  }
  return execute(name, command, args);
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

function parsed(Class: PrsCommandClass, words: readonly string[]): PrsCommand {
  const cli = new Cli({ binaryName: 'prs' });
  cli.register(Class);
  return cli.process([...words]) as PrsCommand;
}

/** Errors that clipanion throws about the user's words carry this mark. */
const isSyntaxError = (error: unknown): boolean => error instanceof Error && 'clipanion' in error;

/** Runs the command in its directory; failures of the outside world become findings, anything else is a bug. */
async function execute(name: string, command: PrsCommand, args: readonly string[]): Promise<number> {
  const watched = isStamped(args) ? watchReading(nodeDisk, process.env, new Set(telling)) : undefined;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const terminal = terminalFacts(command.color, process.env, standardStreams());
  const silent = command.json || command.quiet;
  // Made for those who ask: Node opens a module of its own for it.
  let stopped: AbortController | undefined;
  const progress = silent || !terminal.stderr.isTerminal ? undefined : startProgress(terminal.stderr);
  const stop = () => {
    clearStatus();
    stopped?.abort();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const directory = absolutePath(command.cwd ?? '.');
  const cwd = directory ?? sep;
  const context = {
    disk: watched?.disk ?? nodeDisk,
    clock: () => new Date(),
    cwd,
    ...(command.config !== undefined && { configPath: command.config }),
    environment: watched?.environment ?? process.env,
    report,
    progress: (text: string) => progress?.tell(text),
    signal: () => {
      stopped ??= new AbortController();
      return stopped.signal;
    },
  };
  const { diagnosticsFormat: format, diagnosticsFormats: formats } = command;
  let outcome: Outcome;
  try {
    if (directory === undefined) {
      const hint = 'It was removed while a terminal stood in it. Change to a directory that exists.';
      report(noSuchDirectory({ path: process.env.PWD ?? '.' }, { hint }));
      outcome = { exitCode: 2 };
    } else if (command.cwd !== undefined && nodeDisk.stat(cwd)?.kind !== 'directory') {
      report(noSuchDirectory({ path: command.cwd }));
      outcome = { exitCode: 2 };
    } else if (format !== undefined && !formats.includes(format)) {
      report(badOptionValue({ option: '--format', value: format, allowed: either(formats) }));
      outcome = { exitCode: 2 };
    } else if (format === 'sarif' && command.json) {
      report(conflictingOptions({ first: '--json', second: '--format sarif' }));
      outcome = { exitCode: 2 };
    } else {
      outcome = await command.run({ context, terminal, silent, verbose: command.verbose });
      // A signal that came while files went to their places is delivered when the loop looks for such next, which it may never do:
      // in the next turn, or in the one after it when this turn has looked already.
      for (let turn = 0; turn < 2 && !outcome.settled; turn++)
        await new Promise(resolve => setImmediate(resolve));
    }
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    report(hostFinding(error, cwd));
    outcome = {};
  } finally {
    progress?.end();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  const printed = watched && keepPrinted();
  const root = outcome.root ?? cwd;
  // Handed on as it is: a copy would ask for the data of `--json`.
  const exitCode = await showOutcome(name, command, outcome, diagnostics, terminal, root);
  if (watched && printed && outcome.settled && exitCode === 0 && root === process.cwd())
    leaveStamp(version, args, root, watched, printed);
  return exitCode;
}
