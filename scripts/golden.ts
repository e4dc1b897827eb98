/**
 * Writes the golden files in test/golden: for every target and version, the output of the kitchen-sink project and
 * `omissions.txt`, which lists content that the target has no place for. `npm run golden [id…]`. `--check` writes nothing
 * and lists differences. `--tree <folder>` writes the files as a project has them, for reading.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Diagnostic } from '../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../src/text/diagnostics/render-text.ts';
import { generate } from './generate.ts';
import { formatOmissions } from './golden/omissions.ts';
import { compareGoldens, type GoldenFile, type Goldens, writeGoldens, writeTree } from './golden/store.ts';

/** The expected golden files of all or some targets, and the diagnostics of the compile. */
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
        ? `${wrong.length} golden files differ: run \`npm run golden\` and review the changes`
        : `${goldens.size} golden files are up to date`,
    );
    return;
  }
  if (values.tree !== undefined) {
    writeTree(goldens, values.tree);
    console.log(`Wrote ${goldens.size} files to ${values.tree}`);
    return;
  }
  console.log(`${goldens.size} golden files, ${writeGoldens(goldens, positionals)} files changed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
