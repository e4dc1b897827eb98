import { sep } from 'node:path';
import { badOptionValue, conflictingOptions, noSuchFolder } from '../generated/diagnostics.ts';
import { nodeDisk } from '../host/disk.ts';
import { HostError } from '../host/host.ts';
import { standardStreams } from '../host/standard-streams.ts';
import { absolutePath } from '../host/working-directory.ts';
import { hostFinding } from '../project/open/root.ts';
import type { CompileContext } from '../project/session/world.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { joinWithOr } from '../text/names.ts';
import { didYouMean } from '../text/similar.ts';
import type { CommandResult, Conflicts, Outcome, PrsCommand } from './command.ts';
import { showResult } from './report/outcome.ts';
import { recordPrinted, startProgress } from './streams.ts';
import { type Terminal, terminalFacts } from './terminal.ts';
import { isRecordable, recordDependencies, saveUnchanged } from './unchanged.ts';

/**
 * Runs the command in its directory. Errors of the environment become findings; any other exception is a bug.
 */
export async function execute(name: string, command: PrsCommand, args: readonly string[]): Promise<number> {
  const recorder = isRecordable(args) ? recordDependencies(nodeDisk, process.env) : undefined;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const terminal = terminalFacts(command.color, process.env, standardStreams());
  const progress = command.silent || !terminal.stderr.isTerminal ? undefined : startProgress(terminal.stderr);
  const directory = absolutePath(command.cwd ?? '.');
  const cwd = directory ?? sep;
  const context = {
    disk: recorder?.disk ?? nodeDisk,
    clock: () => new Date(),
    cwd,
    ...(command.config !== undefined && { configPath: command.config }),
    environment: recorder?.environment ?? process.env,
    report,
    progress: (text: string) => progress?.tell(text),
  };
  let outcome: CommandResult;
  try {
    const wrong = problemOf(command, directory);
    if (wrong) report(wrong);
    const result = wrong ? 'wrong-request' : await runInScope(command, context, terminal);
    outcome = typeof result === 'object' ? result : { exitCode: result === undefined ? 1 : 2 };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    report(hostFinding(error, cwd));
    outcome = {};
  } finally {
    progress?.end();
  }
  const printed = recorder && recordPrinted();
  const root = outcome.root ?? cwd;
  const exitCode = await showResult(name, command, outcome, diagnostics, terminal, root);
  if (recorder && printed && outcome.settled && exitCode === 0 && root === process.cwd())
    saveUnchanged(args, root, recorder, printed);
  return exitCode;
}

async function runInScope(
  command: PrsCommand,
  context: CompileContext,
  terminal: Terminal,
): Promise<Outcome> {
  if (!command.user) return command.run(context, terminal);
  const { forUser } = await import('./core.ts');
  const scoped = forUser(context);
  return scoped ? command.run(scoped, terminal) : 'no-configuration';
}

/** Options that do not apply to the user's configuration. */
const projectOptions: Conflicts = {
  '--user': ['--config', '--recursive', '--watch', '--absorb', '--diff'],
};

/** Validates options. */
function problemOf(command: PrsCommand, directory: string | undefined): Diagnostic | undefined {
  const { cwd, json, format, formats } = command;
  if (directory === undefined) {
    const hint = 'It was removed while a terminal was in it. Change to a folder that exists.';
    return noSuchFolder({ path: process.env.PWD ?? '.' }, { hint });
  }
  if (cwd !== undefined && nodeDisk.stat(directory)?.kind !== 'directory') return noSuchFolder({ path: cwd });
  if (format !== undefined && !formats.includes(format))
    return badOptionValue({ option: '--format', value: format, allowed: joinWithOr(formats) });
  for (const [name, allowed] of Object.entries(command.choices)) {
    const value = String(command[name as keyof PrsCommand]);
    if (allowed.includes(value)) continue;
    const hint = didYouMean(value, allowed) || undefined;
    return badOptionValue({ option: `<${name}>`, value, allowed: joinWithOr(allowed) }, { hint });
  }
  if (format === 'sarif' && json) return conflictingOptions({ first: '--json', second: '--format sarif' });
  for (const [first, others] of [...Object.entries(command.conflicts), ...Object.entries(projectOptions)])
    for (const second of others)
      if (isGiven(first, command) && isGiven(second, command)) return conflictingOptions({ first, second });
  return undefined;
}

/** The value of `--dry-run` is in the property `dryRun`. */
function isGiven(option: string, command: PrsCommand): boolean {
  const name = option.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return Boolean(command[name as keyof PrsCommand]);
}
