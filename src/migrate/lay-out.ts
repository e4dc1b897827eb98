import { records } from '../generated/collections.ts';
import { unusedName } from '../text/free-name.ts';
import { readFrontMatter } from '../text/front-matter.ts';
import {
  isVersionOf,
  type MergedPart,
  type MergedSource,
  mergeParts,
  type PartOrigin,
  unite,
} from './merge.ts';

/** The file of the result for each block with entries; everything else is prose. */
const groups: ReadonlyMap<string, string> = new Map(
  records.filter(({ of }) => of !== 'fields').map(({ block, file }) => [block, file]),
);

/** The file of the result for the entries of a block; `undefined` for a block of prose. */
export const groupOf = (block: string): string | undefined => groups.get(block);

/** Whether a part is an entry with fields rather than prose. */
export const isEntry = ({ part }: Pick<MergedPart, 'part'>): boolean =>
  groups.has(part.block) && part.content.kind === 'fields';

/**
 * Decides which texts go to blocks and which stay documents. In a main file documents come first, and only
 * documents can be for some tools. Therefore the parts of a file before its last part for some tools stay
 * documents, too. `merged` are the parts that go to blocks, and the entries.
 */
export function layOutSources(sources: readonly MergedSource[]) {
  const wholes: MergedSource[] = [];
  const others: MergedSource[] = [];
  const untitled = new Set<string>();
  for (const source of sources) {
    const place = adjacentFile(source, others);
    if (place === 'without its title') untitled.add(source.path);
    if (place === 'whole') wholes.push(source);
    else others.push(untitled.has(source.path) ? withTitleNote(source) : source);
  }
  const { parts, repetitions } = mergeParts(others);
  const everybody = readersOfProse([...wholes, ...others]);
  const forSome = (targets: readonly string[] | undefined) =>
    targets !== undefined && (everybody === undefined || everybody.some(id => !targets.includes(id)));
  const prose = parts.filter(one => !isEntry(one) && one.part.block !== 'local');
  const first = new Map(
    componentsOf(prose).map(group => [group, group.findLastIndex(one => forSome(one.targets)) + 1]),
  );
  const staying = new Set([...first].flatMap(([group, count]) => group.slice(0, count)));
  const runs = new DocumentBuilder(untitled, targets => (forSome(targets) ? targets : undefined));
  for (const source of wholes) runs.addWhole(source);
  for (const group of first.keys()) {
    for (const one of group.filter(part => staying.has(part))) runs.add(one);
    for (const one of group.filter(part => !staying.has(part))) runs.addTitles(one);
  }
  const kept = parts.filter(one => !staying.has(one));
  const named = repetitions.filter(({ files: [, path], startLines: [, line] }) =>
    kept.some(({ from }) =>
      from.some(({ source, index }) => source.path === path && source.parts[index]!.startLine === line),
    ),
  );
  return { documents: runs.documents(), merged: kept, repetitions: named };
}

/** The lines up to the main heading of a file that keeps its order. */
const titleOf = ({ parts }: MergedSource): string | undefined => parts[0]?.below;

/** Adapts a file to those before it: only one heading can be above everything that a tool reads. */
function adjacentFile(
  source: MergedSource,
  before: readonly MergedSource[],
): 'sorted' | 'without its title' | 'whole' {
  const { parts, targets } = source;
  const title = titleOf(source);
  const meets = (other: readonly string[] | undefined) =>
    other === undefined || targets === undefined || other.some(id => targets.includes(id));
  const others = before.filter(one => {
    const other = titleOf(one);
    return other !== undefined && other !== title && meets(one.targets);
  });
  if (title === undefined || others.length === 0) return 'sorted';
  const placed = others.flatMap(other => other.parts);
  return parts.filter(part => isVersionOf(part, placed)).length * 2 >= parts.length
    ? 'without its title'
    : 'whole';
}

/** Keeps a title as a comment on the first part. */
function withTitleNote({ parts: [first, ...rest], ...source }: MergedSource): MergedSource {
  const words = first!
    .below!.trim()
    .split('\n')
    .at(-1)!
    .replace(/^#+\s*/, '');
  const review = [first!.review, `only in ${source.path}: the title ${words}`].filter(Boolean).join('\n');
  return { ...source, parts: [{ ...first!, review }, ...rest] };
}

/**
 * The tools that read prose; `undefined` means all. A tool without a text of its own gets the common text.
 */
function readersOfProse(sources: readonly MergedSource[]): readonly string[] | undefined {
  const readers = new Set<string>();
  for (const { parts, targets } of sources) {
    if (parts.every(part => isEntry({ part }) || part.block === 'local')) continue;
    if (targets === undefined) return undefined;
    for (const id of targets) readers.add(id);
  }
  return [...readers];
}

/**
 * Groups parts by files that have parts in common, keeping their order; the order between groups does not
 * matter.
 */
function componentsOf(parts: readonly MergedPart[]): MergedPart[][] {
  const groups: { paths: Set<string>; parts: MergedPart[] }[] = [];
  for (const part of parts) {
    const paths = part.from.map(({ source }) => source.path);
    const own = groups.filter(group => paths.some(path => group.paths.has(path)));
    for (const group of own) groups.splice(groups.indexOf(group), 1);
    groups.push({
      paths: new Set([...own.flatMap(group => [...group.paths]), ...paths]),
      parts: [...own.flatMap(group => group.parts), part],
    });
  }
  const order = new Map(parts.map((part, index) => [part, index]));
  return groups.map(group => group.parts.sort((a, b) => order.get(a)! - order.get(b)!));
}

/** Combines consecutive pieces of a file for the same tools into one document. */
class DocumentBuilder {
  private readonly runs: {
    source: MergedSource;
    from: number;
    to: number;
    targets: readonly string[] | undefined;
  }[] = [];
  private readonly begun = new Set<string>();

  constructor(
    private readonly untitled: ReadonlySet<string>,
    private readonly audience: (targets: readonly string[] | undefined) => readonly string[] | undefined,
  ) {}

  addWhole(source: MergedSource): void {
    this.push(source, this.top(source), Number.POSITIVE_INFINITY, source.targets);
  }

  /** Adds a merged part as its files have it; equal versions once. */
  add({ from, targets }: MergedPart): void {
    const [first, ...rest] = from;
    const versions = rest.filter(({ equal }) => !equal);
    const copies = rest.filter(({ equal }) => equal);
    const ofCopies = [first!, ...copies].map(({ source }) => source.targets).reduce(unite);
    this.addOrigin(first!, versions.length > 0 ? ofCopies : targets);
    for (const one of versions) this.addOrigin(one, one.source.targets);
    for (const one of copies) this.addTitle(one);
  }

  /** Adds the main headings of files that begin with a part in a block. */
  addTitles({ from }: MergedPart): void {
    for (const one of from) this.addTitle(one);
  }

  private addTitle({ source }: PartOrigin): void {
    const title = titleOf(source);
    if (this.begun.has(source.path) || title === undefined || this.untitled.has(source.path)) return;
    const from = this.top(source);
    this.push(source, from, from + title.split('\n').length, source.targets);
  }

  private addOrigin({ source, index }: PartOrigin, targets: readonly string[] | undefined): void {
    const { path, parts } = source;
    const next = parts[index + 1];
    const from = this.begun.has(path) ? parts[index]!.startLine : this.top(source);
    this.push(source, from, next?.startLine ?? Number.POSITIVE_INFINITY, targets);
  }

  private push(source: MergedSource, from: number, to: number, wanted: readonly string[] | undefined): void {
    this.begun.add(source.path);
    const targets = this.audience(wanted);
    const last = this.runs.at(-1);
    if (last?.source.path === source.path && last.to === from && sameTools(last.targets, targets))
      last.to = to;
    else this.runs.push({ source, from, to, targets });
  }

  private readonly top = ({ text }: MergedSource): number => readFrontMatter(text).lines + 1;

  /** Markdown sources with unchanged text: prose in blocks is for all tools, a document may be for some. */
  documents() {
    const found = new Map<string, readonly string[] | undefined>();
    for (const { source, from, to, targets } of this.runs) {
      const lines = source.text.split(/\r\n?|\n/).slice(from - 1, to - 1);
      const text = `${lines
        .join('\n')
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd()}\n`;
      if (text.trim() === '') continue;
      const known = found.has(text) ? found.get(text) : targets;
      found.set(text, this.audience(unite(known, targets)));
    }
    const names = new Set<string>();
    return [...found].map(([text, targets]) => {
      const stem = targets === undefined ? 'document' : targets.length > 2 ? 'some' : targets.join('-');
      const name = unusedName(stem, free => names.has(free));
      names.add(name);
      return { name, text, ...(targets && { targets }) };
    });
  }
}

const sameTools = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every(id => b.includes(id)));
