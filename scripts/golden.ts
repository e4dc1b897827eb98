/**
 * Writes test/golden: for every target and version the files that the kitchen-sink project gives, and `omissions.txt`, the
 * content without a place. `npm run golden [id…]`; `--check` writes nothing and lists differences; `--tree <folder>` writes
 * the files as a project has them, to look at.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Diagnostic } from '../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../src/text/diagnostics/render-text.ts';
import { generate } from './generate.ts';
import { formatOmissions } from './golden/omissions.ts';
import { compareGoldens, type GoldenFile, type Goldens, writeGoldens, writeTree } from './golden/store.ts';

/** What the goldens of all targets, or of some, have to be; and what compiling them had to say. */
export async function makeGoldens(
  only: readonly string[] = [],
): Promise<{ goldens: Goldens; diagnostics: readonly Diagnostic[] }> {
  const { allVersions, compileModel, openKitchenSink } = await import('../test/support/compile.ts');
  const opened = await openKitchenSink();
  const goldens = new Map<string, GoldenFile>();
  const diagnostics: Diagnostic[] = [...opened.diagnostics];
  for (const { loaded, id, version } of allVersions(only)) {
    const compiled = await compileModel(opened.model, [{ loaded, config: { version } }]);
    diagnostics.push(...compiled.diagnostics);
    const start = `${id}/${version}`;
    for (const { path, bytes, executable } of compiled.files)
      goldens.set(`${start}/${path}`, { bytes, executable });
    const text = formatOmissions(compiled.omissions);
    goldens.set(`${start}/omissions.txt`, { bytes: new TextEncoder().encode(text), executable: false });
  }
  return { goldens, diagnostics };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, tree: { type: 'string' } },
  });
  await generate();
  const { builtinIds } = await import('../src/spec/load.ts');
  const unknown = positionals.find(id => !builtinIds().includes(id));
  if (unknown !== undefined) {
    console.error(`There is no spec targets/${unknown}.yaml.`);
    process.exitCode = 2;
    return;
  }
  const { goldens, diagnostics } = await makeGoldens(positionals);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  process.stderr.write(renderText(errors));
  if (errors.length > 0) process.exitCode = 1;
  if (values.check) {
    const wrong = compareGoldens(goldens, positionals);
    for (const line of wrong) console.error(line);
    if (wrong.length > 0) process.exitCode = 1;
    console.log(
      wrong.length > 0
        ? `${wrong.length} goldens differ: run \`npm run golden\` and read the changes`
        : `${goldens.size} goldens are as they should be`,
    );
    return;
  }
  if (values.tree !== undefined) {
    writeTree(goldens, values.tree);
    console.log(`${goldens.size} files are in ${values.tree}`);
    return;
  }
  console.log(`${goldens.size} goldens, ${writeGoldens(goldens, positionals)} files changed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
