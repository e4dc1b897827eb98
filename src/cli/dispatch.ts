import { writeResult } from './streams.ts';
import { answerUnchanged } from './unchanged.ts';
import { version } from './version.ts';
import { beforeSeparator } from './words.ts';

/**
 * Runs the command line and returns the exit code. A run that would change nothing is answered from the
 * record of the last one, and `--version` immediately, before anything else is loaded.
 */
export async function dispatch(args: readonly string[]): Promise<number> {
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
