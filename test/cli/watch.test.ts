/** `compile --watch` with a real file watcher. No test depends on its speed. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, read, startPrs, until, write } from './prs.ts';

const entry = (...lines: string[]) => ['@meta { id: "x" syntax: "1.5.0" }', ...lines, ''].join('\n');

function contains(folder: string, path: string, text: string): boolean {
  try {
    return read(folder, path).includes(text);
  } catch {
    return false;
  }
}

/** Running programs. A failed test must not leave one behind. */
const running = new Set<ReturnType<typeof startPrs>['child']>();

async function start(folder: string, option = '--watch', environment: NodeJS.ProcessEnv = {}) {
  const run = startPrs(folder, ['compile', option], environment);
  running.add(run.child);
  await until(() => run.output.stderr.includes('Watching'), `it is watching: ${run.output.stderr}`);
  return {
    ...run,
    stop: async () => {
      run.child.kill('SIGINT');
      assert.equal(await run.ended, { code: null, signal: 'SIGINT' });
    },
  };
}

/** Returns the memory of a process if the system reports it, otherwise 0. */
function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;

const tests = suite('watch');

tests.after.each(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

tests('handles two hundred edits, written in the ways of different editors', async () => {
  const config = `${minimal['instr.yaml']}watch: { debounce: 10 }\n`;
  const folder = project({ ...minimal, 'instr.yaml': config, '.instr/part.prs': entry('@context { edit: "none" }'), '.instr/project.prs': entry('@use ./part') });
  // The space for new objects grows to its limit in any program. A small limit makes retained memory visible.
  const { child, stop, output } = await start(folder, '--watch', { NODE_OPTIONS: '--max-semi-space-size=1' });
  const part = join(folder, '.instr/part.prs');
  const memory: number[] = [];
  for (let edit = 1; edit <= 200; edit++) {
    const text = entry(`@context { edit: "number ${edit}." }`);
    if (edit % 3 === 0) {
      writeFileSync(`${part}.tmp`, text);
      renameSync(`${part}.tmp`, part);
    } else if (edit % 3 === 1) {
      rmSync(part);
      writeFileSync(part, text);
    } else writeFileSync(part, text);
    await until(() => contains(folder, 'CLAUDE.md', `number ${edit}.`), `edit ${edit} is written\n${output.stderr.slice(-2000)}`);
    if (edit >= 50 && edit % 10 === 0) memory.push(residentMegabytes(child.pid!));
  }
  await stop();
  const [first, last] = [median(memory.slice(0, 5)), median(memory.slice(-5))];
  console.log(`  ${first.toFixed(0)} MB after 50 to 90 edits, ${last.toFixed(0)} MB after 160 to 200`);
  assert.ok(last < first * 1.25 + 10, `the memory grows: ${memory.map(Math.round)}`);
});

tests('compiles every edit, even one that follows while the last one is still being reported', async () => {
  const folder = project({ ...minimal, 'instr.yaml': `${minimal['instr.yaml']}watch: { debounce: 5 }\n` });
  const { stop } = await start(folder);
  for (let edit = 1; edit <= 40; edit++) {
    write(folder, '.instr/project.prs', entry(`@context { a: "hasty ${edit}." }`));
    await until(() => contains(folder, 'CLAUDE.md', `hasty ${edit}.`), `edit ${edit} is written`);
  }
  await stop();
});

tests('continues after errors and notices their correction', async () => {
  const folder = project(minimal);
  const { stop, output } = await start(folder);
  write(folder, '.instr/project.prs', entry('@context { broken'));
  await until(() => output.stderr.includes('PRS1'), 'the error is shown');
  write(folder, '.instr/project.prs', entry('@context { a: "mended" }'));
  await until(() => contains(folder, 'CLAUDE.md', 'mended'), 'the correction is written');
  write(folder, 'instr.yaml', 'id: [');
  await until(() => /PRS3|PRS30/.test(output.stderr), 'the error of the configuration is shown');
  write(folder, 'instr.yaml', 'id: sample\nsyntax: "1.5.0"\ntargets: [github]\n');
  await until(() => contains(folder, '.github/copilot-instructions.md', 'mended'), 'the new target is written');
  await stop();
});

tests('watches a file that was missing, and files that are added and removed', async () => {
  const folder = project({ ...minimal, '.instr/project.prs': entry('@use ./later/part') });
  const { stop, output } = await start(folder);
  assert.match(output.stderr, /later\/part/);
  write(folder, '.instr/later/part.prs', entry('@context { a: "came" }'));
  await until(() => contains(folder, 'CLAUDE.md', 'came'), 'the new file is read');
  write(folder, '.instr/later/part.prs', entry('@use ../other/deep/part'));
  write(folder, '.instr/other/deep/part.prs', entry('@context { a: "deeper" }'));
  await until(() => contains(folder, 'CLAUDE.md', 'deeper'), 'the next file is read');
  write(folder, '.instr/other/deep/part.prs', entry('@context { a: "deepest" }'));
  await until(() => contains(folder, 'CLAUDE.md', 'deepest'), 'the next file is watched');
  await stop();
});

tests('finds skills that are added to a searched folder', async () => {
  const folder = project({ ...minimal, '.instr/skills/one/SKILL.md': '---\nname: one\ndescription: First.\n---\nOne.\n' });
  const { stop } = await start(folder);
  write(folder, '.instr/skills/two/SKILL.md', '---\nname: two\ndescription: Second.\n---\nTwo.\n');
  await until(() => contains(folder, '.claude/skills/two/SKILL.md', 'Two.'), 'the second skill is written');
  await stop();
});

tests('compiles a burst of changes once, with the last state', async () => {
  const folder = project({ ...minimal, 'instr.yaml': `${minimal['instr.yaml']}watch: { debounce: 300 }\n` });
  const { stop, output } = await start(folder);
  const compiles = () => output.stdout.split('\n').filter(line => /^\d\d:\d\d:\d\d /.test(line)).length;
  const before = compiles();
  for (let edit = 1; edit <= 60; edit++) {
    write(folder, '.instr/project.prs', entry(`@context { a: "burst ${edit}." }`));
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  await until(() => contains(folder, 'CLAUDE.md', 'burst 60.'), 'the last state is written');
  assert.ok(compiles() - before <= 3, `${compiles() - before} compiles`);
  await stop();
});

tests('excluded files do not start a compile, included ones do, and changed settings apply at once', async () => {
  const folder = project({
    ...minimal,
    'instr.yaml': `${minimal['instr.yaml']}watch: { include: ["notes/**"], exclude: ["**/ignored.prs"] }\n`,
    '.instr/project.prs': entry('@use ./ignored'),
    '.instr/ignored.prs': entry('@context { a: "first" }'),
    'notes/a.txt': 'a',
  });
  const { stop } = await start(folder);
  // Soon after the start, watch mode compiles once more in any case.
  await new Promise(resolve => setTimeout(resolve, 1000));
  write(folder, '.instr/ignored.prs', entry('@context { a: "second" }'));
  await new Promise(resolve => setTimeout(resolve, 1000));
  assert.ok(contains(folder, 'CLAUDE.md', 'first'), 'an excluded file must not start a compile');
  write(folder, 'notes/a.txt', 'b');
  await until(() => contains(folder, 'CLAUDE.md', 'second'), 'an included file starts a compile');
  write(folder, 'instr.yaml', minimal['instr.yaml']!);
  await new Promise(resolve => setTimeout(resolve, 500));
  write(folder, '.instr/ignored.prs', entry('@context { a: "third" }'));
  await until(() => contains(folder, 'CLAUDE.md', 'third'), 'nothing is excluded any more');
  await stop();
});

tests('watches everything it has read: extended configuration, resources, targets of the project', async () => {
  const spec = readFileSync(new URL('../../targets/claude.yaml', import.meta.url), 'utf8');
  const own = spec.replace(/^label: .*\n/m, '').replaceAll('CLAUDE.md', 'OWN.md');
  const folder = project({
    ...minimal,
    'instr.yaml': 'extends: ./base.yaml\nid: sample\nsyntax: "1.5.0"\n',
    'base.yaml': 'id: base\nsyntax: "1.5.0"\ntargets: [claude]\n',
    '.instr/targets/own.yaml': own,
    '.instr/skills/one/SKILL.md': '---\nname: one\ndescription: First.\n---\nOne.\n',
    '.instr/skills/one/data/list.txt': 'old\n',
  });
  const { stop, output } = await start(folder);
  write(folder, '.instr/skills/one/data/list.txt', 'new\n');
  await until(() => contains(folder, '.claude/skills/one/data/list.txt', 'new'), 'the resource is copied');
  rmSync(join(folder, '.instr/skills/one/data/list.txt'));
  await until(() => !existsSync(join(folder, '.claude/skills/one/data')), 'a deleted resource is removed with its folder');
  write(folder, 'base.yaml', 'id: base\nsyntax: "1.5.0"\ntargets: [claude, own]\n');
  await until(() => existsSync(join(folder, 'OWN.md')), `the extended configuration applies\n${output.stderr}`);
  write(folder, '.instr/targets/own.yaml', own.replaceAll('OWN.md', 'OTHER.md'));
  await until(() => existsSync(join(folder, 'OTHER.md')) && !existsSync(join(folder, 'OWN.md')), 'the changed spec applies');
  rmSync(join(folder, '.instr/project.prs'));
  await until(() => output.stderr.includes('error PRS'), 'a deleted entry is an error');
  write(folder, '.instr/project.prs', entry('@context { a: "back" }'));
  await until(() => contains(folder, 'CLAUDE.md', 'back'), 'the restored entry is compiled');
  await stop();
});

tests('its own writes do not start a compile', async () => {
  const folder = project(minimal);
  const { stop, output } = await start(folder);
  write(folder, '.instr/project.prs', entry('@context { a: "changed" }'));
  // The file exists before the compile that wrote it has reported.
  await until(() => /\d+ changed/.test(output.stdout), 'the change is reported');
  const summaries = () => output.stdout.split('\n').length;
  const before = summaries();
  await new Promise(resolve => setTimeout(resolve, 1500));
  assert.is(summaries(), before);
  await stop();
});

tests('--absorb moves edits of generated files into the sources, and refuses those it cannot move', async () => {
  const text = entry('@identity {', '  """', '  You answer briefly.', '  """', '}', '@context {', '  """', '  It is a shop.', '  """', '}');
  const config = 'id: x\nsyntax: "1.5.0"\nincludeInstrSkill: false\ntargets: [claude, gemini]\n';
  const folder = project({ ...minimal, 'instr.yaml': config, '.instr/project.prs': text });
  const { stop, output } = await start(folder, '--absorb');
  write(folder, 'CLAUDE.md', read(folder, 'CLAUDE.md').replace('briefly', 'at length'));
  await until(() => contains(folder, '.instr/project.prs', 'at length'), `the edit is in the source: ${output.stdout}${output.stderr}`);
  await until(() => contains(folder, 'GEMINI.md', 'at length'), 'the edit is in the file of the other tool');
  await until(() => output.stdout.includes('moved into 1 source'), 'the move is reported');
  write(folder, 'GEMINI.md', read(folder, 'GEMINI.md').replace('# Project', 'Project'));
  await until(() => output.stderr.includes('PRS8029'), 'the edit of template text is refused');
  assert.match(read(folder, 'GEMINI.md'), /^Project/);
  assert.is(read(folder, '.instr/project.prs'), text.replace('briefly', 'at length'));
  await stop();
});

tests.run();
