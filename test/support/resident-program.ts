/**
 * The program, staying: it runs one command line after the other as they are sent, each in its own directory and
 * environment, and answers with the exit code and what was written. Only the start of a process is left out.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dispatch } from '../../src/cli/dispatch.ts';
import type { Answer, Request } from './resident.ts';

const written = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: string | Uint8Array): boolean => {
    written[name] += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
}
// The program hands texts to the descriptors themselves where it can.
const { writeSync } = fs;
fs.writeSync = ((descriptor: number, text: Uint8Array, from: number): number => {
  const name = ({ 1: 'stdout', 2: 'stderr' } as const)[descriptor];
  if (!name) return writeSync(descriptor, text, from);
  const rest = text.subarray(from);
  written[name] += new TextDecoder().decode(rest);
  return rest.length;
}) as typeof fs.writeSync;
syncBuiltinESMExports();

async function answer({ cwd, args, environment }: Request): Promise<Answer> {
  Object.assign(written, { stdout: '', stderr: '' });
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(cwd);
  const status = await dispatch(args).catch((error: Error) => {
    written.stderr += error.stack;
    return 70;
  });
  return { status, ...written };
}

let last = Promise.resolve();
process.on('message', (request: Request) => {
  last = last.then(async () => void process.send!(await answer(request)));
});
