/** Streams are opened when something is written to them: a run without messages does not pay for stderr. */
const opened = new Set<NodeJS.WriteStream>();

/** Results: what another program may read. */
export function writeResult(text: string): void {
  write(process.stdout, text);
}

/** Everything else: diagnostics, progress, questions. */
export function writeError(text: string): void {
  write(process.stderr, text);
}

function write(stream: NodeJS.WriteStream, text: string): void {
  if (text === '') return;
  if (!opened.has(stream)) {
    opened.add(stream);
    stream.on('error', ignoreClosedPipe);
  }
  stream.write(text);
}

/** A reader that went away (`prs … | head`) is no failure. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
}
