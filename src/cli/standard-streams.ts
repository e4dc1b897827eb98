import { isatty } from 'node:tty';

/** What can be known of the standard streams without opening them, which takes longer than many a command. */
export function standardStreams() {
  return { stdin: { isTTY: isatty(0) }, stdout: screen(1), stderr: screen(2) };
}

function screen(descriptor: 1 | 2): { readonly isTTY: boolean; readonly columns?: number } {
  if (!isatty(descriptor)) return { isTTY: false };
  const { columns } = descriptor === 1 ? process.stdout : process.stderr;
  return { isTTY: true, columns };
}
