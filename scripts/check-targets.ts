/**
 * Checks the target specs: `npm run check:targets [id…] [-- --today 2026-01-31]`. Each goes through the same reader as
 * a spec in a user's project; then come the things that only all of them together can have wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Diagnostic, Report } from '../src/diagnostics/diagnostic.ts';
import { countWords, renderText } from '../src/diagnostics/render-text.ts';
import { specEvidenceOld, specProblem } from '../src/generated/diagnostics.ts';
import type { TargetSpec } from '../src/generated/types/target.ts';
import { readSpec } from '../src/lint/custom.ts';
import { faultOf } from '../src/lint/lint.ts';
import type { Fault } from '../src/spec/fault.ts';
import { plainName } from '../src/spec/names.ts';
import type { Source } from '../src/text/source.ts';
import { readYaml, type YamlFile } from '../src/text/yaml.ts';
import { root } from './generate.ts';

interface Checked {
  readonly spec: TargetSpec;
  readonly yaml: YamlFile;
  readonly fault: Fault;
}

/** The YAML files of a folder of specs as named texts, sorted. */
export function specSources(folder: string): Source[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .map(name => ({ name: `targets/${name}`, text: readFileSync(join(folder, name), 'utf8') }));
}

/**
 * Everything that is wrong with the specs, in the order of the files. `only` keeps the findings about these ids; the
 * others are still read, because labels and paths are compared. `today` (`2026-01-31`) is what evidence ages against;
 * without it evidence has no age.
 */
export async function checkTargets(
  sources: readonly Source[],
  only: readonly string[] = [],
  today?: string,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const checked: Checked[] = [];
  for (const source of sources) {
    const id = source.name.replace(/^.*\//, '').replace(/\.yaml$/, '');
    const report: Report = diagnostic => {
      if (only.length === 0 || only.includes(id)) found.push(diagnostic);
    };
    const loaded = await readSpec(source, id, report);
    if (!loaded) continue;
    const yaml = readYaml(source);
    const { spec } = loaded;
    checked.push({ spec, yaml, fault: faultOf(spec, yaml.spanOf, report) });
    if (today !== undefined) checkAge(spec, yaml, today, report);
  }
  for (const one of checked) {
    checkOrder(one);
    checkStatus(one);
  }
  checkLabels(checked);
  checkNames(checked);
  checkDocuments(checked);
  return found;
}

const schemaLine = '# yaml-language-server: $schema=../schema/target.schema.json';

/** Specs of this repository name their schema above their first field, so that editors complete their fields. */
export function checkSchemaLines(sources: readonly Source[], only: readonly string[] = []): Diagnostic[] {
  return sources.flatMap(source => {
    const target = source.name.replace(/^.*\//, '').replace(/\.yaml$/, '');
    const lines = source.text.split('\n');
    const [first = ''] = lines;
    const above = lines.slice(
      0,
      lines.findIndex(line => !line.startsWith('#')),
    );
    if (above.includes(schemaLine) || (only.length > 0 && !only.includes(target))) return [];
    const where = {
      span: { source, start: 0, end: first.length },
      target,
      hint: `Begin the file with \`${schemaLine}\`.`,
    };
    return [specProblem({ target, problem: 'no line above its fields names the schema' }, where)];
  });
}

function checkAge(spec: TargetSpec, yaml: YamlFile, today: string, report: Report): void {
  const dates = spec.evidence.map(({ checked }) => checked);
  const newest = [...dates].sort().at(-1)!;
  if (today <= yearsLater(newest, 1)) return;
  const span = yaml.spanOf(['evidence', dates.indexOf(newest), 'checked']);
  const holes = { target: spec.id, checked: newest, months: wholeMonths(newest, today) };
  report(specEvidenceOld(holes, { span, target: spec.id }));
}

const yearsLater = (day: string, years: number) => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

function wholeMonths(from: string, to: string): number {
  const [y1, m1, d1] = from.split('-').map(Number) as [number, number, number];
  const [y2, m2, d2] = to.split('-').map(Number) as [number, number, number];
  return (y2 - y1) * 12 + (m2 - m1) - (d2 < d1 ? 1 : 0);
}

const fieldOrder = Object.keys(
  (JSON.parse(readFileSync(join(root, 'schema/target.schema.json'), 'utf8')) as { properties: object })
    .properties,
);

/** Whoever has read one spec finds their way in all: fields stand in the order of the schema, nothing is said twice. */
function checkOrder({ spec, yaml, fault }: Checked): void {
  const keys = Object.keys(yaml.data as object);
  const sorted = [...keys].sort((a, b) => fieldOrder.indexOf(a) - fieldOrder.indexOf(b));
  const at = keys.findIndex((key, index) => key !== sorted[index]);
  if (at !== -1) {
    fault(
      [keys[at]!],
      `\`${sorted[at]}\` stands behind \`${keys[at]}\``,
      `The order is ${sorted.join(', ')}.`,
      'key',
    );
  }
  for (const [field, list] of [
    ['reads', spec.reads?.files.flat()],
    ['detect', spec.detect],
  ] as const) {
    const twice = list?.findIndex((path, index) => list.indexOf(path) !== index) ?? -1;
    const path = field === 'reads' ? ['reads', 'files', twice] : [field, twice];
    if (twice !== -1) fault(path, `"${list![twice]}" stands there twice`, 'Remove one of them.');
  }
}

/** The note of a status is shown as the whole message of a warning. */
function checkStatus({ spec, fault }: Checked): void {
  const name = spec.title.replace(/ \(.*\)$/, '');
  if (spec.status && !(spec.status.note.includes(name) && spec.status.note.endsWith('.'))) {
    fault(
      ['status', 'note'],
      'the note is no sentence about the product',
      `Say what became of ${name}, by name, with a full stop at the end.`,
    );
  }
}

/** Labels are t01, t02 and so on, each once, none left out. */
function checkLabels(checked: readonly Checked[]): void {
  const labelled = checked.filter(({ spec }) => spec.label !== undefined);
  const owners = new Map<string, string>();
  for (const { spec, fault } of labelled) {
    const other = owners.get(spec.label!);
    if (other)
      fault(
        ['label'],
        `"${other}" has the label ${spec.label} too`,
        `The next free label is ${nextLabel(checked)}.`,
      );
    else owners.set(spec.label!, spec.id);
  }
  for (const { spec, fault } of labelled) {
    const number = Number(spec.label!.slice(1));
    if (number > 1 && !owners.has(labelOf(number - 1)))
      fault(['label'], `no tool has the label ${labelOf(number - 1)}`, 'Labels are counted without gaps.');
  }
}

/** A name leads to one tool, and is written once. */
function checkNames(checked: readonly Checked[]): void {
  const owners = new Map<string, string>();
  const ids = new Map(checked.map(({ spec }) => [plainName(spec.id), spec.id]));
  for (const { spec, fault } of checked) {
    const own = [spec.id, spec.title].map(plainName);
    const names = [spec.title, ...(spec.aliases ?? [])];
    for (const [index, name] of names.entries()) {
      const plain = plainName(name);
      const path = index === 0 ? ['title'] : ['aliases', index - 1];
      const other = ids.get(plain) ?? owners.get(plain);
      if (other !== undefined && other !== spec.id)
        fault(path, `"${other}" is found by the name ${name} too`, 'A name stands for one tool.');
      else if (index > 0 && (own.includes(plain) || owners.has(plain)))
        fault(path, `${name} leads here already`, 'Ids and titles are names without being listed.');
      if (!owners.has(plain)) owners.set(plain, spec.id);
    }
  }
}

export const labelOf = (number: number): string => `t${String(number).padStart(2, '0')}`;

/** The label for one more tool. */
export function nextLabel(specs: readonly { readonly spec: { readonly label?: string } }[]): string {
  return labelOf(Math.max(0, ...specs.map(({ spec }) => Number(spec.label?.slice(1) ?? 0))) + 1);
}

/** Targets that write one document must lay it out alike: whoever enables both would get an error otherwise. */
function checkDocuments(checked: readonly Checked[]): void {
  const first = new Map<string, { id: string; look: string }>();
  for (const { spec, fault } of checked) {
    for (const [name, file] of Object.entries(spec.files)) {
      if (file.kind !== 'document') continue;
      const { list, titles, templates } = file.sections ?? {};
      const look = JSON.stringify([
        spec.convention,
        file.of,
        file.heading,
        file.frontmatter,
        list,
        titles,
        templates,
      ]);
      const path = filledPath(file.path, spec).toLowerCase();
      const other = first.get(path);
      if (!other) first.set(path, { id: spec.id, look });
      else if (other.look !== look && other.id !== spec.id) {
        fault(
          ['files', name],
          `it lays out ${file.path} in another way than "${other.id}"`,
          'Give both the same convention, heading, frontmatter and sections.',
        );
      }
    }
  }
}

/** A path with the defaults of the options in it. */
function filledPath(path: string, { options }: TargetSpec): string {
  return path.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const option = options?.[name];
    return option?.default !== undefined ? String(option.default) : hole;
  });
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { today: { type: 'string' }, check: { type: 'boolean' } },
  });
  const sources = specSources(join(root, 'targets'));
  const ids = sources.map(({ name }) => name.slice('targets/'.length, -'.yaml'.length));
  const unknown = positionals.filter(id => !ids.includes(id));
  if (unknown.length > 0) {
    console.error(`There is no spec targets/${unknown[0]}.yaml. \`npm run new:target\` makes one.`);
    process.exitCode = 2;
    return;
  }
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
