/** Checks that compare all specs: labels, names, and files that several specs write. */
import type { ItemFiles, TargetSpec } from '../../src/generated/types/target.ts';
import { allUniversalFiles } from '../../src/spec/item-places.ts';
import { normalizeName } from '../../src/spec/names.ts';
import type { Checked } from './checked.ts';
import { mentionsIn, toolWords } from './code-words.ts';

/** Labels are t01, t02 and so on, unique and without gaps. */
export function checkLabels(checked: readonly Checked[]): void {
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
      fault(['label'], `no tool has the label ${labelOf(number - 1)}`, 'Labels are numbered without gaps.');
  }
}

/** A name identifies one tool, and is listed once. */
export function checkNames(checked: readonly Checked[]): void {
  const owners = new Map<string, string>();
  const ids = new Map(checked.map(({ spec }) => [normalizeName(spec.id), spec.id]));
  for (const { spec, fault } of checked) {
    const own = [spec.id, spec.title].map(normalizeName);
    const names = [spec.title, ...(spec.aliases ?? [])];
    for (const [index, name] of names.entries()) {
      const plain = normalizeName(name);
      const path = index === 0 ? ['title'] : ['aliases', index - 1];
      const other = ids.get(plain) ?? owners.get(plain);
      if (other !== undefined && other !== spec.id)
        fault(path, `"${other}" is found by the name ${name} too`, 'A name must identify one tool.');
      else if (index > 0 && (own.includes(plain) || owners.has(plain)))
        fault(path, `${name} leads here already`, 'Remove it: ids and titles are names already.');
      if (!owners.has(plain)) owners.set(plain, spec.id);
    }
  }
}

export const labelOf = (number: number): string => `t${String(number).padStart(2, '0')}`;

/** The label for the next new tool. */
export function nextLabel(specs: readonly { readonly spec: { readonly label?: string } }[]): string {
  return labelOf(Math.max(0, ...specs.map(({ spec }) => Number(spec.label?.slice(1) ?? 0))) + 1);
}

/** Targets that write the same document must lay it out alike. Otherwise, a project that enables both gets an error. */
export function checkDocuments(checked: readonly Checked[]): void {
  const first = new Map<string, { id: string; look: string }>();
  for (const { spec, fault } of checked) {
    for (const [name, file] of Object.entries(spec.files)) {
      if (file.kind !== 'document') continue;
      const look = JSON.stringify([file.of, file.frontmatter, file.sections?.list]);
      const path = filledPath(file.path, spec).toLowerCase();
      const other = first.get(path);
      if (!other) first.set(path, { id: spec.id, look });
      else if (other.look !== look && other.id !== spec.id) {
        fault(
          ['files', name],
          `it lays out ${file.path} in another way than "${other.id}"`,
          'Give both the same frontmatter and sections.',
        );
      }
    }
  }
}

/** The same check for item files: those of tools that share a folder, and those of the universal directory. */
export function checkItemFiles(checked: readonly Checked[]): void {
  // Rows are merged; any other difference is an error in a project that enables both.
  const lookOf = ({ format, extra, entry, body }: ItemFiles) =>
    JSON.stringify([format ?? 'markdown', extra, entry, body]);
  const pathOf = ({ of, dir, path }: ItemFiles) =>
    `${of} ${dir === undefined ? '' : `${dir}/`}${path}`.replaceAll('{universal}', '.agents').toLowerCase();
  const first = new Map(
    allUniversalFiles().map(file => [pathOf(file), { id: 'the universal directory', look: lookOf(file) }]),
  );
  for (const { spec, fault } of checked) {
    for (const [name, file] of Object.entries(spec.files)) {
      if (file.kind !== 'items') continue;
      const own = { id: `"${spec.id}"`, look: lookOf(file) };
      const path = filledPath(pathOf(file), spec);
      const other = first.get(path);
      if (!other) first.set(path, own);
      else if (other.look !== own.look && other.id !== own.id)
        fault(
          ['files', name],
          `it writes ${file.of} to ${path.slice(file.of.length + 1)} in another way than ${other.id}`,
          'Give both the same format, extra, entry and body, or this one a folder of its own.',
        );
    }
  }
}

/** A path with the option placeholders replaced by their defaults. */
function filledPath(path: string, { options }: TargetSpec): string {
  return path.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const option = options?.[name];
    return option?.default !== undefined ? String(option.default) : hole;
  });
}

/** Code and schemas must not contain a name of a tool. */
export function checkWords(checked: readonly Checked[]): void {
  const words = toolWords(checked.map(({ spec }) => spec));
  const reported = new Set<string>();
  for (const { file, line, word } of [...mentionsIn('src', words), ...mentionsIn('schema', words)]) {
    if (reported.has(word)) continue;
    reported.add(word);
    const owner = checked.find(({ spec }) => toolWords([spec]).find(`'${word}'`).length > 0);
    owner?.fault(
      ['id'],
      `\`${word}\`, a name or path of the tool, stands in ${file}:${line}`,
      'Code and schemas must not name a tool. If it is a common word, choose another name; otherwise remove it there.',
    );
  }
}
