import { type Program, type Resource, type SourceUnit, sourceOf, type Unit } from '../resolve/program.ts';
import { textOfFile } from '../text/bytes.ts';
import { memoizeByObject } from '../text/memo.ts';
import type { ReadText } from './rule.ts';

/** The `.prs` files of a program, in the order in which they were read. */
export const sourceUnits = memoizeByObject((program: Program): readonly SourceUnit[] =>
  program.units.filter(unit => unit.kind === 'source'),
);

/** Every text that was read, without duplicates, including text files of skills. */
export function readTexts(program: Program): ReadText[] {
  const texts = new Map<unknown, ReadText>();
  for (const unit of program.units) {
    const source = sourceOf(unit);
    if (!source || texts.has(source)) continue;
    const { remote } = unit.layer;
    texts.set(source, { source, remote });
    for (const [path, resource] of resourcesOf(unit)) {
      const name = source.name.replace(/[^/]*$/, path);
      const text = texts.has(name) ? undefined : textOfFile(resource.read());
      if (text !== undefined) texts.set(name, { source: { name, text }, remote, isData: !prose.test(path) });
    }
  }
  return [...texts.values()];
}

/** Files for the assistant; other files are programs and data. */
const prose = /\.(?:md|mdc|txt)$/i;

/** The files in the folder of a skill, and those that `references` name, each with its path. */
export function* resourcesOf(unit: Unit): Generator<readonly [path: string, resource: Resource]> {
  if (unit.kind === 'skill') for (const resource of unit.resources) yield [resource.path, resource];
  const named = unit.kind === 'skill' ? unit.references : unit.kind === 'source' ? unit.resources : undefined;
  for (const [path, resource] of named ?? []) yield [path.replace(/^\.\//, ''), resource];
}
