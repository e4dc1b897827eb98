import { basename } from 'node:path';
import { conventions } from '../../generated/conventions.ts';
import type { Project } from '../open/open.ts';
import { blankEndsOff, type Surroundings } from './candidates.ts';
import { changeTo } from './fields.ts';
import { headingWords, sectionAt } from './headings.ts';
import type { Hunk } from './hunks.ts';
import type { Swap } from './moves.ts';
import { withOutput } from './output-option.ts';
import { asBlock } from './texts.ts';
import type { Candidate } from './trial.ts';

const { catalogue } = conventions;

/**
 * The way to let two sections of a main file change places that are made of blocks: the configuration says in which
 * order they come (`output.sectionOrder`).
 */
export async function reordered(
  { first, second }: Swap,
  around: Surroundings,
  { loaded }: Project,
): Promise<Candidate[]> {
  const keys = await sectionKeys(around);
  const [one, other] = [keys.get(first.start), keys.get(second.start)];
  const config = basename(loaded.path);
  const text = around.sourceLines(config)?.join('\n');
  if (one === undefined || other === undefined || one === other || text === undefined) return [];
  const order = [...new Set(keys.values())].map(key => (key === one ? other : key === other ? one : key));
  const named = new Set([...(loaded.config.output?.sectionOrder ?? []), one, other]);
  if ([...named].some(key => !order.includes(key))) return [];
  const said = listed(order.filter(key => named.has(key)));
  const next = withOutput(text, 'sectionOrder', said, loaded);
  return next === undefined ? [] : [await changeTo(new Map([[config, next]]), around)];
}

/**
 * The way to put a section between two others of a main file that are made of blocks: a block at the end of the first
 * source, and the order of sections in the configuration where it would stand elsewhere.
 */
export async function addedSection(
  { at, removed, added }: Hunk,
  around: Surroundings,
  { loaded }: Project,
): Promise<Candidate[]> {
  const lines = blankEndsOff(added);
  const title = /^## /.test(lines[0] ?? '') ? headingWords(lines[0]!) : undefined;
  const file = around.sources.find(source => source.endsWith('.prs') && around.sourceLines(source));
  const config = basename(loaded.path);
  const text = around.sourceLines(config)?.join('\n');
  if (
    title === undefined ||
    file === undefined ||
    text === undefined ||
    removed.some(line => line.trim() !== '')
  )
    return [];
  const block = asBlock(title, lines);
  const name = /^@([\w-]+)/.exec(block[0]!)?.[1];
  const keys = [...(await sectionKeys(around))].filter(([line]) => /^## /.test(around.lines[line]!));
  const isTaken = (key: string) =>
    Object.hasOwn(catalogue.sections, key) || keys.some(([, own]) => own === key);
  if (name === undefined || isTaken(name) || loaded.config.output?.sectionOrder) return [];
  const order = namedOrder(
    name,
    keys.map(([, key]) => key),
    keys.filter(([line]) => line < at).length,
  );
  const next = order.length > 1 ? withOutput(text, 'sectionOrder', listed(order), loaded) : text;
  if (next === undefined) return [];
  const source = around.sourceLines(file)!;
  const end = source.findLastIndex(line => line.trim() !== '') + 1;
  const { edits } = await changeTo(new Map([[config, next]]), around);
  return [{ edits: [{ file, at: end, remove: 0, insert: ['', ...block] }, ...edits] }];
}

/** The sections that change places so that a new block, which stands behind all of its kind, comes to a place of a file. */
function namedOrder(name: string, keys: readonly string[], place: number): string[] {
  const { standard = [] } = catalogue.lists;
  const isEarly = (key: string) => !standard.includes(key) || standard.indexOf(key) < standard.indexOf('*');
  const own = keys.filter(isEarly).length;
  const all = [...keys.slice(0, place), name, ...keys.slice(place)];
  return place < own ? all.slice(place, own + 1) : all.slice(own, place + 1);
}

/** Keys of the sections that a file has, by the lines of their headings. */
async function sectionKeys(around: Surroundings): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const [at, line] of around.lines.entries()) {
    const section = headingWords(line) === undefined ? undefined : await sectionAt(at, around);
    const isKnown = section && [...found.values()].includes(section.block);
    if (section && section.key === undefined && !isKnown) found.set(at, section.block);
  }
  return found;
}

/** An order of sections, as YAML. */
const listed = (order: readonly string[]): string =>
  `[${order.map(key => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join(', ')}]`;
