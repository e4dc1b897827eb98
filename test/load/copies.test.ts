/**
 * `output.layout: once` makes each tool load its main text once, for every set of the most used tools and for all
 * tools.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mostUsed as byUse } from '../../scripts/docs/tools.ts';
import { subsets } from '../../scripts/prove/once.ts';
import { textFiles, virtualContext } from '../../src/project/session/given.ts';
import { listOverlaps } from '../../src/project/view/overlap.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { isWhole, sample } from '../support/depth.ts';

/**
 * A text for all, a rule for some files, a rule for all files and a command. These determine where main texts may be
 * written.
 */
const source = `@meta { id: "shop" syntax: "1.6.0" }
@identity { """You work on a shop.""" }
@standards { code: ["Prices are integers."] }
@guards {
  api: { applyTo: ["src/api/**"] content: "Check what comes in." }
  history: { content: "Never force-push." }
}
@commands { verify: { description: "Run all checks" content: "Run the tests." } }
`;

/** Compiles the project for these tools in both layouts. Throws on errors of the compile. */
async function overlapsOf(targets: readonly string[]) {
  const files = {
    'instr.yaml': `id: shop\nsyntax: "1.6.0"\ntargets: [${targets.join(', ')}]\n`,
    '.instr/project.prs': source,
  };
  const overlaps = await listOverlaps(
    virtualContext('/shop', textFiles(files), ({ severity, message }) => {
      if (severity === 'error') throw new Error(`${targets.join(', ')}: ${message}`);
    }),
  );
  if (typeof overlaps === 'string') throw new Error(`${targets.join(', ')}: ${overlaps}`);
  return overlaps;
}

/** Tools of a set that do not load the text exactly once. */
async function exceptions(targets: readonly string[]): Promise<string[]> {
  const overlaps = await overlapsOf(targets);
  assert.ok(overlaps.length > 0);
  return overlaps.filter(({ once }) => once !== 1).map(({ target, once }) => `${target}: ${once} in ${targets.join(', ')}`);
}

/** Few enough tools to compile every set of them. */
const mostUsed = byUse.slice(0, 8);

const tests = suite('copies');

tests('every set of the most used tools loads the text once', async () => {
  const wrong: string[] = [];
  for (const targets of sample(subsets(mostUsed))) wrong.push(...(await exceptions(targets)));
  assert.equal(wrong, []);
});

tests('all tools with a main file load the text once', async () => {
  const all = builtinIds().filter(id => builtinSpec(id)!.spec.reads !== undefined);
  // The search for a layout takes half a minute for all tools, and a second for every third one.
  assert.equal(await exceptions(isWhole ? all : all.filter((_, index) => index % 3 === 0)), []);
});

tests('compares the copies of a set in both layouts', async () => {
  const overlaps = await overlapsOf(['claude', 'codex', 'cursor', 'github']);
  assert.equal(
    overlaps.map(({ target, copies, once }) => [target, copies, once]),
    [['claude', 1, 1], ['codex', 1, 1], ['cursor', 3, 1], ['github', 3, 1]],
  );
});

tests.run();
