import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { mayBeScreen } from './screen.ts';

/** Facts about the standard streams without opening them, because opening takes longer than many commands. */
export function standardStreams() {
  return { stdin: { isTTY: isTerminal(0) }, stdout: screen(1), stderr: screen(2) };
}

/** Reads standard input to its end. */
export const readStandardInput = (): Uint8Array => readFileSync(0);

function screen(descriptor: 1 | 2): { readonly isTTY: boolean; readonly columns?: number } {
  if (!isTerminal(descriptor)) return { isTTY: false };
  const { columns } = descriptor === 1 ? process.stdout : process.stderr;
  return { isTTY: true, columns };
}

function isTerminal(descriptor: number): boolean {
  try {
    if (!mayBeScreen(descriptor)) return false;
  } catch {
    // The stream is closed, or the system cannot tell.
  }
  return isatty(descriptor);
}
