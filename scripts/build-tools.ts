/**
 * Runs the build tool examples of ORGANISATIONS.md with the real tools: `npm run test:build-tools`. The tools are installed
 * from npm into `.cache/build-tools`. Without them, the test prints their names and is skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './generate.ts';

/** The tools available from npm. Bazel is not among them: its npm package downloads Bazel from elsewhere. */
export const buildTools = { turbo: '2.11.11', nx: '24.0.6' } as const;

const folderOf = (name: string, version: string) => join(root, '.cache/build-tools', `${name}@${version}`);

/** The `node_modules` folder of an installed tool; `undefined` if it is not installed. */
export function modulesOf(name: string, version: string): string | undefined {
  const modules = join(folderOf(name, version), 'node_modules');
  return existsSync(join(modules, '.bin', name)) ? modules : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, version] of Object.entries(buildTools)) {
    if (modulesOf(name, version)) continue;
    const cwd = folderOf(name, version);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`];
    if (spawnSync('npm', args, { cwd, stdio: 'inherit' }).status !== 0)
      console.log(`${name} ${version} could not be installed`);
  }
  const test = ['--import', 'tsx', 'scripts/test.ts', 'test/cli/build-tools'];
  process.exit(spawnSync(process.execPath, test, { cwd: root, stdio: 'inherit' }).status ?? 1);
}
