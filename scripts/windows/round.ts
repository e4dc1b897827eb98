/** What a user does in a first hour, with the built program on Windows, and what this machine says of its work. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../generate.ts';
import type { Round } from './results.ts';
import { cache, environment, nodeCommand, runNode } from './wine.ts';

const program = join(root, 'dist/prs.cjs');

const sources = {
  'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude, codex, cursor]\n',
  '.instr/project.prs':
    '@meta { id: "sample" syntax: "1.5.0" }\n@identity { "You maintain the sample." }\n@standards { code: ["Small functions"] }\n',
  '.instr/skills/run/SKILL.md': '---\nname: run\ndescription: Runs it.\n---\n\nRun `scripts/run.sh`.\n',
  '.instr/skills/run/scripts/run.sh': '#!/bin/sh\necho 1\n',
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prs-windows-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function project(): string {
  const folder = newFolder();
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Every file with its bytes, without what each machine keeps for itself. */
function contents(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => !path.startsWith('.instr/.state') && statSync(join(folder, path)).isFile())
    .sort();
  return new Map(files.map(path => [path, readFileSync(join(folder, path), 'latin1')]));
}

/** Paths of files that are not the same in both. */
const differing = (a: Map<string, string>, b: Map<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter(path => a.get(path) !== b.get(path));

async function until(condition: () => boolean): Promise<boolean> {
  for (let left = 600; left > 0 && !condition(); left--)
    await new Promise(resolve => setTimeout(resolve, 100));
  return condition();
}

/** The program on this machine. */
const here = (cwd: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, text: `${stdout}${stderr}` };
};

interface Checks {
  check(what: string, holds: boolean, text?: string): void;
  /** Runs the program on Windows and holds its exit code against what is expected; gives what it printed. */
  says(what: string, cwd: string, args: readonly string[], status?: number): Promise<string>;
}

function checksOf(round: Round): Checks {
  let last = performance.now();
  const check: Checks['check'] = (what, holds, text = '') => {
    const [start, now] = [last, performance.now()];
    last = now;
    round.add(what, { passed: holds ? 1 : 0, failed: holds ? 0 : 1, skipped: 0 }, text, now - start);
  };
  return {
    check,
    async says(what, cwd, args, status = 0) {
      const found = await runNode(cwd, program, args);
      check(what, found.status === status && !found.text.includes('hit a bug'), found.text);
      return found.text;
    },
  };
}

/** Compiling, explaining, taking over, taking back and watching. */
async function firstHour({ check, says }: Checks): Promise<void> {
  const folder = project();
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  await says('compile', folder, ['compile']);
  check('files have the ends of lines of Unix', !read('CLAUDE.md').includes('\r'));
  check('the manifest has paths with slashes', !read('.instr/manifest.json').includes('\\\\'));
  await says('compile --check', folder, ['compile', '--check']);
  const explained = await says('explain', folder, ['explain', 'CLAUDE.md:1']);
  check('explain names the file with slashes', !explained.includes('.instr\\'), explained);
  writeFileSync(join(folder, 'CLAUDE.md'), 'Mine.\n');
  await says('an edited file is kept', folder, ['compile'], 1);
  check('it is still there', read('CLAUDE.md') === 'Mine.\n');
  await says('taking over', folder, ['compile', '--force']);
  await says('undo', folder, ['undo']);
  check('undo gives the text back', read('CLAUDE.md') === 'Mine.\n');
  await says('taking over again', folder, ['compile', '--force']);
  await watching(folder, read, { check });
}

async function watching(folder: string, read: (path: string) => string, { check }: Pick<Checks, 'check'>) {
  const log = join(cache, 'watch.txt');
  const output = openSync(log, 'w');
  const watch = spawn('wine', nodeCommand(program, ['compile', '--watch']), {
    cwd: folder,
    env: environment,
    stdio: ['ignore', output, output],
  });
  try {
    await until(() => readFileSync(log, 'utf8') !== '');
    await new Promise(resolve => setTimeout(resolve, 2000));
    const path = join(folder, '.instr/project.prs');
    writeFileSync(path, read('.instr/project.prs').replace('Small', 'Tiny'));
    check(
      'watching follows an edit',
      await until(() => read('CLAUDE.md').includes('Tiny')),
      readFileSync(log, 'utf8'),
    );
  } finally {
    watch.kill('SIGKILL');
    closeSync(output);
  }
}

/** A project that goes to and fro between Windows and this machine is up to date on both. */
async function bothMachines({ check, says }: Checks): Promise<void> {
  const folder = project();
  const script = '.instr/skills/run/scripts/run.sh';
  const output = '.claude/skills/run/scripts/run.sh';
  await says('compile of a program without its bit', folder, ['compile']);
  const plain = here(folder, 'compile', '--check');
  check('this machine agrees', plain.status === 0, plain.text);
  chmodSync(join(folder, script), 0o755);
  const hinted = here(folder, 'compile', '--check');
  check('a bit that Windows could not write is no drift here', hinted.status === 0, hinted.text);
  check(
    'a hint says how Git is told of it',
    hinted.text.includes(`git update-index --chmod=+x ${output}`),
    hinted.text,
  );
  const again = here(folder, 'compile');
  check('compiling here sets the bit', again.status === 0 && isProgram(join(folder, output)), again.text);
  const written = contents(folder);
  await says('Windows finds what this machine wrote up to date', folder, ['compile', '--check']);
  await says('and compiles it without a change', folder, ['compile']);
  check('the bit is still there', isProgram(join(folder, output)));
  const different = differing(written, contents(folder));
  check('and so is every byte, those of the manifest too', different.length === 0, different.join('\n'));
  const later = here(folder, 'compile', '--check');
  check(
    'this machine agrees after that',
    later.status === 0 && later.text.includes('Up to date'),
    later.text,
  );
}

const isProgram = (path: string) => (statSync(path).mode & 0o111) !== 0;

/** What Git for Windows makes of a checkout, and several runs that are started together. */
async function checkouts({ check, says }: Checks): Promise<void> {
  const folder = project();
  here(folder, 'compile');
  const written = contents(folder);
  for (const [path, text] of written)
    writeFileSync(join(folder, path), text.replaceAll('\n', '\r\n'), 'latin1');
  await says('a checkout with other ends of lines is up to date', folder, ['compile', '--check']);
  const entry = join(folder, '.instr/project.prs');
  writeFileSync(entry, readFileSync(entry, 'utf8').replace('Small', 'Tiny'));
  const runs = await Promise.all([1, 2, 3].map(() => runNode(folder, program, ['compile'])));
  const texts = runs.map(({ text }) => text).join('');
  check(
    'three runs at once',
    runs.every(({ status }) => status === 0),
    texts,
  );
  const later = here(folder, 'compile', '--check');
  check('leave what this machine would write', later.status === 0, later.text);
}

/** A project with everything in it, for every tool. */
async function sameBytes({ check, says }: Checks): Promise<void> {
  const [there, local] = [newFolder(), newFolder()];
  for (const folder of [there, local])
    cpSync(join(root, 'test/projects/kitchen-sink'), folder, { recursive: true });
  await says('compile of a large project', there, ['compile']);
  const mine = here(local, 'compile');
  check('the same here', mine.status === 0, mine.text);
  const [a, b] = [contents(there), contents(local)].map(files => {
    // Whether a file is a program is not known on Windows.
    const manifest = files.get('.instr/manifest.json')!.replaceAll(',"executable":true', '');
    return files.set('.instr/manifest.json', manifest);
  });
  const different = differing(a!, b!);
  check(`the same bytes in ${a!.size} files`, different.length === 0 && a!.size > 20, different.join('\n'));
}

/** Another program of Windows that has a file open, for so many milliseconds. */
async function holding(path: string, milliseconds: number): Promise<{ done: Promise<unknown> }> {
  const script = join(cache, 'hold.cjs');
  const sign = join(cache, 'holds.txt');
  rmSync(sign, { force: true });
  writeFileSync(
    script,
    `const fs = require('node:fs');
const file = fs.openSync(process.argv[2], 'r');
fs.writeFileSync(process.argv[3], '');
setTimeout(() => fs.closeSync(file), ${milliseconds});\n`,
  );
  const wanted = [path, sign].map(one => `Z:${one.replaceAll('/', '\\')}`);
  const done = runNode(cache, script, wanted);
  await until(() => statSync(sign, { throwIfNoEntry: false }) !== undefined);
  return { done };
}

/** Windows lets nobody replace a file that somebody has open. */
async function openFiles({ check, says }: Checks): Promise<void> {
  const folder = project();
  here(folder, 'compile');
  const path = join(folder, '.instr/project.prs');
  const edit = (to: string) => writeFileSync(path, sources['.instr/project.prs'].replace('Small', to));
  edit('Short');
  const before = contents(folder);
  const forLong = await holding(join(folder, 'CLAUDE.md'), 20_000);
  const text = await says('a file that another program has open', folder, ['compile'], 1);
  check(
    'the message says so',
    /CLAUDE\.md cannot be changed: another program has it open/.test(text) && !/Z:/.test(text),
    text,
  );
  const after = contents(folder);
  check(
    'nothing was changed',
    [...before].every(([path, bytes]) => after.get(path) === bytes) && before.size === after.size,
  );
  await forLong.done;
  await says('when it is closed', folder, ['compile']);
  check('its text is new', readFileSync(join(folder, 'CLAUDE.md'), 'utf8').includes('Short'));
}

export async function runRound(round: Round): Promise<void> {
  const checks = checksOf(round);
  for (const part of [firstHour, bothMachines, checkouts, sameBytes, openFiles]) {
    if (round.isOver()) round.leaveOut(part.name, 'the time of the round was up');
    else await part(checks);
  }
}
