import { join } from 'node:path';
import { outputLinked } from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { type ProjectTexts, uncutTexts } from '../../spec/loading/load.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Compiled } from '../compile.ts';
import { resolvePlace } from '../move-in/readers.ts';
import { tryFiles } from '../preview-update.ts';
import type { CompileContext } from '../session/world.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { AdoptedFile, Adoption, Setting } from './adoption.ts';
import { lowerFirst } from './entries.ts';

export interface Checked {
  /** Originals that a compile would change, or whose source has errors. */
  readonly excluded: Map<string, string>;
  /** What a compile would write for structured originals that are each one source. */
  readonly planned: Map<string, string>;
  /** Files that would change without a faulty original. */
  readonly changed: {
    readonly path: string;
    readonly reason: string;
    readonly targets: readonly string[];
  }[];
  /** A link to another output: its tool would read content that it must not get. */
  readonly linked: boolean;
  /** Errors of rules about texts that are to stay as they are. */
  readonly ruled: readonly Diagnostic[];
  readonly warned: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
  /** Errors that block the compile, whatever their cause. */
  readonly broken: readonly Diagnostic[];
  /** A tool that would always load more than before, and the file that causes it. */
  readonly grown?: ReturnType<typeof findGrowth>;
}

const still: ReadonlySet<PlanEntry['state']> = new Set(['adopted', 'unchanged', 'source']);

/** Compiles what a migration would write, without writing it, and finds every file that would change. */
export async function checkAdoption(
  adoption: Adoption,
  files: readonly SourceFile[],
  setting: Setting,
  context: CompileContext,
): Promise<Checked> {
  const { root, added } = setting;
  const { findings, compiled } = await tryFiles(files, root, context);
  const excluded = new Map<string, string>();
  const refuse = refuser(adoption, excluded);
  const isError = ({ severity }: Diagnostic) => severity === 'error';
  const united = new Set(adoption.adopted.flatMap(({ source, unitedFor }) => (unitedFor ? [source] : [])));
  const ruled = findings.filter(finding => {
    const { rule, span, message } = finding;
    if (!isError(finding) || rule === undefined) return false;
    return !united.has(span?.source.name ?? '') || !refuse(span!.source.name, lowerFirst(message));
  });
  const errors = findings.filter(finding => {
    if (!isError(finding) || finding.rule !== undefined) return false;
    const source = finding.span?.source.name ?? finding.file;
    return source === undefined || !refuse(source, lowerFirst(finding.message));
  });
  const links = findings.filter(({ code }) => code === linkedCode);
  for (const { file, message } of links) {
    // A source with `into` is written to that path unchanged, also for tools that read it through a link.
    const own = adoption.adopted.find(({ path, mayPin }) => path === file && mayPin);
    if (own) refuse(own.source, lowerFirst(message));
  }
  const found = {
    excluded,
    planned: new Map<string, string>(),
    changed: [],
    linked: links.length > 0,
    ruled,
    warned: findings.filter(({ severity, rule }) => severity === 'warning' && rule !== undefined),
  };
  if (!compiled) return { ...found, errors, broken: errors };
  if (compiled.broken) {
    // Errors of the plan are reported by its entries already.
    const isBlocking = (error: Diagnostic) => excluded.size + ruled.length === 0 || error.span !== undefined;
    return { ...found, errors: errors.filter(isBlocking), broken: findings.filter(isError) };
  }
  compareEntries(compiled, adoption, setting, refuse, found);
  const isInPlace = ({ path, source }: AdoptedFile) => path === source;
  const real = (path: string) => context.disk.realpath(join(root, path)) ?? join(root, path);
  const reached = new Set(
    [...compiled.entries, ...adoption.adopted.filter(isInPlace)].map(({ path }) => real(path)),
  );
  for (const one of adoption.adopted) {
    const isReached = reached.has(real(one.path)) || isInPlace(one);
    if (!isReached && !excluded.has(one.path)) excluded.set(one.path, unwritten);
  }
  const used = adoption.targets.map(({ spec }) => spec).filter(spec => !added.includes(spec));
  const grown = findGrowth(used, compiled.entries, setting, context.disk);
  const blocking = errors.filter(({ span }) => span !== undefined);
  return { ...found, errors: blocking, broken: [], grown };
}

const unwritten = 'nothing of it would be written: a compile would leave it as it is from now on';

const linkedCode = outputLinked({ path: '', place: '', target: '', line: '' }, {}).code;

type Refuse = (source: string, reason: string, at?: PlanEntry) => boolean;

/**
 * Leaves out the originals of a source; returns `false` when there are none. Of a source for several files, only the
 * originals in `at` are left out, when that is known and the source cannot have an `into`.
 */
function refuser({ adopted }: Adoption, excluded: Map<string, string>): Refuse {
  return (source, reason, at) => {
    const all = adopted.filter(one => one.source === source || isInSkill(source, one.source));
    const own = all.filter(({ path, mayPin, unitedFor }) => {
      // Of files with different fields, only those of the tools that the source does not fit.
      if (unitedFor) return at?.targets.some(id => unitedFor.has(id));
      if (path !== at?.path) return false;
      // A file that is adopted from several sources is checked separately, because one of these sources may not need
      // it.
      return !mayPin || adopted.some(one => one.path === path && one.source !== source);
    });
    const originals = own.length > 0 ? own : all;
    for (const one of originals)
      if (!excluded.has(one.path))
        excluded.set(one.path, reason.replaceAll(folderOf(one.source), folderOf(one.path)));
    return originals.length > 0;
  };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1) || path;

/** Whether a file belongs to the skill whose text is the other file. */
const isInSkill = (path: string, text: string): boolean =>
  text.endsWith('/SKILL.md') && `${path}/`.startsWith(text.slice(0, -'SKILL.md'.length));

function compareEntries(
  compiled: Compiled,
  adoption: Adoption,
  setting: Setting,
  refuse: Refuse,
  { changed, planned }: Pick<Checked, 'changed' | 'planned'>,
): void {
  const { added, before, conflictsStay, root, disk } = setting;
  const names = namesByFile(compiled, setting);
  const isAsBefore = ({ path, state, sha256 }: PlanEntry): boolean => {
    const known = before.get(path);
    const blocks = state === 'conflict' || state === 'drifted';
    return known?.state === state && known.sha256 === sha256 && (conflictsStay || !blocks);
  };
  const isAdded = ({ state, targets }: PlanEntry) =>
    state === 'new' && targets.some(id => added.some(spec => spec.id === id));
  for (const entry of compiled.entries) {
    const { path, state, content, targets } = entry;
    if (still.has(state) || isAsBefore(entry) || isAdded(entry)) continue;
    const reason = entry.reason ?? (state === 'new' ? 'it is not there yet' : 'it would be written anew');
    const held = names.get(resolvePlace(join(root, path), true, disk)) ?? new Set();
    const sources = sourcesOf(path, held, adoption);
    for (const source of sources) refuse(source, reason, entry);
    if (content && !isMarkdownPath(path) && sources.every(isMarkdownPath))
      planned.set(path, new TextDecoder().decode(content));
    if (sources.length === 0) changed.push({ path, reason, targets });
  }
}

/** Names of the items in each file of a compile, by the real path of the file. */
function namesByFile({ placed }: Compiled, { root, disk }: Setting): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const { path, name = '', parts = [] } of placed) {
    const real = resolvePlace(join(root, path), true, disk);
    const known = names.get(real) ?? new Set<string>();
    names.set(real, known);
    for (const one of [name, ...parts.map(held => held.slice(held.indexOf('.') + 1))]) known.add(slug(one));
  }
  return names;
}

const slug = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');

/** Sources of a file: that of the original at its path, otherwise those of its items. */
function sourcesOf(path: string, names: ReadonlySet<string>, { adopted, documents }: Adoption): string[] {
  const document = documents.find(({ places }) => places.includes(path));
  const own = adopted.find(original => original.path === path && !document)?.source;
  if (own !== undefined) return [own];
  const isIn = (source: string) => {
    if (documents.some(one => one.source === source)) return false;
    const folder = /\/skills\/[^/]+\//.exec(source)?.[0];
    return names.has(slug(nameOf(source))) || (folder !== undefined && path.includes(folder));
  };
  // Sources with `into` are left out last.
  const isPinned = (original: AdoptedFile) => isItem(original) && !original.mayPin;
  for (const wanted of [false, true]) {
    const some = adopted.filter(original => isPinned(original) === wanted && isIn(original.source));
    if (some.length > 0) return [...new Set(some.map(({ source }) => source))];
  }
  // Nothing was added to the text, so the document itself is written differently.
  return document ? [document.source] : [];
}

const isItem = ({ source }: AdoptedFile): boolean =>
  /^\.instr\/(?:rules|agents|commands|skills)\//.test(source);

const nameOf = (source: string): string =>
  /\/skills\/([^/]+)\/SKILL\.md$/.exec(source)?.[1] ??
  source
    .replace(/^\.instr\/[^/]+\//, '')
    .replace(/\.[^.]+$/, '')
    .replaceAll('/', '-');

/** The first tool in use for which a compile would increase what it always loads. */
function findGrowth(
  specs: readonly TargetSpec[],
  entries: readonly PlanEntry[],
  { found, root }: Setting,
  disk: Disk,
) {
  const written = new Map(
    entries.flatMap(({ path, action, content }) =>
      action === 'write' && content ? [[path, new TextDecoder().decode(content)] as const] : [],
    ),
  );
  const now: ProjectTexts = {
    has: path => disk.stat(join(root, path))?.kind === 'file',
    get: path => new TextDecoder().decode(disk.readBytes(join(root, path))),
  };
  const then: ProjectTexts = {
    has: path => written.has(path) || now.has(path),
    get: path => written.get(path) ?? now.get(path),
  };
  // A session that reads a file in every folder with a main file.
  const read = [...new Set(found.files.map(({ path }) => path.replace(/[^/]*$/, 'file')))];
  for (const spec of specs) {
    const [was, is] = [now, then].map(texts => uncutTexts(spec, texts, { at: '', read }));
    const [before, after] = [was!, is!].map(texts =>
      texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    );
    if (after! <= before!) continue;
    const known = new Map(was!.map(({ path, text }) => [path, text]));
    const cause = is!.find(({ path, text }) => known.get(path) !== text) ?? is![0]!;
    return { tool: spec.title, path: cause.path, before: before!, after: after! };
  }
  return undefined;
}
