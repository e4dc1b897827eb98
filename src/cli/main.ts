#!/usr/bin/env node
import { dispatch } from './dispatch.ts';
import { writeError } from './streams.ts';
import { version } from './version.ts';

/** Prints an unexpected exception, which is a bug, and exits with 70. */
function crash(error: unknown): void {
  const stack = error instanceof Error ? error.stack : String(error);
  writeError(
    `prs ${version} hit a bug (Node ${process.version}, ${process.platform}). Nothing you wrote should cause this.\n` +
      `Please report it with the lines below.\n\n${stack}\n`,
  );
  process.exit(70);
}

async function main(): Promise<void> {
  process.exitCode = await dispatch(process.argv.slice(2));
  // Exit now: tearing down the heap takes time nobody benefits from.
  process.exit();
}

process.on('uncaughtException', crash);
main().catch(crash);
