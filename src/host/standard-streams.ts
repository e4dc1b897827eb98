import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { mayBeScreen } from './looks.ts';

/**
 * Facts about the standard streams that can be had without opening them, because opening them takes longer than many
 * commands.
 */
export function standardStreams() {
  return { stdin: { isTTY: isTerminal(0) }, stdout: screen(1), stderr: screen(2) };
}

/** Everything that comes on standard input. */
export const readStandardInput = (): Uint8Array => readFileSync(0);

function screen(descriptor: 1 | 2): { readonly isTTY: boolean; readonly columns?: number } {
  if (!isTerminal(descriptor)) return { isTTY: false };
  const { columns } = descriptor === 1 ? process.stdout : process.stderr;
  return { isTTY: true, columns };
}

/**
 * Whether a descriptor is a terminal. Only for a device is `node:tty` asked, because it loads all of Node's sockets.
 */
function isTerminal(descriptor: number): boolean {
  try {
    if (!mayBeScreen(descriptor)) return false;
  } catch {
    // The stream was closed, or the system cannot tell: ask `node:tty`.
  }
  const { isatty } = createRequire(process.execPath)('node:tty') as typeof import('node:tty');
  return isatty(descriptor);
}
