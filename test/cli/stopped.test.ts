/**
 * Interrupts a run while Git waits for a server. Git and its helper processes must end too, and no files may be left.
 * Also interrupts a search of a large tree with a slow pattern.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gitOverHttp, serve } from '../registry/support/web.ts';
import { runs } from '../support/depth.ts';
import { minimal, project, prs, read, startPrs, tree, until, write } from './prs.ts';
import { hasTerminal, openScreen } from './screen.ts';

const tests = suite('stopped');

const repository = project({ 'base.prs': '@meta { id: "base" syntax: "1.5.0" }\n' });
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' });
git('init', '-q', '-b', 'main');
git('add', '-A');
git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'first');

/** Serves the repository for the first `answered` Git commands and never answers the next one. */
async function stallingServer(answered: number) {
  let commands = 0;
  let ended: Promise<unknown> | undefined;
  const serving = gitOverHttp(dirname(repository), () => true);
  const listener: RequestListener = (request, response) => {
    // Every command starts by requesting the refs.
    if (request.url!.includes('/info/refs')) commands += 1;
    if (commands > answered) ended = once(request.socket, 'close');
    else serving(request, response);
  };
  const web = await serve(listener);
  return { ...web, url: `${web.origin}/${basename(repository)}/.git`, waiting: () => ended };
}

const stages = [
  ['asks for the refs', 0],
  ['fetches a commit', 1],
] as const;

for (const [stage, answered] of stages) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    tests(`${signal} to the program only, while Git ${stage}`, async () => {
      const server = await stallingServer(answered);
      const folder = project({
        ...minimal,
        'instr.yaml': `${minimal['instr.yaml']}registry: { git: { url: ${JSON.stringify(server.url)} } }\n`,
        '.instr/project.prs': '@meta { id: "x" syntax: "1.5.0" }\n@use @org/base\n',
      });
      const cache = project({});
      const before = tree(folder);
      const { child, ended, output } = startPrs(folder, ['compile'], { INSTR_CACHE_DIR: cache });
      try {
        await until(() => server.waiting() !== undefined, `Git sends a request: ${output.stderr}`);
        child.kill(signal);
        assert.equal(await ended, { code: null, signal });
      } finally {
        await server.close();
      }
      assert.equal(output, { stdout: '', stderr: '' });
      assert.equal(tree(folder), before);
      const left = tree(cache).filter(path => basename(path) !== 'refs');
      assert.equal(left, []);
      assert.equal(readdirSync(join(cache, 'git')).filter(name => name.startsWith('work-')), []);
    });
  }
}

/** A pattern for which a backtracking matcher would take years. */
const slow = `${'**/*a*'.repeat(12)}/*b.prs`;

/** Patterns with more wildcards and groups than allowed. */
const refused = [
  `**/${'+('.repeat(18)}a*|?*/${')'.repeat(18)}b.prs`,
  `**/${'*!('.repeat(18)}*b${')'.repeat(18)}.prs`,
  `${'+('.repeat(20)}?|/${')'.repeat(20)}b.prs`,
];

/** Long nested paths with many files per folder. Matching all of them takes minutes. */
const deepTree = (): Record<string, string> => {
  const files: Record<string, string> = {};
  let folder = 'deep';
  for (let level = 0; level < 30; level++) {
    folder += `/${'a'.repeat(30)}`;
    for (let file = 0; file < 20; file++) files[`${folder}/${'a'.repeat(20)}${file}.prs`] = '';
  }
  return files;
};

const searching = (include: readonly string[]) => ({
  ...minimal,
  'instr.yaml': `${minimal['instr.yaml']}input: { include: ${JSON.stringify(include)} }\n`,
  ...deepTree(),
});

/** Waits until a process has finished starting: by its CPU time on Linux, by elapsed time elsewhere. */
async function isAtWork(pid: number): Promise<void> {
  const counted = `/proc/${pid}/schedstat`;
  if (!existsSync(counted)) return new Promise(resolve => setTimeout(resolve, 1500));
  const worked = () => existsSync(counted) && Number(readFileSync(counted, 'utf8').split(' ')[0]) / 1e6;
  await until(() => !(Number(worked()) < 800), 'the program has finished starting', 60_000);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  tests(`${signal} during a search with a slow pattern`, async () => {
    // Many variants of the pattern, so that a fast machine does not finish before the signal.
    const folder = project(searching(Array.from({ length: 400 }, (_, at) => `${slow.slice(0, -4)}${at}*`)));
    const before = tree(folder);
    const { child, ended, output } = startPrs(folder, ['compile']);
    await isAtWork(child.pid!);
    assert.is(child.exitCode, null, `the run ended too early: ${output.stderr}`);
    const since = performance.now();
    child.kill(signal);
    assert.equal(await ended, { code: null, signal });
    assert.ok(performance.now() - since < 2_000, `the run took ${performance.now() - since} ms to end`);
    assert.equal(output, { stdout: '', stderr: '' });
    assert.equal(tree(folder), before);
  });
}

tests('a search with one slow pattern finishes', () => {
  const files = { ...minimal, 'a/b.prs': '@standards { code: ["Found"] }\n', [`${'a'.repeat(200)}/c.prs`]: '' };
  const folder = project({ ...files, 'instr.yaml': `${minimal['instr.yaml']}input: { include: ${JSON.stringify([slow])} }\n` });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
});

for (const pattern of refused)
  tests(`a pattern with too many wildcards is reported at its location: ${pattern.slice(0, 12)}…`, () => {
    const { status, stderr } = prs(project(searching([pattern])), ['compile']);
    assert.is(status, 2, stderr);
    assert.match(stderr, /^instr\.yaml:\d+:\d+: error PRS3028: /);
  });

(hasTerminal ? tests : tests.skip)('Ctrl-C in a terminal during a search with a slow pattern', async () => {
  const folder = project(searching(Array.from({ length: 400 }, (_, at) => `${slow.slice(0, -4)}${at}*`)));
  const before = tree(folder);
  const screen = await openScreen(folder);
  screen.type('prs compile', 'Enter');
  await screen.shows(/Reading the sources/);
  screen.type('C-c');
  await screen.shows(/^\[130\]$/m);
  assert.equal(tree(folder), before);
  screen.close();
});

/** A project with a slow compile that is mostly synchronous work. */
const large = (): Record<string, string> => {
  const files: Record<string, string> = { 'instr.yaml': 'id: x\nsyntax: "1.5.0"\ntargets: [claude, cursor, codex, github]\n' };
  files['.instr/project.prs'] = `@meta { id: "x" syntax: "1.5.0" }\n@standards { code: ["Small"] }\n`;
  for (let at = 0; at < 400; at++)
    files[`.instr/skills/s${at}/SKILL.md`] = `---\nname: s${at}\ndescription: Skill ${at}\n---\n\n${'Words that fill a file.\n'.repeat(20)}`;
  return files;
};

/** Sends signals at random moments of a run that reads and writes much. */
tests('a signal at any moment ends the run at once, and the next run completes the files', async () => {
  const reference = project(large());
  const start = performance.now();
  assert.is(prs(reference, ['compile']).status, 0);
  const duration = performance.now() - start;
  const folder = project(large());
  let stopped = 0;
  for (let round = 0; round < runs(12); round++) {
    const signal = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const)[round % 3]!;
    // Changes the source, so that every round has files to write.
    write(folder, '.instr/project.prs', `@meta { id: "x" syntax: "1.5.0" }\n@standards { code: ["Round ${round}"] }\n`);
    const { child, ended, output } = startPrs(folder, ['compile']);
    await new Promise(resolve => setTimeout(resolve, Math.random() * duration));
    const since = performance.now();
    child.kill(signal);
    const end = await ended;
    if (end.signal === null) assert.is(end.code, 0, output.stderr);
    else {
      stopped += 1;
      assert.is(end.signal, signal);
      // The program needs 200 ms. The limit allows for a busy machine.
      assert.ok(performance.now() - since < 1000, `the run took ${performance.now() - since} ms to end`);
    }
  }
  assert.ok(stopped > 0, 'every run ended before its signal');
  write(folder, '.instr/project.prs', large()['.instr/project.prs']!);
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  const generated = (root: string) => tree(root).filter(path => !path.startsWith('.instr/'));
  assert.equal(generated(folder), generated(reference));
  for (const path of generated(reference)) assert.is(read(folder, path), read(reference, path), path);
  assert.is(prs(folder, ['compile', '--check']).status, 0);
});

tests.run();
