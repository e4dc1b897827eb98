import { selectForTarget, variantsFor } from '../kinds/audience.ts';
import type { ListedItem } from '../kinds/draft.ts';
import type { DocumentContent, PlanContext } from '../kinds/kind.ts';
import { Omissions, omissionText } from '../kinds/omissions.ts';
import { activeFiles, itemPath, type Place } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { isCollection, itemsOfEach } from '../model/collections.ts';
import { type Collection, type Item, isComputed, type Model } from '../model/model.ts';
import { partOf } from '../spec/spec.ts';
import { changedPlace, type PlanChanges } from './overlap.ts';
import { toolsAsPermissions } from './server-tools.ts';

/** The state that the passes over one target share: each pass takes items out of `items`, or adds others. */
export interface TargetPlan {
  readonly model: Model;
  readonly request: TargetRequest;
  readonly context: PlanContext;
  readonly omissions: Omissions;
  /** The places of the target's version, in spec order. */
  readonly places: readonly Place[];
  readonly placesOf: (part: string) => readonly Place[];
  readonly items: Record<Collection, readonly Item[]>;
  /** Section to the items that it lists, because they have no file of their own. */
  readonly lists: Map<string, readonly ListedItem[]>;
  readonly document: DocumentContent;
  /** Whether rules become skills, because other tools would read rule files regardless of conditions. */
  readonly withoutRules: boolean;
}

/** The plan of a target before any pass: all items of the model that apply to it. */
export function startPlan(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
  changes: PlanChanges = {},
): TargetPlan {
  const { spec, version, options } = request;
  const places = activeFiles(spec, version, options).flatMap(place => changedPlace(place, changes) ?? []);
  const placesOf = (part: string) => places.filter(({ file }) => partOf(file) === part);
  const meant = itemsOfEach(name => variantsFor(selectForTarget(model.items[name], spec), spec));
  const { servers, permissions } = toolsAsPermissions(
    { servers: meant.mcpServers, permissions: meant.permissions },
    placesOf,
  );
  const items = { ...meant, mcpServers: servers, permissions };
  const lists = new Map<string, readonly ListedItem[]>();
  const index = (part: string) => {
    const [place] = placesOf(part);
    return place && isCollection(part) ? itemsWithPaths(place, items[part], { request, context }) : undefined;
  };
  const { sections, local } = model;
  return {
    model,
    request,
    context,
    omissions: new Omissions(request),
    places,
    placesOf,
    items,
    lists,
    document: { sections, local, texts: selectForTarget(model.documents, spec), lists, index },
    withoutRules: changes.withoutRules === true,
  };
}

/** Items with the paths of their own files at a place; without paths where they share a file. */
export const itemsWithPaths = (
  { file }: Place,
  items: readonly Item[],
  { request, context }: Pick<TargetPlan, 'request' | 'context'>,
): ListedItem[] =>
  items.map(item => ({ item, path: file.kind === 'items' ? itemPath(file, item, request, context) : '' }));

const shownInSection: ReadonlySet<string> = new Set(['title', 'description', 'content', 'globs']);

/** Adds omissions for the fields of an item that its section in the main document does not show. */
export function omitHiddenFields(
  item: Item,
  collection: Collection,
  { request, omissions }: TargetPlan,
): void {
  const why = `The section in the main file of ${request.spec.id} shows name, description and content only.`;
  const hidden = [...item.fields].filter(([field]) => !isComputed(item, field) && !shownInSection.has(field));
  for (const [field, value] of [...hidden, ...(item.extra ?? [])])
    omissions.add(`${item.path}.${field}`, omissionText(value), why);
  for (const [field, value] of item.native ?? [])
    omissions.add(
      `${item.path}.${field}`,
      omissionText(value),
      omissions.adviceFor(collection, field, value),
    );
  for (const resource of item.resources)
    omissions.add(`${item.path}/${resource.path}`, resource.path, omissions.adviceFor(collection));
}
