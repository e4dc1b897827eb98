/**
 * Runs the extension in a real VS Code without a display: the server edition from npm and the installed browser. The
 * server edition is installed in `.cache/vscode` if missing (700 MB; needs a C++ compiler, Python and the headers of X11,
 * Kerberos and libsecret). `SCREENSHOTS=<folder>` keeps screenshots.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { vscodeFolder, vscodeReady } from '../test/support/editors.ts';
import { root } from './generate.ts';

/** Folder of the Node version that code-server requires. */
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
  // The install scripts of code-server build parts that the tests do not need, and fail if these cannot be built.
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
