/** Streams are opened when something is written to them: a run without messages does not pay for stderr. */
const opened = new Set<NodeJS.WriteStream>();

/** A line on the terminal that tells what is going on; the next text takes its place. */
let status = false;

/** Results: what another program may read. */
export function writeResult(text: string): void {
  write(process.stdout, text);
}

/** Everything else: diagnostics, progress, questions. */
export function writeError(text: string): void {
  write(process.stderr, text);
}

/** Shows one line until something else is written; only for terminals. */
export function writeStatus(line: string, columns: number): void {
  const characters = [...line];
  const shown = characters.length < columns ? line : `${characters.slice(0, columns - 2).join('')}…`;
  clearStatus();
  writeError(shown);
  status = true;
}

/** Removes the line, where there is one. */
export function clearStatus(): void {
  if (!status) return;
  status = false;
  process.stderr.write('\r\x1b[2K');
}

function write(stream: NodeJS.WriteStream, text: string, done?: () => void): void {
  if (text === '') return;
  clearStatus();
  if (!opened.has(stream)) {
    opened.add(stream);
    stream.on('error', onFailure);
  }
  stream.write(text, done);
}

/** Whether the system has taken everything that was written. */
export const isFlushed = (): boolean =>
  [...opened].every(({ writableLength, errored }) => writableLength === 0 && !errored);

/** A reader that went away (`prs … | head`) is no failure; a full disk behind the stream is one. */
function onFailure({ code }: NodeJS.ErrnoException): void {
  if (failed) return;
  if (code === 'EPIPE') process.exit(process.exitCode ?? 0);
  failed = true;
  // The other stream may still be one that people read; where it is not, nobody is left to tell.
  const message = `The output could not be written (${code}). Free some space, or write to another place.\n`;
  write(process.stderr, message, () => process.exit(1));
}

let failed = false;
