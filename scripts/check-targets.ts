/**
 * Checks the target specs: `npm run check:targets [id…] [-- --today 2026-01-31] [--fix]`. Each spec goes through the same
 * reader as a spec in a user's project. Then follow the rules of this repository, the checks that compare all specs, and
 * a trial compile. `npm test` makes no further checks of specs. `--fix` sorts fields.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { specProblem } from '../src/generated/diagnostics.ts';
import { problemReporter, readSpec } from '../src/kinds/lint/spec.ts';
import type { Diagnostic, Report } from '../src/text/diagnostics/diagnostic.ts';
import { countWords, renderText } from '../src/text/diagnostics/render-text.ts';
import type { Source } from '../src/text/source.ts';
import { readYaml } from '../src/text/yaml.ts';
import { mostUsed } from './docs/tools.ts';
import { namesIn } from './files.ts';
import { root } from './generate.ts';
import {
  checkEvidence,
  checkOrder,
  checkProof,
  checkRepeats,
  checkStandings,
  checkStatus,
} from './targets/alone.ts';
import type { Checked } from './targets/checked.ts';
import { sortFields } from './targets/field-order.ts';
import { checkOutputs } from './targets/outputs.ts';
import { checkDocuments, checkItemFiles, checkLabels, checkNames, checkWords } from './targets/together.ts';

/** The YAML files of a folder of specs as sources, sorted by name. */
export function specSources(folder: string): Source[] {
  return namesIn(folder, '.yaml').map(id => ({
    name: `targets/${id}.yaml`,
    text: readFileSync(join(folder, `${id}.yaml`), 'utf8'),
  }));
}

const idOf = ({ name }: Source): string => basename(name, '.yaml');

/** Whether a spec was asked for; without names all are. */
const isChosen = (id: string, only: readonly string[]): boolean => only.length === 0 || only.includes(id);

/**
 * All problems of the specs, in the order of the files. `only` restricts the findings to these ids; the other specs are
 * still read, because labels and paths are compared. `today` (`2026-01-31`) is the date for the age of evidence and
 * proofs; without it their age is not checked.
 */
export async function checkTargets(
  sources: readonly Source[],
  only: readonly string[] = [],
  today?: string,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const checked: Checked[] = [];
  for (const source of sources) {
    const id = idOf(source);
    const report: Report = diagnostic => {
      if (isChosen(id, only)) found.push(diagnostic);
    };
    const loaded = await readSpec(source, id, report);
    if (!loaded) continue;
    const yaml = readYaml(source);
    const { spec } = loaded;
    const one = { loaded, spec, yaml, fault: problemReporter(spec, yaml.spanOf, report) };
    checked.push(one);
    if (today !== undefined) {
      const isMostUsed = mostUsed.includes(id);
      checkStandings(one, today, isMostUsed, report);
      await checkProof(one, today, report);
    }
  }
  for (const one of checked) {
    checkEvidence(one);
    checkOrder(one);
    checkRepeats(one);
    checkStatus(one);
  }
  checkLabels(checked);
  checkNames(checked);
  checkDocuments(checked);
  checkItemFiles(checked);
  checkWords(checked);
  // The output of a spec with errors gives no further information.
  const faulty = new Set(found.filter(({ severity }) => severity === 'error').map(({ target }) => target));
  for (const one of checked)
    if (isChosen(one.spec.id, only) && !faulty.has(one.spec.id)) await checkOutputs(one);
  return found;
}

const schemaLine = '# yaml-language-server: $schema=../schema/target.schema.json';

/** Specs of this repository name their schema above the first field, so that editors offer completions. */
export function checkSchemaLines(sources: readonly Source[], only: readonly string[] = []): Diagnostic[] {
  return sources.flatMap(source => {
    const target = idOf(source);
    const lines = source.text.split('\n');
    const [first = ''] = lines;
    const above = lines.slice(
      0,
      lines.findIndex(line => !line.startsWith('#')),
    );
    if (above.includes(schemaLine) || !isChosen(target, only)) return [];
    const where = {
      span: { source, start: 0, end: first.length },
      target,
      hint: `Start the file with \`${schemaLine}\`.`,
    };
    return [specProblem({ target, problem: 'no line above its fields names the schema' }, where)];
  });
}

/** Sorts the fields of spec files in place, and prints the names of the changed files. */
function sortFiles(sources: readonly Source[], only: readonly string[]): Source[] {
  return sources.map(source => {
    const text = sortFields(source.text);
    if (!isChosen(idOf(source), only) || text === source.text) return source;
    writeFileSync(join(root, source.name), text);
    console.log(`sorted ${source.name}`);
    return { ...source, text };
  });
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { today: { type: 'string' }, check: { type: 'boolean' }, fix: { type: 'boolean' } },
  });
  let sources = specSources(join(root, 'targets'));
  const ids = sources.map(idOf);
  const unknown = positionals.filter(id => !ids.includes(id));
  if (unknown.length > 0) {
    console.error(`There is no spec targets/${unknown[0]}.yaml. \`npm run new:target\` creates one.`);
    process.exitCode = 2;
    return;
  }
  if (values.fix) sources = sortFiles(sources, positionals);
  const today = values.today ?? new Date().toISOString().slice(0, 10);
  const found = [
    ...checkSchemaLines(sources, positionals),
    ...(await checkTargets(sources, positionals, today)),
  ];
  const errors = found.filter(({ severity }) => severity === 'error').length;
  process.stdout.write(renderText(found, { limit: 500 }));
  const count = positionals.length || sources.length;
  const words = countWords({ error: errors, warning: found.length - errors, info: 0 });
  console.log(
    `${count} ${count === 1 ? 'spec' : 'specs'} checked${words ? `: ${words}` : ', nothing to report'}`,
  );
  process.exitCode = errors > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
