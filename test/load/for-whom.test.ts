/**
 * With the layout `once`, each tool loads every text that is meant for it exactly once, or a diagnostic says why not.
 */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mostUsed } from '../../scripts/docs/tools.ts';
import { textFiles, virtualContext } from '../../src/project/session/given.ts';
import type { CompileContext } from '../../src/project/session/world.ts';
import { listOverlaps } from '../../src/project/view/overlap.ts';
import { viewProject } from '../../src/project/view/view.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('for whom');

const worldOf = (files: Readonly<Record<string, string>>, found: Diagnostic[] = []): CompileContext =>
  virtualContext(
    '/shop',
    textFiles(files),
    finding => void found.push(finding),
  );

const head = (targets: readonly string[]) =>
  `id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\noutput: { layout: once }\ntargets: [${targets.join(', ')}]\n`;

/** A project with a unique word in every text. `undefined` means for all tools. */
function projectOf(targets: readonly string[], documents: (string[] | undefined)[], rules: (string[] | undefined)[]) {
  const files: Record<string, string> = { 'instr.yaml': head(targets) };
  const words = new Map<string, { path: string; meant: readonly string[] }>();
  const uses = documents.map((meant, at) => {
    words.set(`zqdocument${at}`, { path: `documents.d${at}`, meant: meant ?? targets });
    files[`.instr/d${at}.md`] = `The text zqdocument${at}.\n`;
    return `@use ./d${at}.md${meant ? ` for ${meant.join(', ')}` : ''}`;
  });
  const guards = rules.map((meant, at) => {
    words.set(`zqrule${at}`, { path: `guards.g${at}`, meant: meant ?? targets });
    return `g${at}: { content: "The rule zqrule${at}."${meant ? ` targets: [${meant.join(', ')}]` : ''} }`;
  });
  files['.instr/project.prs'] = [
    '@meta { id: "shop" syntax: "1.6.0" }',
    '@identity { "You work on zqmain." }',
    ...uses,
    `@guards {\n${guards.join('\n')}\n}`,
    '',
  ].join('\n');
  words.set('zqmain', { path: 'identity', meant: targets });
  return { files, words };
}

/** Subsets of the tools, with the tools of each text: all or some. */
const projects = (ids: readonly string[]) =>
  fc.shuffledSubarray([...ids], { minLength: 2, maxLength: 6 }).chain(targets => {
    const meant = fc.option(fc.subarray(targets, { minLength: 1 }), { nil: undefined });
    const texts = fc.array(meant, { minLength: 1, maxLength: 3 });
    return fc.record({ targets: fc.constant(targets), documents: texts, rules: texts });
  });

for (const [name, ids] of [
  ['the most used tools', mostUsed.slice(0, 8)],
  ['all tools', builtinIds().filter(id => builtinSpec(id)!.spec.reads)],
] as const) {
  tests(`every text is loaded once: ${name}`, async () => {
    await fc.assert(
      fc.asyncProperty(projects(ids), async ({ targets, documents, rules }) => {
        const { files, words } = projectOf(targets, documents, rules);
        for (const target of targets) {
          const found: Diagnostic[] = [];
          const view = await viewProject({ as: target, at: '.', files: [] }, worldOf(files, found));
          if (typeof view === 'string') throw new Error(view);
          const given = view.parts.map(({ text }) => text).join('\n');
          for (const [word, { path, meant }] of words) {
            if (!meant.includes(target)) continue;
            const count = given.split(word).length - 1;
            const isReported = found.some(({ code, message }) => code === 'PRS7025' && message.includes(`\`${path}\``));
            assert.ok(count === 1 || (count > 1 && isReported), `${target} loads ${path} ${count} times`);
          }
        }
      }),
      { numRuns: runs(20), seed: 20261122 },
    );
  });
}

tests('a tool that reads only the first of its files gets no second one', async () => {
  const { files } = projectOf(['command-code', 'openhands'], [['command-code']], [undefined]);
  const view = await viewProject({ as: 'command-code', at: '.', files: [] }, worldOf(files));
  if (typeof view === 'string') throw new Error(view);
  assert.equal(view.parts.map(({ path }) => path), ['AGENTS.md']);
});

tests('files with different texts are not copies', async () => {
  const { files } = projectOf(['claude', 'codex', 'cursor'], [['claude'], ['cursor']], [undefined]);
  const overlaps = await listOverlaps(worldOf(files));
  if (typeof overlaps === 'string') throw new Error(overlaps);
  assert.equal(
    overlaps.map(one => [one.target, one.files, one.copies, one.once]),
    [['claude', ['AGENTS.md'], 1, 1], ['codex', ['AGENTS.md'], 1, 1], ['cursor', ['AGENTS.md'], 1, 1]],
  );
});

tests.run();
