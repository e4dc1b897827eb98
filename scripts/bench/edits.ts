/** How long an editor waits, from an edit to what is wrong with it, over the protocol. */
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

/** So many entries are added to the sample, which brings 40. */
const more = 160;

/** Milliseconds from each edit to the findings, of the clock or of the server's main thread; every edit changes them. */
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
  const whole = `${readFileSync(path, 'utf8')}@guards {\n${entries.join('')}}\n`;
  writeFileSync(path, whole);
  const child = spawn(node, [program, 'lsp'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: measuredEnvironment(process.env),
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  let heard: (() => void) | undefined;
  const next = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server says nothing')), 60_000);
      heard = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const uri = pathToFileURL(path).href;
  connection.onNotification('textDocument/publishDiagnostics', message => {
    if (message.uri === uri) heard?.();
  });
  connection.listen();
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  await connection.sendNotification('initialized', {});
  const textDocument = { uri, languageId: 'prs', version: 0, text: whole };
  const opened = next();
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  await opened;
  const times: number[] = [];
  const now = cpu ? () => threadTime(child.pid!) : () => performance.now();
  for (let edit = 1; edit <= edits; edit++) {
    const typed = whole.replace('a long history', `history number ${edit}`);
    const text = edit % 2 === 1 ? typed.replace('description: "Area 3"', 'description "Area 3"') : typed;
    const told = next();
    const start = now();
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: edit },
      contentChanges: [{ text }],
    });
    await told;
    times.push(now() - start);
    // Somebody who types rests now and then: what all tools get is looked at then, and the next edit comes into it.
    await new Promise(resolve => setTimeout(resolve, edit % 3 === 0 ? 220 : 20));
  }
  const ended = new Promise(resolve => child.once('exit', resolve));
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await ended;
  connection.dispose();
  return times;
}

/** Milliseconds that the main thread of a process was at work, as Linux counts them. */
const threadTime = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
