import { foundAlways, foundTwice } from '../generated/diagnostics.ts';
import type { AlsoRead } from '../generated/types/target.ts';
import { type Draft, isMainOfRoot, itemOf, partOfDraft } from '../kinds/draft.ts';
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

/** Entries that a tool reads in files of other tools, and that are not meant for it in this form. */
export interface Overlap {
  readonly request: TargetRequest;
  readonly kind: EntryKind;
  /** `twice`: also in the tool's own files. `always`: loaded regardless of their condition. */
  readonly how: 'twice' | 'always';
  /** The clients of the tool that are affected; absent means all. */
  readonly clients?: string;
  /** Whether a main file imports them. */
  readonly imported?: true;
  readonly entries: readonly string[];
  readonly own: readonly string[];
  readonly files: readonly string[];
  /** The targets that the files are written for. */
  readonly by: readonly string[];
}

/** A kind of entry that tools can find in files of other tools, as in `reads.also`. */
type EntryKind = 'skills' | 'rules' | 'hooks' | 'servers';

const kindOfPart: Readonly<Record<string, EntryKind | undefined>> = {
  guards: 'rules',
  skills: 'skills',
  hooks: 'hooks',
  mcpServers: 'servers',
};

/** The name of a target in a message, with the affected clients unless all are. */
export const readerName = (target: string, clients: string | undefined): string =>
  clients === undefined ? target : `${target} (in ${clients})`;

export const verbFor = (kind: EntryKind): string => (kind === 'hooks' ? 'runs' : 'takes');

interface WrittenEntry {
  readonly request: TargetRequest;
  readonly kind: EntryKind;
  readonly entry: string;
  readonly path: string;
  readonly isScoped: boolean;
  /** The event of a hook; its command is in `command`. */
  readonly event?: string;
  readonly command?: string;
}

interface Found extends Pick<Overlap, 'how'> {
  readonly entry: WrittenEntry;
  readonly file: string;
  readonly imported: boolean;
}

/**
 * Finds the entries that targets read from files of other targets twice or without their condition, by the
 * `reads` of their specs. `texts` are the written files: rules that a main file imports are loaded by every
 * tool that follows imports.
 */
export function findOverlaps(
  requests: readonly TargetRequest[],
  drafts: readonly Draft[],
  texts: ProjectTexts,
): Overlap[] {
  if (requests.length === 1) return [];
  const byTarget = groupBy(drafts.flatMap(entriesOf), ({ request }) => request);
  const entries = requests.flatMap(request => byTarget.get(request) ?? []);
  return requests.flatMap(request => {
    const importers = importersOf(request, texts);
    const own = byTarget.get(request) ?? [];
    const ownPaths = new Set(own.map(({ path }) => path));
    const ownByEntry = groupBy(own, ({ kind, entry }) => `${kind} ${entry}`);
    const found = entries.flatMap((entry): Found[] => {
      if (entry.request === request || ownPaths.has(entry.path)) return [];
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

/** The effect when a target reads an entry of another one. `own` are its own entries with the same name. */
function effectOf(
  { spec }: TargetRequest,
  entry: WrittenEntry,
  own: readonly WrittenEntry[] | undefined,
): Overlap['how'] | undefined {
  const { also } = spec.reads ?? {};
  const { kind, path, event, command } = entry;
  const places = also?.[kind];
  if (!also || !places) return undefined;
  const isAlways = kind === 'rules' && also.always?.includes(kind) === true && entry.isScoped;
  const endsHere = endsAtOnce(entry, also) && also.hookVariableUnset === undefined;
  // Most tools load an entry once even if they find it several times. Equal hooks are run once, too.
  const isLoadedAgain =
    also.twice?.includes(kind) || (kind === 'hooks' && own?.every(other => other.command !== command));
  if (!isAlways && !(own && !endsHere && isLoadedAgain)) return undefined;
  const takesEvent = event === undefined || also.events?.includes(event) !== false;
  if (!takesEvent || !places.some(place => isUnderPlace(path, place))) return undefined;
  return isAlways ? 'always' : 'twice';
}

/** Whether a hook exits immediately in the tool, except in the clients of `hookVariableUnset`. */
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
  const kind = kindOfPart[partOfDraft(draft) ?? ''];
  if (!kind || draft.kind === 'document') return [];
  if (draft.kind === 'content') {
    const item = itemOf(draft);
    return item ? [{ request, kind, entry: item.path, path, isScoped: activationOf(item) !== 'always' }] : [];
  }
  return draft.edits.flatMap(edit => {
    if (edit.about === undefined) return [];
    const entry = { request, kind, entry: edit.about, path, isScoped: false };
    if (kind !== 'hooks') return [entry];
    // The innermost key above a hook is its event. Each tool has its own format, so the longest text is taken
    // as the command or prompt.
    const command = textsIn(edit.value).reduce((a, b) => (b.length > a.length ? b : a), '');
    return [{ ...entry, event: edit.path.at(-1) ?? '', command }];
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Reports overlaps, once per target, kind and effect. */
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

/** Changes to the plan of a target that keep other tools from reading its files. */
export interface PlanChanges {
  /** Its rules become skills, or a list of files if it has no skills. */
  readonly withoutRules?: boolean;
  /** Hooks that must exit in another tool: path in the program to a variable that this tool sets. */
  readonly exitVariables?: ReadonlyMap<string, string>;
}

/**
 * The changes, by target, that avoid overlaps under the layout `once`. Rules that a main file of another tool
 * imports or contains become skills; hooks that another tool runs in addition to its own exit there. `drafts` have the layout applied.
 */
export function changesAvoidingOverlaps(
  overlaps: readonly Overlap[],
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
): ReadonlyMap<string, PlanChanges> {
  const imported = new Set(overlaps.flatMap(one => (one.how === 'always' && one.imported ? one.by : [])));
  const inFull = targetsWithRulesInFull(drafts);
  const changes = requests.map((request): [string, PlanChanges] => {
    const { id } = request.spec;
    const files = activeFiles(request.spec, request.version, request.options).map(({ file }) => file);
    const hasSkills = files.some(file => partOf(file) === 'skills');
    const withoutRules = request.guardsAsSkills && ((imported.has(id) && hasSkills) || inFull.has(request));
    return [id, { withoutRules, exitVariables: hooksToExit(request, overlaps) }];
  });
  return new Map(changes.filter(([, one]) => one.withoutRules || one.exitVariables!.size > 0));
}

/** A place with the changes of its target; `undefined` when it is not used. */
export function changedPlace(place: Place, { withoutRules, exitVariables }: PlanChanges): Place | undefined {
  const { file } = place;
  if (withoutRules && partOf(file) === 'guards') return undefined;
  // A tool with a variable for its root runs commands in POSIX shells.
  if (exitVariables?.size && file.kind === 'entries' && file.hooks?.root?.env !== undefined) {
    const hooks = { ...file.hooks, exitVariables };
    return { ...place, file: { ...file, hooks } };
  }
  return place;
}

/** The hooks of a target that another tool runs in addition to its own, with the variable of that tool. */
function hooksToExit({ spec }: TargetRequest, overlaps: readonly Overlap[]): ReadonlyMap<string, string> {
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

/** Targets whose rules are contained in a main file that they share with tools that have rule files. */
function targetsWithRulesInFull(drafts: readonly Draft[]): ReadonlySet<TargetRequest> {
  const mains = drafts.filter(isMainOfRoot);
  const found = [...groupBy(mains, ({ path }) => path).values()].flatMap(all => {
    const withRules = all.filter(({ lists }) => (lists.get('guards')?.length ?? 0) > 0);
    return withRules.length < all.length ? withRules : [];
  });
  return new Set(found.map(({ request }) => request));
}
