#!/usr/bin/env node
import { cacheCompiledCode } from '../host/compile-cache.ts';
import { beforeSeparator, version } from './command-line.ts';
import { writeError, writeResult } from './streams.ts';
import { answerUnchanged } from './unchanged.ts';

/** Prints an unexpected exception, which is a bug, and exits with 70. */
function crash(error: unknown): void {
  const stack = error instanceof Error ? error.stack : String(error);
  writeError(
    `prs ${version} hit a bug (Node ${process.version}, ${process.platform}). Nothing you wrote should cause this.\n` +
      `Please report it with the lines below.\n\n${stack}\n`,
  );
  process.exit(70);
}

/**
 * Runs the command line and returns the exit code. A run that would change nothing is answered from the
 * record of the last one, and `--version` immediately, before anything else is loaded.
 */
async function dispatch(args: readonly string[]): Promise<number> {
  const unchanged = answerUnchanged(args);
  if (unchanged !== undefined) return unchanged;
  const words = beforeSeparator(args);
  if (words.includes('--version') || words.includes('-v')) {
    writeResult(`${version}\n`);
    return 0;
  }
  const { runLine } = await import('./run-command.ts');
  return runLine(args);
}

async function main(): Promise<void> {
  process.exitCode = await dispatch(process.argv.slice(2));
  // Exits immediately, because tearing down the heap takes time.
  process.exit();
}

cacheCompiledCode();
process.on('uncaughtException', crash);
main().catch(crash);
