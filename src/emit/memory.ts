import type { Item } from '../model/model.ts';
import type { ContentDraft, Draft } from './draft.ts';
import { Omissions } from './omissions.ts';
import type { WholeFile } from './output.ts';
import type { TargetRequest } from './request.ts';

interface ItemResult {
  readonly drafts: readonly Draft[];
  readonly omissions: Omissions['found'];
}

/**
 * What emitting has made already, for runs that follow one another. All of it depends on the request of a target (with
 * the configuration it was read from), on an entry of its spec, and on an item: while these are the same objects, the
 * result is the same too. Entries go with the objects they belong to.
 */
export class EmitMemory {
  readonly #items = new WeakMap<TargetRequest, Map<string, WeakMap<Item, ItemResult>>>();
  readonly #files = new WeakMap<ContentDraft, { drafts: readonly ContentDraft[]; file: WholeFile }>();

  /** The drafts of an item at a place; what they leave out is told to `omissions` each time. */
  drafts(
    item: Item,
    place: string,
    request: TargetRequest,
    omissions: Omissions,
    make: (omissions: Omissions) => readonly Draft[],
  ): readonly Draft[] {
    const places = found(this.#items, request, () => new Map<string, WeakMap<Item, ItemResult>>());
    const known = found(places, place, () => new WeakMap<Item, ItemResult>());
    let result = known.get(item);
    if (!result) {
      const own = new Omissions(request);
      result = { drafts: make(own), omissions: own.found };
      known.set(item, result);
    }
    for (const { source, text, advice } of result.omissions) omissions.add(source, text, advice);
    return result.drafts;
  }

  /** The file of drafts for one path; remembered when making it was `quiet`: what was told has to be told again. */
  file(drafts: readonly ContentDraft[], make: () => { file: WholeFile; quiet: boolean }): WholeFile {
    const known = this.#files.get(drafts[0]!);
    if (known?.drafts.length === drafts.length && known.drafts.every((draft, at) => draft === drafts[at]))
      return known.file;
    const { file, quiet } = make();
    if (quiet) this.#files.set(drafts[0]!, { drafts, file });
    return file;
  }
}

function found<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}
