/** What a user does in a first hour, with the built program on Windows: compile, check, undo, take over, watch. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../generate.ts';
import { cache, environment, nodeCommand, runNode } from './wine.ts';

const program = join(root, 'dist/prs.cjs');

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

/** Whether something holds; `text` says more where it does not. */
export type Check = (what: string, holds: boolean, text?: string) => void;

export async function runRound(check: Check): Promise<void> {
  const folder = project();
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const says = (what: string, args: readonly string[], status: number) => {
    const found = runNode(folder, program, args);
    check(what, found.status === status && !found.text.includes('hit a bug'), found.text);
    return found.text;
  };
  says('compile', ['compile'], 0);
  check('files have the ends of lines of Unix', !read('CLAUDE.md').includes('\r'));
  check('the manifest has paths with slashes', !read('.instr/manifest.json').includes('\\\\'));
  says('compile --check', ['compile', '--check'], 0);
  const here = spawnSync(process.execPath, [program, 'compile', '--check'], {
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
  const watch = spawn('wine', nodeCommand(program, ['compile', '--watch']), {
    cwd: folder,
    env: environment,
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
    spawnSync('wineserver', ['-k'], { env: environment });
    closeSync(output);
  }
}
