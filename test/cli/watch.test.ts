/** `compile --watch` against a real watcher; nothing here depends on how fast it is. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
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

async function start(folder: string) {
  const run = startPrs(folder, ['compile', '--watch']);
  await until(() => run.output.stderr.includes('Watching'), `it watches: ${run.output.stderr}`);
  return {
    ...run,
    stop: async () => {
      run.child.kill('SIGINT');
      assert.equal(await run.ended, { code: 130, signal: null });
    },
  };
}

const tests = suite('watch');

tests('two hundred edits, in the ways editors write', async () => {
  const folder = project({ ...minimal, '.instr/part.prs': entry('@context { edit: "none" }'), '.instr/project.prs': entry('@use ./part') });
  const { stop, output } = await start(folder);
  const part = join(folder, '.instr/part.prs');
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
  }
  await stop();
});

tests('errors do not end it, and their correction is seen', async () => {
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

tests('a file that was missing, and files that come and go, are followed', async () => {
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

tests('skills that appear in a searched folder are found', async () => {
  const folder = project({ ...minimal, '.instr/skills/one/SKILL.md': '---\nname: one\ndescription: First.\n---\nOne.\n' });
  const { stop } = await start(folder);
  write(folder, '.instr/skills/two/SKILL.md', '---\nname: two\ndescription: Second.\n---\nTwo.\n');
  await until(() => contains(folder, '.claude/skills/two/SKILL.md', 'Two.'), 'the second skill is written');
  await stop();
});

tests('its own writes start nothing', async () => {
  const folder = project(minimal);
  const { stop, output } = await start(folder);
  write(folder, '.instr/project.prs', entry('@context { a: "changed" }'));
  await until(() => contains(folder, 'CLAUDE.md', 'changed'), 'the change is written');
  const summaries = () => output.stdout.split('\n').length;
  const before = summaries();
  await new Promise(resolve => setTimeout(resolve, 1500));
  assert.is(summaries(), before);
  await stop();
});

tests.run();
