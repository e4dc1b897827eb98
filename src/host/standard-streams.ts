import { fstatSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';

/** What can be known of the standard streams without opening them, which takes longer than many a command. */
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

/** Only a device can be a terminal; `node:tty`, which knows, brings all of Node's sockets along. */
function isTerminal(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    if (!found.isCharacterDevice() || found.rdev === statSync(devNull).rdev) return false;
  } catch {
    // A stream that was closed, or a system that cannot tell: ask.
  }
  const { isatty } = createRequire(process.execPath)('node:tty') as typeof import('node:tty');
  return isatty(descriptor);
}
