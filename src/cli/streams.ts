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

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text === '') return;
  clearStatus();
  if (!opened.has(stream)) {
    opened.add(stream);
    stream.on('error', ignoreClosedPipe);
  }
  stream.write(text);
}

/** Whether the system has taken everything that was written. */
export const isFlushed = (): boolean => [...opened].every(({ writableLength }) => writableLength === 0);

/** A reader that went away (`prs … | head`) is no failure. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
}
