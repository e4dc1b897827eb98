/**
 * Builds editors/vscode/instr.vsix: the bundled client, the grammar, and the program for projects that have not installed
 * it. The packages of the extension are installed on demand. `--built` uses the existing dist/.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { textMateGrammar } from './editors/grammar.ts';
import { root } from './generate.ts';

const folder = join(root, 'editors/vscode');
const dist = join(folder, 'dist');

const run = (...[command, ...args]: [string, ...string[]]) =>
  void execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });

/** Copies the program: entry point, chunks, schemas and manual. */
function addProgram(): void {
  const to = join(dist, 'program');
  for (const name of ['chunks', 'schema', 'manual'])
    cpSync(join(root, 'dist', name), join(to, name), { recursive: true });
  const files = readdirSync(join(root, 'dist')).filter(
    name => statSync(join(root, 'dist', name)).isFile() && name !== 'index.js',
  );
  for (const name of files) cpSync(join(root, 'dist', name), join(to, name));
  // Declares ES modules, because the package of the extension is CommonJS.
  writeFileSync(join(to, 'package.json'), '{ "type": "module" }\n');
}

if (!existsSync(join(folder, 'node_modules')))
  run('npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts');
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
if (!process.argv.includes('--built'))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'ignore' });
await bundle({
  absWorkingDir: folder,
  entryPoints: ['src/client.ts'],
  outfile: join(dist, 'client.js'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minify: true,
  external: ['vscode'],
  logLevel: 'error',
});
writeFileSync(join(dist, 'prs.tmLanguage.json'), `${JSON.stringify(textMateGrammar(root), null, 1)}\n`);
addProgram();
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.');
run('npm', 'test', '--silent');
run('npx', 'vsce', 'package', '--allow-missing-repository', '--no-dependencies', '--out', 'instr.vsix');
const size = readFileSync(join(folder, 'instr.vsix')).length;
console.log(`editors/vscode/instr.vsix: ${Math.round(size / 1024)} kB`);
