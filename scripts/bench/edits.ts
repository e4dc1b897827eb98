/** Measures how long an editor waits for diagnostics after an edit, over the language server protocol. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { measuredEnvironment } from './measure.ts';

/** Number of entries that are added to the 40 of the sample. */
const more = 160;

/** Milliseconds from each edit to its diagnostics: wall-clock time, or with `cpu` the CPU time of the server's main thread. */
export async function measureEdits(
  [node, program]: readonly [node: string, program: string],
  folder: string,
  edits: number,
  cpu = false,
): Promise<number[]> {
  const path = join(folder, '.instr/project.prs');
  const entries = Array.from(
    { length: more },
    (_, at) =>
      `  more-${at}: { applyTo: ["src/x${at}/**"] description: "X ${at}" content: "Do ${at} well." }\n`,
  );
  const original = `${readFileSync(path, 'utf8')}@guards {\n${entries.join('')}}\n`;
  writeFileSync(path, original);
  const child = spawn(node, [program, 'lsp'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: measuredEnvironment(process.env),
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  let onDiagnostics: (() => void) | undefined;
  const next = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server sent no diagnostics')), 60_000);
      onDiagnostics = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const uri = pathToFileURL(path).href;
  connection.onNotification('textDocument/publishDiagnostics', message => {
    if (message.uri === uri) onDiagnostics?.();
  });
  connection.listen();
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  await connection.sendNotification('initialized', {});
  const textDocument = { uri, languageId: 'prs', version: 0, text: original };
  const opened = next();
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  await opened;
  const times: number[] = [];
  const now = cpu ? () => threadTime(child.pid!) : () => performance.now();
  for (let edit = 1; edit <= edits; edit++) {
    const typed = original.replace('a long history', `history number ${edit}`);
    const text = edit % 2 === 1 ? typed.replace('description: "Area 3"', 'description "Area 3"') : typed;
    // Every second edit is a syntax error, so that every edit changes the diagnostics.
    const received = next();
    const start = now();
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: edit },
      contentChanges: [{ text }],
    });
    await received;
    times.push(now() - start);
    // Typing pauses now and then. The server then checks the output of all tools, and the next edit interrupts it.
    await new Promise(resolve => setTimeout(resolve, edit % 3 === 0 ? 220 : 20));
  }
  const ended = new Promise(resolve => child.once('exit', resolve));
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await ended;
  connection.dispose();
  return times;
}

/** CPU time of the main thread of a process in milliseconds (Linux only). */
const threadTime = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
