import type { AlsoRead } from '../generated/types/target.ts';
import type { Draft } from '../kinds/draft.ts';
import type { KeyEdit } from '../kinds/output.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { loadTexts, type ProjectTexts } from '../load/load.ts';
import { activationOf } from '../model/guards.ts';
import type { Item } from '../model/model.ts';
import { partOf } from '../spec/part-of.ts';
import { groupBy } from '../text/group.ts';
import { perObject } from '../text/memo.ts';

/** What a tool can find in places of others. */
export type FoundKind = 'skills' | 'rules' | 'hooks' | 'servers';

const foundKinds: readonly FoundKind[] = ['skills', 'rules', 'hooks', 'servers'];

/** Entries that a tool is given by files of others, in another way than it was meant. */
export interface Elsewhere {
  readonly request: TargetRequest;
  readonly kind: FoundKind;
  /** `twice`: it has them in files of its own, too. `always`: without the condition that they have. */
  readonly how: 'twice' | 'always';
  /** A main file brings them. */
  readonly imported?: true;
  /** Paths of the entries in the program. */
  readonly entries: readonly string[];
  /** The files of its own that say the same. */
  readonly own: readonly string[];
  readonly files: readonly string[];
  /** The targets that the files are written for. */
  readonly by: readonly string[];
}

/** An entry in a file that is written for a target. */
interface Holding {
  readonly kind: FoundKind;
  readonly entry: string;
  readonly item?: Item;
  readonly path: string;
  /** The event of a hook, and what runs at it. */
  readonly event?: string;
  readonly runs?: string;
}

/**
 * What each target gets of the files of others beside its own, by what its spec says that it reads. `texts` are the written
 * files by path: scoped rules that a main file imports are loaded with it by whoever follows imports.
 */
export function findElsewhere(
  requests: readonly TargetRequest[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
  texts: ProjectTexts,
): Elsewhere[] {
  const readers = requests.filter(({ spec: { reads } }) => reads?.also ?? reads?.imports);
  if (readers.length === 0 || requests.length === 1) return [];
  const held = new Map<TargetRequest, Holding[]>(requests.map(request => [request, []]));
  for (const draft of [...byPath.values()].flat()) held.get(draft.request)?.push(...holdingsOf(draft));
  const findable = indexHoldings(requests, held);
  return readers.flatMap(request => {
    const own = held.get(request)!;
    const ownPaths = new Set(own.map(({ path }) => path));
    const imported = importedBy(request, texts);
    const found: Found[] = [];
    for (const { holding, owner } of findable(request, imported)) {
      if (owner === request || ownPaths.has(holding.path)) continue;
      const importer = holding.kind === 'rules' ? imported.get(holding.path) : undefined;
      const how = importer === undefined ? howFound(request, holding, own) : isScoped(holding) && 'always';
      if (how)
        found.push({
          how,
          holding,
          file: importer ?? holding.path,
          by: owner.spec.id,
          imported: importer !== undefined,
        });
    }
    return [
      ...groupBy(found, ({ how, holding, imported: is }) => `${how} ${is} ${holding.kind}`).values(),
    ].map(group => united(request, own, group));
  });
}

interface Held {
  readonly holding: Holding;
  readonly owner: TargetRequest;
}

/**
 * Finds the entries in the places where a target looks, or that a main file brings it, in the order of their owners. Many
 * targets look in the same few places, each of which is searched once.
 */
function indexHoldings(
  requests: readonly TargetRequest[],
  held: ReadonlyMap<TargetRequest, readonly Holding[]>,
): (request: TargetRequest, imported: ReadonlyMap<string, string>) => readonly Held[] {
  const all = requests.flatMap(owner => held.get(owner)!.map(holding => ({ holding, owner })));
  const inPlaces = new Map<string, readonly number[]>();
  const search = (kind: FoundKind, place: string): readonly number[] => {
    const key = `${kind} ${place}`;
    const known = inPlaces.get(key) ?? [...all.keys()].filter(at => liesIn(all[at]!.holding, kind, place));
    inPlaces.set(key, known);
    return known;
  };
  return ({ spec: { reads } }, imported) => {
    const found = foundKinds.flatMap(kind =>
      (reads?.also?.[kind] ?? []).flatMap(place => search(kind, place)),
    );
    const brought =
      imported.size === 0 ? [] : [...all.keys()].filter(at => imported.has(all[at]!.holding.path));
    return [...new Set([...found, ...brought])].sort((a, b) => a - b).map(at => all[at]!);
  };
}

const liesIn = (holding: Holding, kind: FoundKind, place: string): boolean =>
  holding.kind === kind && (holding.path === place || holding.path.startsWith(`${place}/`));

/** An entry that is given to a tool in another way than it was meant. */
interface Found {
  readonly how: Elsewhere['how'];
  readonly holding: Holding;
  readonly file: string;
  readonly by: string;
  readonly imported: boolean;
}

/** What was found of one kind in one way. */
function united(request: TargetRequest, own: readonly Holding[], found: readonly Found[]): Elsewhere {
  const [{ how, holding, imported }] = found as readonly [Found, ...Found[]];
  const entries = new Set(found.map(one => one.holding.entry));
  const same = own.filter(({ kind, entry }) => kind === holding.kind && entries.has(entry));
  return {
    request,
    kind: holding.kind,
    how,
    ...(imported && { imported }),
    entries: [...entries],
    own: [...new Set(same.map(({ path }) => path))],
    files: [...new Set(found.map(({ file }) => file))],
    by: [...new Set(found.map(({ by }) => by))],
  };
}

const isScoped = ({ item }: Holding): boolean => item !== undefined && activationOf(item) !== 'always';

/** What is wrong with it that a tool finds an entry of another one. */
function howFound(
  { spec }: TargetRequest,
  holding: Holding,
  own: readonly Holding[],
): Elsewhere['how'] | undefined {
  const { also } = spec.reads ?? {};
  if (!also || !finds(also, holding)) return undefined;
  const { kind } = holding;
  if (kind === 'rules' && also.always?.includes(kind) && isScoped(holding)) return 'always';
  const same = own.filter(one => one.kind === kind && one.entry === holding.entry);
  if (same.length === 0) return undefined;
  if (also.twice?.includes(kind)) return 'twice';
  // A tool that takes equal hooks once knows them by what they run.
  return kind === 'hooks' && same.every(({ runs }) => runs !== holding.runs) ? 'twice' : undefined;
}

function finds(also: AlsoRead, holding: Holding): boolean {
  const { kind, event } = holding;
  const isThere = (also[kind] ?? []).some(place => liesIn(holding, kind, place));
  return isThere && (event === undefined || (also.events?.includes(event) ?? true));
}

/** Files that a tool loads because a main file imports them, with that file. */
function importedBy({ spec }: TargetRequest, texts: ProjectTexts): ReadonlyMap<string, string> {
  if (!spec.reads?.imports) return new Map();
  const { parts } = loadTexts(spec, texts, { at: '', read: [] });
  return new Map(parts.flatMap(({ path, importedBy: by }) => (by === undefined ? [] : [[path, by]])));
}

const kinds: Readonly<Record<string, FoundKind | undefined>> = {
  guards: 'rules',
  skills: 'skills',
  hooks: 'hooks',
  mcpServers: 'servers',
};

const holdingsOf = perObject((draft: Draft): readonly Holding[] => {
  const file = draft.place === undefined ? undefined : draft.request.spec.files[draft.place];
  const kind = file && kinds[partOf(file) ?? ''];
  const { path } = draft;
  if (!kind || draft.kind === 'document') return [];
  if (draft.kind === 'entries')
    return draft.edits.flatMap(edit =>
      edit.about === undefined
        ? []
        : [
            {
              kind,
              entry: edit.about,
              path,
              ...(kind === 'hooks' && { event: eventOf(edit), runs: runsOf(edit) }),
            },
          ],
    );
  const { item, resource } = draft;
  return item && resource === undefined ? [{ kind, entry: item.path, item, path }] : [];
});

/** Events are the innermost key that hooks are listed under. */
const eventOf = ({ path }: KeyEdit): string => path.at(-1) ?? '';

/** The command or the question of a hook, in whatever form the tool has it: no other text of it is as long. */
function runsOf({ value }: KeyEdit): string {
  let longest = '';
  const visit = (part: unknown): void => {
    if (typeof part === 'string' && part.length > longest.length) longest = part;
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) visit(inner);
  };
  visit(value);
  return longest;
}
