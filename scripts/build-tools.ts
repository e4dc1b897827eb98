/**
 * Runs the examples of ORGANISATIONS.md for build tools with these tools, `npm run test:build-tools`: they come from npm
 * into `.cache/build-tools`. Without them the test names them and is left out.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './generate.ts';

/** The tools that npm offers; what it has of Bazel fetches Bazel itself from elsewhere. */
export const buildTools = { turbo: '2.11.11', nx: '24.0.6' } as const;

const folderOf = (name: string, version: string) => join(root, '.cache/build-tools', `${name}@${version}`);

/** The `node_modules` that a tool is installed in; `undefined` where it is not. */
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
