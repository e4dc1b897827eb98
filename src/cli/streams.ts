import { isatty } from 'node:tty';

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

/** What can be known of the standard streams without opening them, which takes longer than many a command. */
export function standardStreams() {
  return { stdin: { isTTY: isatty(0) }, stdout: screen(1), stderr: screen(2) };
}

function screen(descriptor: 1 | 2): { readonly isTTY: boolean; readonly columns?: number } {
  if (!isatty(descriptor)) return { isTTY: false };
  const { columns } = descriptor === 1 ? process.stdout : process.stderr;
  return { isTTY: true, columns };
}
