/** Measures the time from an edit to the last output, minus the debounce: work that is done during the debounce is free. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredEnvironment } from './measure.ts';

const debounce = 10;

/** Milliseconds from each edit until all outputs are written, minus the debounce. */
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
      if (Date.now() > end) throw new Error(`watch mode timed out:\n${messages}`);
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
    // The manifest is the last file that a run writes.
    await wait(() => statSync(manifest).mtimeMs !== before);
    times.push(performance.now() - start - debounce);
    await new Promise(resolve => setTimeout(resolve, 60));
  }
  // Waits for the exit, because the folder is removed next.
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
  return times;
}
