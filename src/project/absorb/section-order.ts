import { conventions } from '../../generated/conventions.ts';
import type { Project } from '../open/open.ts';
import { sectionBlock } from './added-parts.ts';
import { type Hunk, isBlank, type Swap, trimBlankLines } from './hunks.ts';
import { withOutputOption } from './output-option.ts';
import { appendTo, prsSources } from './prs-source.ts';
import { headingWords } from './text-change.ts';
import { sectionAt } from './titles.ts';
import type { Candidate, Surroundings } from './workspace.ts';

const { catalogue } = conventions;

/** The candidate for two sections of a main file that changed places: the option `output.sectionOrder`. */
export function swappedSections(
  { first, second }: Swap,
  around: Surroundings,
  project: Project,
): Candidate[] {
  const keys = sectionKeys(around);
  const [one, other] = [keys.get(first.start), keys.get(second.start)];
  if (one === undefined || other === undefined || one === other) return [];
  const order = [...keys.values()].map(key => (key === one ? other : key === other ? one : key));
  const named = new Set([...(project.loaded.config.output?.sectionOrder ?? []), one, other]);
  if ([...named].some(key => !order.includes(key))) return [];
  return inOrder(
    order.filter(key => named.has(key)),
    around,
    project,
  );
}

/** The candidate for a section added between others of a main file: a new block, and the option for its place. */
export function insertedSection(
  { at, removed, added }: Hunk,
  around: Surroundings,
  project: Project,
): Candidate[] {
  const lines = trimBlankLines(added);
  const title = /^## /.test(lines[0] ?? '') ? headingWords(lines[0]!) : undefined;
  const [source] = prsSources(around);
  if (title === undefined || !source || !removed.every(isBlank)) return [];
  const block = sectionBlock(title, lines);
  const name = /^@([\w-]+)/.exec(block[0]!)?.[1];
  const sections = [...sectionKeys(around)].filter(([line]) => around.lines[line]!.startsWith('## '));
  const keys = sections.map(([, key]) => key);
  const isTaken = (key: string) => Object.hasOwn(catalogue.sections, key) || keys.includes(key);
  if (name === undefined || isTaken(name) || project.loaded.config.output?.sectionOrder) return [];
  const order = namedOrder(name, keys, sections.filter(([line]) => line < at).length);
  const option = order.length > 1 ? inOrder(order, around, project) : [{ edits: [] }];
  return option.map(({ edits }) => ({ edits: [...appendTo(source, block).edits, ...edits] }));
}

/** The sections to name so that a new block, which comes after all of its kind, gets to a place of a file. */
function namedOrder(name: string, keys: readonly string[], place: number): string[] {
  const { standard = [] } = catalogue.lists;
  const isEarly = (key: string) => !standard.includes(key) || standard.indexOf(key) < standard.indexOf('*');
  const own = keys.filter(isEarly).length;
  const all = keys.toSpliced(place, 0, name);
  return place < own ? all.slice(place, own + 1) : all.slice(own, place + 1);
}

/** The keys of the sections of a file by the lines of their headings; each key once. */
function sectionKeys(around: Surroundings): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [at, line] of around.lines.entries()) {
    const section = headingWords(line) === undefined ? undefined : sectionAt(at, around);
    if (section && section.key === undefined && ![...found.values()].includes(section.block))
      found.set(at, section.block);
  }
  return found;
}

const inOrder = (order: readonly string[], around: Surroundings, project: Project): Candidate[] => {
  const keys = order.map(key => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key)));
  return withOutputOption('sectionOrder', `[${keys.join(', ')}]`, around, project);
};
