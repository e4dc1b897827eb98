import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { outputLinked } from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { Compiling } from '../../session/world.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Compiled } from '../compile.ts';
import { tryFiles } from '../try-files.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { Adopted, Adoption } from './adoption.ts';
import { findGrowth, type Grown } from './growth.ts';
import type { FoundFiles } from './scan.ts';

/** What a compile after the migration would do. */
export interface Checked {
  /** Originals that would come out otherwise than they stand, or whose source has errors. */
  readonly excluded: ReadonlyMap<string, string>;
  /** What would be written in the place of structured originals that are all of one source. */
  readonly planned: ReadonlyMap<string, string>;
  /** Files that would change though no original is to blame: path and reason. */
  readonly changed: readonly {
    readonly path: string;
    readonly reason: string;
    readonly targets: readonly string[];
  }[];
  /** A link to another output would hold what its tool is not given. */
  readonly linked: boolean;
  /** Errors of rules about texts that are to stay as they are. */
  readonly ruled: readonly Diagnostic[];
  /** Warnings of rules. */
  readonly warned: readonly Diagnostic[];
  /** Errors that no original is to blame for. */
  readonly errors: readonly Diagnostic[];
  /** Errors for which nothing would be written, whoever is to blame. */
  readonly broken: readonly Diagnostic[];
  /** A tool that would always load more than before. */
  readonly grown?: Grown;
}

/** What a migration would write, and where. */
export interface ToCheck {
  readonly adoption: Adoption;
  readonly files: readonly SourceFile[];
  readonly root: string;
  /** What a compile would do without the migration. */
  readonly before: ReadonlyMap<string, PlanEntry>;
  /** What is in the way already may stay in the way. */
  readonly conflictsStay: boolean;
  /** Tools that may have new files: they have none yet. */
  readonly added: readonly TargetSpec[];
  /** What is there. */
  readonly found: FoundFiles;
}

/** States of files that stay as they are. */
const still: ReadonlySet<PlanEntry['state']> = new Set(['adopted', 'unchanged', 'source']);

/** Compiles what a migration would write, without writing it, and looks for everything that would not stay as it is. */
export async function checkAdoption(
  { adoption, files, root, before, conflictsStay, added, found: there }: ToCheck,
  context: Compiling,
): Promise<Checked> {
  const { findings: found, compiled } = await tryFiles(files, root, context);
  const excluded = new Map<string, string>();
  /** Of a source for several files only what `at` has stays there, when that is known, and when it cannot say where it stands. */
  const refuse = (source: string, reason: string, at?: PlanEntry): boolean => {
    const all = adoption.adopted.filter(
      adopted => adopted.source === source || isInSkill(source, adopted.source),
    );
    const own = all.filter(({ path }) => {
      const readers = adoption.united.get(path);
      // Of files that say other fields only those of the tools that the source does not suit.
      if (readers) return at?.targets.some(id => readers.has(id));
      if (path !== at?.path) return false;
      // A file that several sources are adopted from is asked about by itself: one of them need not be taken from it.
      return (
        !adoption.unpinned.has(path) ||
        adoption.adopted.some(adopted => adopted.path === path && adopted.source !== source)
      );
    });
    const originals = own.length > 0 ? own : all;
    for (const one of originals)
      if (!excluded.has(one.path))
        excluded.set(one.path, reason.replaceAll(folderOf(one.source), folderOf(one.path)));
    return originals.length > 0;
  };
  const united = new Set(
    adoption.adopted.flatMap(({ path, source }) => (adoption.united.has(path) ? [source] : [])),
  );
  const ruled = found.filter(({ severity, rule, span, message }) => {
    if (severity !== 'error' || rule === undefined) return false;
    return !united.has(span?.source.name ?? '') || !refuse(span!.source.name, lowerFirst(message));
  });
  const errors = found.filter(finding => {
    if (finding.severity !== 'error' || finding.rule !== undefined) return false;
    const source = finding.span?.source.name ?? finding.file;
    return source === undefined || !refuse(source, lowerFirst(finding.message));
  });
  let linked = false;
  for (const { code, file, message } of found) {
    if (code !== linkedCode) continue;
    linked = true;
    // What says where it stands comes out there as it is written, for whoever reads it by a link.
    const own = adoption.adopted.find(({ path }) => path === file && adoption.unpinned.has(path));
    if (own) refuse(own.source, lowerFirst(message));
  }
  const warned = found.filter(({ severity, rule }) => severity === 'warning' && rule !== undefined);
  const planned = new Map<string, string>();
  const changed: { path: string; reason: string; targets: readonly string[] }[] = [];
  if (!compiled) return { excluded, planned, changed, linked, ruled, warned, errors, broken: errors };
  for (const entry of compiled.broken ? [] : compiled.entries) {
    const isAdded = entry.state === 'new' && entry.targets.some(id => added.some(spec => spec.id === id));
    if (still.has(entry.state) || isAsBefore(entry, before, conflictsStay) || isAdded) continue;
    const reason =
      entry.reason ?? (entry.state === 'new' ? 'it is not there yet' : 'it would be written anew');
    const to = blame(entry, adoption, files, compiled);
    for (const source of to) refuse(source, reason, entry);
    if (entry.content && !isMarkdownPath(entry.path) && to.every(source => isMarkdownPath(source)))
      planned.set(entry.path, new TextDecoder().decode(entry.content));
    if (to.length === 0) changed.push({ path: entry.path, reason, targets: entry.targets });
  }
  const real = (path: string) => context.disk.realpath(join(root, path)) ?? join(root, path);
  const reached = new Set(
    [...compiled.entries, ...adoption.adopted.filter(isInPlace)].map(({ path }) => real(path)),
  );
  for (const { path, source } of compiled.broken ? [] : adoption.adopted) {
    if (!reached.has(real(path)) && !excluded.has(path) && source !== path) excluded.set(path, left);
  }
  const blocking =
    compiled.broken && excluded.size + ruled.length === 0 ? errors : errors.filter(isAboutSources);
  const used = adoption.targets.map(({ spec }) => spec).filter(spec => !added.includes(spec));
  const grown = findGrowth(used, compiled.entries, there, root, context.disk);
  const broken = compiled.broken ? found.filter(({ severity }) => severity === 'error') : [];
  return {
    excluded,
    planned,
    changed,
    linked,
    ruled,
    warned,
    errors: blocking,
    broken,
    ...(grown && { grown }),
  };
}

const left = 'nothing of it would be written: a compile would leave it as it is from now on';

const linkedCode = outputLinked({ path: '', place: '', target: '', line: '' }, {}).code;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1) || path;

/** Whether a file travels with the skill of which the other is the text. */
const isInSkill = (path: string, text: string): boolean =>
  text.endsWith('/SKILL.md') && `${path}/`.startsWith(text.slice(0, -'SKILL.md'.length));

const isInPlace = ({ path, source }: Adopted): boolean => path === source;

/** Errors of the plan are told by the entries already. */
const isAboutSources = ({ span }: Diagnostic): boolean => span !== undefined;

const isAsBefore = (
  entry: PlanEntry,
  before: ReadonlyMap<string, PlanEntry>,
  conflictsStay: boolean,
): boolean => {
  const known = before.get(entry.path);
  const blocks = entry.state === 'conflict' || entry.state === 'drifted';
  return (
    known !== undefined &&
    (conflictsStay || !blocks) &&
    known.state === entry.state &&
    known.sha256 === entry.sha256
  );
};

/** Sources whose text led to a file: that of the original at its path, else those of the items in it. */
function blame(
  entry: PlanEntry,
  { adopted, documents, unpinned }: Adoption,
  files: readonly SourceFile[],
  { placed }: Compiled,
): string[] {
  const { path } = entry;
  const document = documents.find(({ places }) => places.includes(path));
  const own = adopted.find(original => original.path === path && !document)?.source;
  if (own !== undefined) return [own];
  const texts = new Map(
    files
      .filter(file => documents.every(({ source }) => source !== file.path))
      .map(file => [file.path, file.text]),
  );
  const there = placed.filter(place => place.path === path);
  const called = new Set(there.map(({ name }) => name));
  const held = new Set(there.flatMap(({ holds = [] }) => holds.map(itemName)));
  // What says where it stands is the last to come out elsewhere.
  const [standing, others] = [true, false].map(stands =>
    adopted.filter(original => stands === (isItem(original) && !unpinned.has(original.path))),
  );
  for (const some of [others!, standing!]) {
    const found = sourcesIn(entry, [...new Set(some.map(({ source }) => source))], called, texts);
    if (found.length > 0) return found;
  }
  // A rule can stand there in other words than those of its text.
  const inText = others!.map(({ source }) => source).filter(source => held.has(nameOf(source)));
  if (inText.length > 0) return [...new Set(inText)];
  // Nothing was added to the text: the document itself does not come out as it stands.
  return document ? [document.source] : [];
}

/** Those of the sources that are in a file: by their names, as a part of a skill, or by a line of their text. */
function sourcesIn(
  { path, content }: PlanEntry,
  sources: readonly string[],
  called: ReadonlySet<string | undefined>,
  texts: ReadonlyMap<string, SourceFile['text']>,
): string[] {
  const named = sources.filter(source => called.has(nameOf(source)));
  if (named.length > 0) return named;
  const inside = sources.filter(source => {
    const folder = /\/skills\/[^/]+\//.exec(source)?.[0];
    return folder !== undefined && path.includes(folder);
  });
  if (inside.length > 0) return inside;
  const text = content && new TextDecoder().decode(content);
  return sources.filter(source => {
    const written = texts.get(source);
    if (text === undefined || written === undefined) return false;
    const body = typeof written === 'string' ? written : new TextDecoder().decode(written);
    return hasLine(text, longestLine(body)) || text.includes(`\`${nameOf(source)}\``);
  });
}

const isItem = ({ source }: Adopted): boolean => /^\.instr\/(?:rules|agents|commands|skills)\//.test(source);

/** `review` of `guards.review`. */
const itemName = (path: string): string => path.slice(path.indexOf('.') + 1);

/** What an item is called after its file. */
const nameOf = (source: string): string =>
  /\/skills\/([^/]+)\/SKILL\.md$/.exec(source)?.[1] ??
  source
    .replace(/^\.instr\/[^/]+\//, '')
    .replace(/\.[^.]+$/, '')
    .replaceAll('/', '-');

/** Whether a text has a line, under whatever heading or mark; a short one is a part of many others. */
const hasLine = (text: string, line: string): boolean =>
  line.length > 24 ? text.includes(line) : text.split('\n').some(one => bare(one) === bare(line));

const bare = (line: string): string => line.trim().replace(/^(#)?[#>*\s-]+/, '$1');

function longestLine(text: string): string {
  const body = text.replace(/^\ufeff?---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, '');
  return body
    .split(/\r?\n/)
    .reduce((best, line) => (line.trim().length > best.length ? line.trim() : best), '');
}

const lowerFirst = (text: string): string =>
  text.slice(0, 1).toLowerCase() + text.slice(1).replace(/\.$/, '');
