/** Runs all checks that a change must pass: generated code, types, style, generated texts and tests. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './generate.ts';

const tool = (name: string) => join(root, 'node_modules/.bin', name);

/** Scripts with a `--check` option that verifies the files of the repository. */
const checkScripts = ['docs', 'check-targets', 'golden'];

const steps: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ['generate and build', tool('tsx'), 'scripts/build.ts'],
  ['types', tool('tsc'), '--noEmit'],
  ['style', tool('biome'), 'check', '.'],
  ...checkScripts.map(name => {
    const script = `scripts/${name}.ts`;
    return [`${script} --check`, tool('tsx'), script, '--check'] as const;
  }),
  ['tests', tool('tsx'), 'scripts/test.ts'],
];

const failed: string[] = [];
for (const [title, command, ...args] of steps) {
  console.log(`\n== ${title}`);
  if (spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0) failed.push(title);
}
console.log(failed.length ? `\nfailed: ${failed.join(', ')}` : '\nall checks passed');
process.exitCode = failed.length ? 1 : 0;
