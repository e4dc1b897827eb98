import type { AlsoRead, TargetSpec } from '../generated/types/target.ts';
import type { Draft } from '../kinds/draft.ts';
import type { KeyEdit } from '../kinds/output.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { leaving } from '../kinds/write/shell.ts';
import { loadTexts, type ProjectTexts } from '../load/load.ts';
import { activationOf } from '../model/guards.ts';
import type { Item } from '../model/model.ts';
import { partOf } from '../spec/part-of.ts';
import { folderOf, liesAt } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { isTurn, type Pieces } from '../text/pieces.ts';

/** What a tool can find in places of others. */
export type FoundKind = (typeof foundKinds)[number];

const foundKinds = ['skills', 'rules', 'hooks', 'servers'] as const;

/** Entries that a tool is given by files of others, in another way than it was meant. */
export interface Elsewhere {
  readonly request: TargetRequest;
  readonly kind: FoundKind;
  /** `twice`: it has them in files of its own, too. `always`: without the condition that they have. */
  readonly how: 'twice' | 'always';
  /** The only clients of the tool of which it is true; absent: all. */
  readonly clients?: string;
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

/** A target in messages, with the clients of which something is true when it is not of all. */
export const readerOf = (target: string, clients: string | undefined): string =>
  clients === undefined ? target : `${target} (in ${clients})`;

/** What a tool does with entries of a kind that it finds, as a verb. */
export const takingOf = (kind: FoundKind): string => (kind === 'hooks' ? 'runs' : 'takes');

/** An entry in a file that is written for a target. */
interface Holding {
  readonly kind: FoundKind;
  readonly entry: string;
  /** Kind and entry: what says the same has it in common. */
  readonly key: string;
  readonly item?: Item;
  readonly path: string;
  /** The event of a hook, and what runs at it. */
  readonly event?: string;
  readonly runs?: string;
}

/**
 * What each target gets of the files of others beside its own, by what its spec says that it reads. `texts` are the written
 * files by path: scoped rules that a main file imports are loaded with it by whoever follows imports. In pieces, between
 * which other work is done.
 */
export function* findElsewhere(
  requests: readonly TargetRequest[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
  texts: ProjectTexts,
): Pieces<Elsewhere[]> {
  const readers = requests.filter(({ spec: { reads } }) => reads?.also ?? reads?.imports);
  if (readers.length === 0 || requests.length === 1) return [];
  const held = new Map<TargetRequest, Holding[]>(requests.map(request => [request, []]));
  const wanted = new Set(foundKinds.filter(kind => readers.some(reader => isWanted(kind, reader))));
  let seen = 0;
  for (const drafts of byPath.values()) {
    drafts.forEach(draft => void addHoldings(draft, wanted, held.get(draft.request)));
    if (isTurn(++seen)) yield;
  }
  const all = new Holdings(requests, held, new Set(readers.flatMap(({ spec }) => lookedThrough(spec))));
  const elsewhere: Elsewhere[] = [];
  for (const request of readers) {
    yield;
    const imported = importedBy(request, texts);
    const reaching = all.reaching(request, imported);
    if (reaching.length === 0) continue;
    const own = ownOf(held.get(request)!);
    const found: Found[] = [];
    reaching.forEach(({ holding, by }) => {
      if (own.paths.has(holding.path)) return;
      const importer = holding.kind === 'rules' ? imported.get(holding.path) : undefined;
      const how = importer === undefined ? howFound(request, holding, own) : isScoped(holding) && 'always';
      if (how)
        found.push({ how, holding, file: importer ?? holding.path, by, imported: importer !== undefined });
    });
    const groups = groupBy(found, ({ how, holding, imported: is }) => `${how} ${is} ${holding.kind}`);
    for (const group of groups.values()) elsewhere.push(united(request, own.all, group));
  }
  return elsewhere;
}

/** A holding with its place in the order of all, and the target whose file it stands in. */
interface Listed {
  readonly at: number;
  readonly holding: Holding;
  readonly by: string;
}

/** All holdings, found by the places that some target looks through: each looks at what lies in its own only. */
class Holdings {
  readonly #inPlace: ReadonlyMap<string, Listed[]>;
  readonly #rules = new Map<string, Listed[]>();

  constructor(
    requests: readonly TargetRequest[],
    held: ReadonlyMap<TargetRequest, readonly Holding[]>,
    places: ReadonlySet<string>,
  ) {
    this.#inPlace = new Map([...places].map(place => [place, []]));
    let at = 0;
    for (const request of requests) {
      const by = request.spec.id;
      held.get(request)!.forEach(holding => {
        const listed = { at: at++, holding, by };
        const { path, kind } = holding;
        if (kind === 'rules') addTo(this.#rules, path, listed);
        for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
          this.#inPlace.get(path.slice(0, end))?.push(listed);
      });
    }
  }

  /** What others hold where a target looks, or its main file brings it from, in the order of all. */
  reaching({ spec }: TargetRequest, imported: ReadonlyMap<string, string>): readonly Listed[] {
    const found = new Set<Listed>();
    const add = (one: Listed) => {
      if (one.by !== spec.id) found.add(one);
    };
    lookedThrough(spec).forEach(place => void this.#inPlace.get(place)!.forEach(add));
    imported.forEach((_, path) => void this.#rules.get(path)?.forEach(add));
    return [...found].sort((a, b) => a.at - b.at);
  }
}

/** The files and folders of others that a tool looks through for what it may take in another way than it was meant. */
function lookedThrough({ reads }: TargetSpec): readonly string[] {
  const { also } = reads ?? {};
  if (!also) return [];
  const places = foundKinds.flatMap(kind => {
    const all = also[kind];
    return all && canMatter(kind, also) ? all.map(place => folderOf(place)) : [];
  });
  return [...new Set(places)];
}

/** Most tools take what they have themselves once, wherever else they find it; of hooks that depends on what these run. */
const canMatter = (kind: FoundKind, { twice, always }: AlsoRead): boolean =>
  kind === 'hooks' || twice?.includes(kind) === true || (kind === 'rules' && always?.includes(kind) === true);

/** Whether a tool can take entries of a kind in another way than it was meant: rules also where it imports them. */
const isWanted = (kind: FoundKind, { spec: { reads } }: TargetRequest): boolean =>
  (reads?.also !== undefined && canMatter(kind, reads.also)) ||
  (kind === 'rules' && reads?.imports !== undefined);

function addTo(lists: Map<string, Listed[]>, key: string, one: Listed): void {
  const known = lists.get(key);
  if (known) known.push(one);
  else lists.set(key, [one]);
}

/** What a target has in files of its own. */
interface Own {
  readonly all: readonly Holding[];
  readonly paths: ReadonlySet<string>;
  /** By kind and entry. */
  readonly same: ReadonlyMap<string, readonly Holding[]>;
}

const ownOf = (all: readonly Holding[]): Own => ({
  all,
  paths: new Set(all.map(({ path }) => path)),
  same: groupBy(all, ({ key }) => key),
});

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
  const { also } = request.spec.reads ?? {};
  const clients = also && how === 'twice' && leavesAlone(holding, also) && also.hookVariableUnset;
  return {
    request,
    kind: holding.kind,
    how,
    ...(clients && { clients }),
    ...(imported && { imported }),
    entries: [...entries],
    own: [...new Set(same.map(({ path }) => path))],
    files: [...new Set(found.map(({ file }) => file))],
    by: [...new Set(found.map(({ by }) => by))],
  };
}

const isScoped = ({ item }: Holding): boolean => item !== undefined && activationOf(item) !== 'always';

/** What is wrong with it that a tool finds an entry of another one. */
function howFound({ spec }: TargetRequest, holding: Holding, own: Own): Elsewhere['how'] | undefined {
  const { also } = spec.reads ?? {};
  if (!also) return undefined;
  const { kind } = holding;
  if (!canMatter(kind, also)) return undefined;
  const isAlways = kind === 'rules' && also.always?.includes(kind) && isScoped(holding);
  const same = own.same.get(holding.key);
  const isHeld = same && !(leavesAlone(holding, also) && !also.hookVariableUnset);
  // Asked last, because it takes longest.
  if (!(isAlways || isHeld) || !finds(also, holding)) return undefined;
  if (isAlways) return 'always';
  if (also.twice?.includes(kind)) return 'twice';
  // A tool that takes equal hooks once knows them by what they run.
  return kind === 'hooks' && same!.every(({ runs }) => runs !== holding.runs) ? 'twice' : undefined;
}

/** A hook that ends at once where the tool runs it, except in the clients of `hookVariableUnset`. */
const leavesAlone = ({ runs }: Holding, { hookVariable }: AlsoRead): boolean =>
  hookVariable !== undefined && runs?.startsWith(leaving(hookVariable)) === true;

function finds(also: AlsoRead, { kind, path, event }: Holding): boolean {
  if (event !== undefined && also.events?.includes(event) === false) return false;
  return also[kind]?.some(place => liesAt(path, place)) === true;
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

/** What a draft holds of the kinds that some tool wants. */
function addHoldings(draft: Draft, wanted: ReadonlySet<FoundKind>, all: Holding[] | undefined): void {
  const file = draft.place === undefined ? undefined : draft.request.spec.files[draft.place];
  const kind = file && kinds[partOf(file) ?? ''];
  if (!kind || !wanted.has(kind) || !all || draft.kind === 'document') return;
  const { path } = draft;
  if (draft.kind === 'content') {
    const { item, resource } = draft;
    if (!item || resource !== undefined) return;
    all.push({ kind, entry: item.path, key: `${kind} ${item.path}`, item, path });
    return;
  }
  for (const edit of draft.edits) {
    if (edit.about === undefined) continue;
    const runs = kind === 'hooks' && { event: eventOf(edit), runs: runsOf(edit) };
    all.push({ kind, entry: edit.about, key: `${kind} ${edit.about}`, path, ...runs });
  }
}

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
