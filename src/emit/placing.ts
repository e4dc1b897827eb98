import { meantFor, variantsFor } from '../kinds/audience.ts';
import type { ListedItem } from '../kinds/draft.ts';
import { Omissions } from '../kinds/omissions.ts';
import { activeFiles, type Place } from '../kinds/places.ts';
import type { PlanContext } from '../kinds/plan-context.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { kindOf } from '../kinds/table.ts';
import { collections } from '../model/collections.ts';
import type { Collection, Item, Model } from '../model/model.ts';
import { partOf } from '../spec/part-of.ts';
import { type Otherwise, placedOtherwise } from './otherwise.ts';
import { toolsAsPermissions } from './server-tools.ts';

/**
 * The state of one target while its places are filled: the items that are still to be placed, and those that its
 * documents list.
 */
export interface Placing {
  readonly request: TargetRequest;
  readonly context: PlanContext;
  readonly omissions: Omissions;
  /** The places that the version of the target has, in the order of its spec. */
  readonly places: readonly Place[];
  readonly placesOf: (part: string) => readonly Place[];
  readonly items: Record<Collection, readonly Item[]>;
  /** All items of the program, whatever became of them. */
  readonly all: Model['items'];
  /** Its rule files are not to be written, since others would load them always: rules become skills. */
  readonly withoutRules: boolean;
  /** Section to the items it lists, because they have no place of their own. */
  readonly lists: Map<string, readonly ListedItem[]>;
}

/** Begins the placing of a target: with the items of the model that are meant for it. */
export function startPlacing(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
  otherwise: Otherwise = {},
): Placing {
  const all = activeFiles(request.spec, request.version, request.options);
  const places = all.flatMap(place => placedOtherwise(place, otherwise) ?? []);
  const items = { ...model.items };
  for (const name of collections)
    items[name] = variantsFor(meantFor(items[name], request.spec), request.spec);
  const placesOf = (part: string) => places.filter(({ file }) => partOf(file) === part);
  const told = toolsAsPermissions({ servers: items.mcpServers, permissions: items.permissions }, placesOf);
  items.mcpServers = told.servers;
  items.permissions = told.permissions;
  return {
    request,
    context,
    omissions: new Omissions(request),
    places,
    placesOf,
    items,
    all: model.items,
    withoutRules: otherwise.withoutRules === true,
    lists: new Map(),
  };
}

/** Items with the paths of their own files at a place; without paths where they share a file. */
export function listedAt(place: Place, items: readonly Item[], { request, context }: Placing): ListedItem[] {
  const kind = kindOf(place.file);
  return items.map(item => ({ item, path: kind.pathOf?.(place.file, item, request, context) ?? '' }));
}
