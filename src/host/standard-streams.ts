import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Facts about the standard streams without opening them, because opening takes longer than many commands. */
export function standardStreams() {
  return { stdin: { isTTY: isatty(0) }, stdout: screen(1), stderr: screen(2) };
}

/** Reads standard input to its end. */
export const readStandardInput = (): Uint8Array => readFileSync(0);

function screen(descriptor: 1 | 2): { readonly isTTY: boolean; readonly columns?: number } {
  if (!isatty(descriptor)) return { isTTY: false };
  const { columns } = descriptor === 1 ? process.stdout : process.stderr;
  return { isTTY: true, columns };
}
