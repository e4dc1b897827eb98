/**
 * Writes targets/COPIES.md: how often each tool loads the main text, by its load model, in every set of the most used
 * tools and for all tools at once, with a file for each tool and under `output.layout: once`. `npm run copies`;
 * `--check` writes nothing and fails when the page says something else.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { givenWorld, textFiles } from '../src/project/session/given.ts';
import { listOverlaps, type Overlap } from '../src/project/view/overlap.ts';
import { builtinIds, builtinSpec } from '../src/spec/load.ts';
import { code, table } from './docs/markdown.ts';
import { mostUsed as byUse } from './docs/tools.ts';
import { root } from './generate.ts';
import { subsets } from './prove/once.ts';

/** Tools that are enabled together, and the copies that each loads. */
export interface CountedSet {
  readonly targets: readonly string[];
  readonly overlaps: readonly Overlap[];
}

/** A text for all, a rule of some files, a rule for all files and a command: what decides where main texts may stand. */
const source = `@meta { id: "shop" syntax: "1.6.0" }
@identity { """You work on a shop.""" }
@standards { code: ["Prices are integers."] }
@guards {
  api: { applyTo: ["src/api/**"] content: "Check what comes in." }
  history: { content: "Never force-push." }
}
@commands { verify: { description: "Run all checks" content: "Run the tests." } }
`;

/** Compiles the project for these tools in both layouts and counts. An error of the compile is thrown. */
export async function countSet(targets: readonly string[]): Promise<CountedSet> {
  const files = {
    'instr.yaml': `id: shop\nsyntax: "1.6.0"\ntargets: [${targets.join(', ')}]\n`,
    '.instr/project.prs': source,
  };
  const overlaps = await listOverlaps(
    givenWorld('/shop', textFiles(files), ({ severity, message }) => {
      if (severity === 'error') throw new Error(`${targets.join(', ')}: ${message}`);
    }),
  );
  if (typeof overlaps === 'string') throw new Error(`${targets.join(', ')}: ${overlaps}`);
  return { targets, overlaps };
}

/** So many tools that every set of them can be compiled. */
export const mostUsed = byUse.slice(0, 8);

/** Every tool that has a main file. */
const allTools = (): string[] => builtinIds().filter(id => builtinSpec(id)!.spec.reads !== undefined);

async function countEverything(): Promise<{
  readonly sets: readonly CountedSet[];
  readonly all: CountedSet;
}> {
  const sets: CountedSet[] = [];
  for (const targets of subsets(mostUsed)) sets.push(await countSet(targets));
  return { sets, all: await countSet(allTools()) };
}

const title = (id: string): string => builtinSpec(id)!.spec.title;
const sum = (overlaps: readonly Overlap[], pick: (one: Overlap) => number) =>
  overlaps.reduce((total, one) => total + pick(one), 0);

/** Sets in which a tool loads the text otherwise than once, in words. */
function exceptions(sets: readonly CountedSet[]): string[] {
  return sets.flatMap(({ targets, overlaps }) =>
    overlaps
      .filter(({ once }) => once !== 1)
      .map(({ target, once }) => `- ${title(target)} loads ${once} copies in: ${targets.join(', ')}`),
  );
}

function setTable(sets: readonly CountedSet[]): string {
  const rows = sets.map(({ overlaps }, index) => {
    const found = new Map(overlaps.map(one => [one.target, one]));
    const cells = mostUsed.map(id => {
      const one = found.get(id);
      return one ? `${one.copies} → ${one.once}` : '';
    });
    return [String(index + 1), ...cells];
  });
  return table(['Set', ...mostUsed.map(title)], rows);
}

/** The page, as it is to stand in targets/COPIES.md. */
export async function copiesPage(): Promise<string> {
  const { sets, all } = await countEverything();
  const loads = sets.flatMap(({ overlaps }) => overlaps);
  const wrong = exceptions([...sets, all]);
  const more = loads.filter(({ copies }) => copies > 1).length;
  const allRows = all.overlaps.map(({ target, files, copies, once }) => [
    title(target),
    files.map(code).join(', '),
    String(copies),
    String(once),
  ]);
  return `# Copies of the main text

How often each tool loads the main text of a project, by the \`reads\` of its spec: first with a file for each tool
(\`output.layout: each\`), then under \`output.layout: once\`. The project has a main text, a rule for some files, a rule for
all files and a command. \`npm run copies\` makes this page by compiling it for each set; \`prs targets --overlap\` counts in
a project of yours.

- **The ${mostUsed.length} most used tools**, ${sets.length} sets, ${loads.length} times a tool in a set. A file for each: more than one copy ${more} times, ${Math.max(...loads.map(({ copies }) => copies))} at most. Under \`once\`: one copy ${loads.filter(({ once }) => once === 1).length} times.
- **All ${all.overlaps.length} tools that have a main file at once.** A file for each: ${sum(all.overlaps, one => one.copies)} copies. Under \`once\`: ${sum(all.overlaps, one => one.once)}.

## Where once cannot be had

${wrong.length > 0 ? wrong.join('\n') : 'Nowhere, in these sets.'}

A tool whose own file has another convention or a place of its own (\`convention\`, \`output\`) keeps that file, and the compile
says who then loads the text twice.

## All tools at once

${table(['Tool', 'Files that bring it, one for each tool', 'Copies', 'Under `once`'], allRows)}

## Every set of the most used tools

\`2 → 1\`: two copies with a file for each tool, one under \`once\`. An empty cell: the tool is not in the set.

${setTable(sets)}
`;
}

async function main(): Promise<void> {
  const file = join(root, 'targets/COPIES.md');
  const page = await copiesPage();
  if (process.argv.includes('--check')) {
    if (readFileSync(file, 'utf8') === page) return;
    console.error('targets/COPIES.md is stale: run `npm run copies`');
    process.exitCode = 1;
    return;
  }
  writeFileSync(file, page);
  console.log('targets/COPIES.md written');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
