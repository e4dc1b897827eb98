import { foundAlways, foundTwice } from '../generated/diagnostics.ts';
import type { AlsoRead } from '../generated/types/target.ts';
import { type Draft, isMain } from '../kinds/draft.ts';
import { activeFiles, type Place } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { exitUnless } from '../kinds/write/hooks.ts';
import { activationOf } from '../model/guards.ts';
import { loadTexts, type ProjectTexts } from '../spec/loading/load.ts';
import { isUnderPlace } from '../spec/reads.ts';
import { partOf } from '../spec/spec.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { fewNames, fewQuoted } from '../text/names.ts';

/** Entries that a tool reads in files of other tools in another way than they are meant for it. */
export interface Overlap {
  readonly request: TargetRequest;
  readonly kind: EntryKind;
  /** `twice`: the tool has them in its own files, too. `always`: it reads them without their condition. */
  readonly how: 'twice' | 'always';
  /** The only clients of the tool that are concerned; absent: all. */
  readonly clients?: string;
  /** A main file imports them. */
  readonly imported?: true;
  readonly entries: readonly string[];
  readonly own: readonly string[];
  readonly files: readonly string[];
  /** The targets that the files are written for. */
  readonly by: readonly string[];
}

/** A kind of entry that tools can find in files of others, as `reads.also` names it. */
type EntryKind = 'skills' | 'rules' | 'hooks' | 'servers';

const kindOfPart: Readonly<Record<string, EntryKind | undefined>> = {
  guards: 'rules',
  skills: 'skills',
  hooks: 'hooks',
  mcpServers: 'servers',
};

const entryKinds = Object.values(kindOfPart) as readonly EntryKind[];

/** The name of a target in a message, with the clients that are concerned when these are not all. */
export const readerName = (target: string, clients: string | undefined): string =>
  clients === undefined ? target : `${target} (in ${clients})`;

/** What a tool does with entries of a kind, as a verb. */
export const verbFor = (kind: EntryKind): string => (kind === 'hooks' ? 'runs' : 'takes');

interface WrittenEntry {
  readonly request: TargetRequest;
  readonly kind: EntryKind;
  readonly entry: string;
  readonly path: string;
  /** A rule that has a condition. */
  readonly isScoped: boolean;
  /** The event of a hook, and its command. */
  readonly event?: string;
  readonly command?: string;
}

interface Found extends Pick<Overlap, 'how'> {
  readonly entry: WrittenEntry;
  readonly file: string;
  readonly imported: boolean;
}

/**
 * Finds the entries that targets read in files of other targets twice or without their condition, according to `reads` of
 * their specs. `texts` are the written files: rules that a main file imports are loaded by whoever follows imports.
 */
export function findOverlaps(
  requests: readonly TargetRequest[],
  drafts: readonly Draft[],
  texts: ProjectTexts,
): Overlap[] {
  const wanted = new Set(requests.flatMap(request => [...kindsThatMatter(request)]));
  if (requests.length === 1 || wanted.size === 0) return [];
  const byTarget = groupBy(drafts.flatMap(entriesOf), ({ request }) => request);
  const entries = requests.flatMap(request =>
    (byTarget.get(request) ?? []).filter(({ kind }) => wanted.has(kind)),
  );
  return requests.flatMap(request => {
    const importers = importersOf(request, texts);
    const kinds = kindsThatMatter(request, importers.size > 0);
    if (kinds.size === 0) return [];
    const own = byTarget.get(request) ?? [];
    const ownPaths = new Set(own.map(({ path }) => path));
    const ownByEntry = groupBy(own, ({ kind, entry }) => `${kind} ${entry}`);
    const found = entries.flatMap((entry): Found[] => {
      if (entry.request === request || !kinds.has(entry.kind) || ownPaths.has(entry.path)) return [];
      const importer = entry.kind === 'rules' ? importers.get(entry.path) : undefined;
      if (importer !== undefined)
        return entry.isScoped ? [{ how: 'always', entry, file: importer, imported: true }] : [];
      const how = effectOf(request, entry, ownByEntry.get(`${entry.kind} ${entry.entry}`));
      return how ? [{ how, entry, file: entry.path, imported: false }] : [];
    });
    const groups = groupBy(found, ({ how, entry, imported }) => `${how} ${imported} ${entry.kind}`);
    return [...groups.values()].map(group => uniteFound(request, own, group));
  });
}

/** The kinds of entries that a target can read in another way than they are meant: rules also by imports of main files. */
function kindsThatMatter(
  { spec: { reads } }: TargetRequest,
  imports = reads?.imports !== undefined,
): ReadonlySet<EntryKind> {
  const { also } = reads ?? {};
  return new Set(
    entryKinds.filter(
      kind => (kind === 'rules' && imports) || (also?.[kind] !== undefined && matters(kind, also)),
    ),
  );
}

/** Most tools take an entry once that they find several times. Hooks are compared by their commands. */
const matters = (kind: EntryKind, { twice, always }: AlsoRead): boolean =>
  kind === 'hooks' || twice?.includes(kind) === true || (kind === 'rules' && always?.includes(kind) === true);

/** What is wrong when a target reads an entry of another one. `own` are its own entries of the same name. */
function effectOf(
  { spec }: TargetRequest,
  entry: WrittenEntry,
  own: readonly WrittenEntry[] | undefined,
): Overlap['how'] | undefined {
  const { also } = spec.reads ?? {};
  const { kind, path, event } = entry;
  if (!also || !matters(kind, also)) return undefined;
  const isAlways = kind === 'rules' && also.always?.includes(kind) === true && entry.isScoped;
  const endsHere = endsAtOnce(entry, also) && also.hookVariableUnset === undefined;
  if (!isAlways && (!own || endsHere)) return undefined;
  const takesEvent = event === undefined || also.events?.includes(event) !== false;
  if (!takesEvent || !also[kind]?.some(place => isUnderPlace(path, place))) return undefined;
  if (isAlways) return 'always';
  if (also.twice?.includes(kind)) return 'twice';
  // A tool that takes equal hooks once compares their commands.
  return kind === 'hooks' && own!.every(({ command }) => command !== entry.command) ? 'twice' : undefined;
}

/** Whether a hook ends at once where the tool runs it, except in the clients of `hookVariableUnset`. */
const endsAtOnce = ({ command }: WrittenEntry, { hookVariable }: AlsoRead): boolean =>
  hookVariable !== undefined && command?.startsWith(exitUnless(hookVariable)) === true;

function uniteFound(
  request: TargetRequest,
  own: readonly WrittenEntry[],
  found: readonly [Found, ...Found[]],
): Overlap {
  const [{ how, entry, imported }] = found;
  const entries = new Set(found.map(one => one.entry.entry));
  const same = own.filter(({ kind, entry: path }) => kind === entry.kind && entries.has(path));
  const { also } = request.spec.reads ?? {};
  const clients = also && how === 'twice' && endsAtOnce(entry, also) && also.hookVariableUnset;
  return {
    request,
    kind: entry.kind,
    how,
    ...(clients && { clients }),
    ...(imported && { imported }),
    entries: [...entries],
    own: [...new Set(same.map(({ path }) => path))],
    files: [...new Set(found.map(({ file }) => file))],
    by: [...new Set(found.map(one => one.entry.request.spec.id))],
  };
}

function importersOf({ spec }: TargetRequest, texts: ProjectTexts): ReadonlyMap<string, string> {
  const { parts } = spec.reads?.imports ? loadTexts(spec, texts) : { parts: [] };
  return new Map(
    parts.flatMap(({ path, importedBy }) => (importedBy === undefined ? [] : [[path, importedBy]])),
  );
}

function entriesOf(draft: Draft): WrittenEntry[] {
  const { request, path } = draft;
  const file = draft.place === undefined ? undefined : request.spec.files[draft.place];
  const kind = file && kindOfPart[partOf(file) ?? ''];
  if (!kind || draft.kind === 'document') return [];
  if (draft.kind === 'content') {
    const { item, resource } = draft;
    if (!item || resource !== undefined) return [];
    return [{ request, kind, entry: item.path, path, isScoped: activationOf(item) !== 'always' }];
  }
  return draft.edits.flatMap(edit => {
    if (edit.about === undefined) return [];
    const entry = { request, kind, entry: edit.about, path, isScoped: false };
    if (kind !== 'hooks') return [entry];
    // The innermost key that hooks are listed under is the event. The command or prompt of a hook is the longest text
    // in it, because each tool has a form of its own.
    const command = textsIn(edit.value).reduce((a, b) => (b.length > a.length ? b : a), '');
    return [{ ...entry, event: edit.path.at(-1) ?? '', command }];
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Reports overlaps, once for each target, kind and effect. */
export function reportOverlaps(overlaps: readonly Overlap[], report: Report): void {
  for (const { request, kind, how, clients, entries, own, files, by } of overlaps) {
    const target = request.spec.id;
    const where = { file: files[0]!, about: entries[0]!, span: request.at, target };
    const holes = {
      target: readerName(target, clients),
      entries: fewQuoted(entries),
      files: fewNames(files),
      by: fewNames(by),
    };
    if (how === 'always') report(foundAlways(holes, where));
    else report(foundTwice({ ...holes, takes: verbFor(kind), own: fewNames(own) }, where));
  }
}

/** How a target is planned differently from its spec, so that other tools do not read its files. */
export interface PlanChanges {
  /** Its rules become skills, or a list of files where it has no skills. */
  readonly withoutRules?: boolean;
  /** Its rules lie in the folder that its spec has for rules which no other tool is to read. */
  readonly usesExclusivePath?: boolean;
  /** Hooks that end at once where another tool runs them: path in the program to the variable of that tool. */
  readonly leaves?: ReadonlyMap<string, string>;
}

/**
 * The changes, by target, that avoid overlaps under the layout `once`. Rules that a main file of another tool imports, or
 * holds in full, become skills; rules in a folder that another tool reads without their conditions move; hooks that
 * another tool runs in addition to its own end there. `drafts` are laid out.
 */
export function changesAvoiding(
  overlaps: readonly Overlap[],
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
): ReadonlyMap<string, PlanChanges> {
  const always = overlaps.filter(({ how }) => how === 'always');
  const imported = new Set(always.flatMap(one => (one.imported ? one.by : [])));
  const read = new Set(always.flatMap(one => (one.imported ? [] : one.by)));
  const inFull = targetsWithRulesInFull(drafts);
  const changes = requests.map((request): [string, PlanChanges] => {
    const { id } = request.spec;
    const files = activeFiles(request.spec, request.version, request.options).map(({ file }) => file);
    const hasSkills = files.some(file => partOf(file) === 'skills');
    const withoutRules = request.guardsAsSkills && ((imported.has(id) && hasSkills) || inFull.has(request));
    const usesExclusivePath =
      read.has(id) && files.some(file => file.kind === 'items' && file.exclusivePath !== undefined);
    return [id, { withoutRules, usesExclusivePath, leaves: hooksToLeave(request, overlaps) }];
  });
  return new Map(
    changes.filter(([, one]) => one.withoutRules || one.usesExclusivePath || one.leaves!.size > 0),
  );
}

/** A place with the changes of its target; `undefined` when the target does without it. */
export function changedPlace(
  place: Place,
  { withoutRules, usesExclusivePath, leaves }: PlanChanges,
): Place | undefined {
  const { file } = place;
  if (withoutRules && partOf(file) === 'guards') return undefined;
  if (usesExclusivePath && file.kind === 'items' && file.exclusivePath !== undefined)
    return { ...place, file: { ...file, path: file.exclusivePath } };
  // A tool that names its root in a variable runs commands in POSIX shells.
  if (leaves?.size && file.kind === 'entries' && file.hooks?.root?.env !== undefined) {
    const hooks = { ...file.hooks, leaves };
    return { ...place, file: { ...file, hooks } };
  }
  return place;
}

/** The hooks of a target that another tool runs in addition to its own, with the variable of that tool. */
function hooksToLeave({ spec }: TargetRequest, overlaps: readonly Overlap[]): ReadonlyMap<string, string> {
  const alsoRead = spec.reads?.also?.hooks ?? [];
  return new Map(
    overlaps.flatMap(({ kind, how, request, by, files, entries }): [string, string][] => {
      const variable = request.spec.reads?.also?.hookVariable;
      if (kind !== 'hooks' || how !== 'twice' || variable === undefined || request.spec.id === spec.id)
        return [];
      const isOurs = by.includes(spec.id) || files.some(path => alsoRead.includes(path));
      return isOurs ? entries.map(entry => [entry, variable]) : [];
    }),
  );
}

/** Targets whose rules are in full in a main file that they share with tools which have rule files. */
function targetsWithRulesInFull(drafts: readonly Draft[]): ReadonlySet<TargetRequest> {
  const mains = drafts.filter(isMain).filter(({ guards }) => !guards);
  const found = [...groupBy(mains, ({ path }) => path).values()].flatMap(all => {
    const withRules = all.filter(({ lists }) => (lists.get('guards')?.length ?? 0) > 0);
    return withRules.length < all.length ? withRules : [];
  });
  return new Set(found.map(({ request }) => request));
}
