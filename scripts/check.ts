/** Everything a change has to pass, in one command: generated code, types, style, texts kept in step, tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './generate.ts';

const tool = (name: string) => join(root, 'node_modules/.bin', name);

/** Scripts that can say whether what they write is still up to date. */
const keptInStep = ['docs', 'check-targets', 'golden'];

const steps: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ['generate and build', tool('tsx'), 'scripts/build.ts'],
  ['types', tool('tsc'), '--noEmit'],
  ['style', tool('biome'), 'check', '.'],
  ...keptInStep
    .map(name => `scripts/${name}.ts`)
    .filter(script => existsSync(join(root, script)))
    .map(script => [`${script} --check`, tool('tsx'), script, '--check'] as const),
  ['tests', tool('tsx'), 'scripts/test.ts'],
];

const failed: string[] = [];
for (const [title, command, ...args] of steps) {
  console.log(`\n== ${title}`);
  if (spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0) failed.push(title);
}
console.log(failed.length ? `\nfailed: ${failed.join(', ')}` : '\nall checks passed');
process.exitCode = failed.length ? 1 : 0;
