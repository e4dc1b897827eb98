import { fstatSync, writeSync } from 'node:fs';

/** Streams are opened only for what cannot be written without: Node loads all its sockets for them. */
const opened = new Set<NodeJS.WriteStream>();

/** A text that was printed. */
export type Printed = readonly [stream: 'stdout' | 'stderr', text: string];

let kept: Printed[] | undefined;

/** Records what is printed from now on, except for status lines. */
export function keepPrinted(): readonly Printed[] {
  kept = [];
  return kept;
}

/** Whether a status line stands on the terminal; the next text replaces it. */
let status = false;

/** Results: what another program may read. */
export function writeResult(text: string): void {
  kept?.push(['stdout', text]);
  write('stdout', text);
}

/** Everything else: diagnostics, progress, questions. */
export function writeError(text: string): void {
  kept?.push(['stderr', text]);
  write('stderr', text);
}

/** Shows one line until something else is written; only for terminals. */
export function writeStatus(line: string, columns: number): void {
  const characters = [...line];
  const shown = characters.length < columns ? line : `${characters.slice(0, columns - 2).join('')}…`;
  clearStatus();
  write('stderr', shown);
  status = true;
}

/** Removes the line, where there is one. */
export function clearStatus(): void {
  if (!status) return;
  status = false;
  process.stderr.write('\r\x1b[2K');
}

function write(name: 'stdout' | 'stderr', text: string, done?: () => void): void {
  if (text === '') return;
  clearStatus();
  const rest = writeAtOnce(name, text);
  if (rest === undefined) {
    done?.();
    return;
  }
  const stream = process[name];
  if (!opened.has(stream)) {
    opened.add(stream);
    stream.on('error', onFailure);
  }
  stream.write(rest, done);
}

/** Descriptors that took no text at once, or only a part: everything else goes through their stream, in order. */
const slow = new Set<string>();

/**
 * Hands a text to the system without a stream, and gives back what it did not take: a pipe whose reader is behind, a
 * console of Windows, which needs another encoding, and what fails are left to the stream.
 */
function writeAtOnce(name: 'stdout' | 'stderr', text: string): string | Uint8Array | undefined {
  if (process.platform === 'win32' || slow.has(name)) return text;
  const bytes = Buffer.from(text);
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(name === 'stdout' ? 1 : 2, bytes, at);
    return undefined;
  } catch {
    slow.add(name);
    return bytes.subarray(at);
  }
}

/** Columns of standard output where it is a terminal. */
export const columnsOfOutput = (): number | undefined =>
  fstatSync(1).isCharacterDevice() ? process.stdout.columns : undefined;

/** Whether the system has taken everything that was written. */
export const isFlushed = (): boolean =>
  [...opened].every(({ writableLength, errored }) => writableLength === 0 && !errored);

/** A reader that went away (`prs … | head`) is no failure; a full disk behind the stream is one. */
function onFailure({ code }: NodeJS.ErrnoException): void {
  if (failed) return;
  if (code === 'EPIPE') process.exit(process.exitCode ?? 0);
  failed = true;
  // The message goes to the other stream, in case that one still has a reader.
  const message = `The output could not be written (${code}). Free some space, or write to another place.\n`;
  write('stderr', message, () => process.exit(1));
}

let failed = false;
