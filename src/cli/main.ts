#!/usr/bin/env node
import { cacheCompiledCode } from '../host/compile-cache.ts';
import { dispatch } from './dispatch.ts';
import { writeError } from './streams.ts';
import { version } from './version.ts';

/**
 * Prints an unexpected exception, which is a bug, and exits with 70. Too many open files is a system error,
 * not a bug.
 */
function crash(error: unknown): void {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (code === 'EMFILE' || code === 'ENFILE') {
    writeError(
      `prs: error: ${path} cannot be opened: too many files are open. Close other programs, or raise the limit (\`ulimit -n\`).\n`,
    );
    process.exit(1);
  }
  const stack = error instanceof Error ? error.stack : String(error);
  writeError(
    `prs ${version} hit a bug (Node ${process.version}, ${process.platform}). Nothing you wrote should cause this.\n` +
      `Please report it with the lines below.\n\n${stack}\n`,
  );
  process.exit(70);
}

async function main(): Promise<void> {
  process.exitCode = await dispatch(process.argv.slice(2));
  // Exits immediately, because tearing down the heap takes time.
  process.exit();
}

cacheCompiledCode();
process.on('uncaughtException', crash);
main().catch(crash);
