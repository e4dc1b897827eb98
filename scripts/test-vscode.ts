/**
 * Runs the extension in a real VS Code without a screen: the server edition from npm, in `.cache/vscode` (700 MB, installed
 * when it is missing; needs a C++ compiler, Python and the headers of X11, Kerberos and libsecret), and the browser of
 * the machine. `SCREENSHOTS=<folder>` keeps pictures.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { vscodeFolder, vscodeReady } from '../test/support/editors.ts';
import { root } from './generate.ts';

/** The Node that it wants. */
const node = join(vscodeFolder, 'node_modules/node/bin');
const editor = join(vscodeFolder, 'node_modules/code-server/lib/vscode');
const quiet = ['--no-audit', '--no-fund'];

function run(cwd: string, command: string, args: readonly string[]): void {
  const env = { ...process.env, PATH: `${node}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')} failed in ${cwd}`);
  process.exit(1);
}

function install(): void {
  mkdirSync(vscodeFolder, { recursive: true });
  writeFileSync(join(vscodeFolder, 'package.json'), '{ "private": true }\n');
  run(vscodeFolder, 'npm', ['install', 'node@24', ...quiet]);
  run(join(vscodeFolder, 'node_modules/node'), 'node', ['installArchSpecificPackage.js']);
  // Its own way of installing builds what a test does not need, and fails where that cannot be built.
  run(vscodeFolder, 'npm', ['install', 'code-server', '--ignore-scripts', ...quiet]);
  for (const folder of [editor, join(editor, 'extensions')])
    run(folder, 'npm', ['install', '--omit=dev', '--ignore-scripts', ...quiet]);
  run(editor, 'npm', ['rebuild', 'node-pty', '@vscode/spdlog', '@parcel/watcher', '@vscode/native-watchdog']);
  run(vscodeFolder, 'npm', ['rebuild', 'argon2']);
  writeFileSync(vscodeReady, '');
}

if (!existsSync(vscodeReady)) install();
run(root, 'npm', ['run', '--silent', 'package:vscode']);
run(root, 'npx', ['tsx', 'scripts/test.ts', 'test/editors']);
