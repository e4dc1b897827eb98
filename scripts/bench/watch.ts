/** How long an edit takes to reach the last output, with the debounce taken off: what is made while it lasts costs nobody time. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredEnvironment } from './measure.ts';

const debounce = 10;

/** Milliseconds from each edit to all outputs written, after the debounce. */
export async function measureWatch(
  [node, program]: readonly [node: string, program: string],
  folder: string,
  edits: number,
): Promise<number[]> {
  const configPath = join(folder, 'instr.yaml');
  writeFileSync(configPath, `${readFileSync(configPath, 'utf8')}watch: { debounce: ${debounce} }\n`);
  const child = spawn(node, [program, 'compile', '--watch'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: measuredEnvironment(process.env),
  });
  let messages = '';
  child.stderr.on('data', data => {
    messages += data;
  });
  const wait = async (done: () => boolean) => {
    for (const end = Date.now() + 30_000; !done(); await new Promise(resolve => setTimeout(resolve, 1))) {
      if (Date.now() > end) throw new Error(`watching did not get on:\n${messages}`);
    }
  };
  await wait(() => messages.includes('Watching'));
  await new Promise(resolve => setTimeout(resolve, 600));
  const source = join(folder, '.instr/project.prs');
  const text = readFileSync(source, 'utf8');
  const manifest = join(folder, '.instr/manifest.json');
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit++) {
    const before = statSync(manifest).mtimeMs;
    const start = performance.now();
    writeFileSync(source, text.replace('a long history', `history number ${edit}`));
    // The record of ownership is the last file of a run.
    await wait(() => statSync(manifest).mtimeMs !== before);
    times.push(performance.now() - start - debounce);
    await new Promise(resolve => setTimeout(resolve, 60));
  }
  // Its folder is removed next, in which it may still be at work.
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
  return times;
}
