import { meantFor } from '../kinds/audience.ts';
import type { Draft } from '../kinds/draft.ts';
import type { Documented } from '../kinds/kind.ts';
import type { Omission } from '../kinds/output.ts';
import type { PlanContext } from '../kinds/plan-context.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { kindOf } from '../kinds/table.ts';
import type { Unwritten } from '../kinds/write/variables.ts';
import { collections } from '../model/collections.ts';
import type { Collection, Model } from '../model/model.ts';
import { partOf } from '../spec/part-of.ts';
import { chooseSkills } from './choose-skills.ts';
import { omitRest } from './omit.ts';
import type { Otherwise } from './otherwise.ts';
import { placeAlways, placeAsSkills, placeCalled, placeNested } from './place-guards.ts';
import { placeItems } from './place-items.ts';
import { listedAt, type Placing, startPlacing } from './placing.ts';
import { placeStanding } from './standing.ts';
import type { LeftOut } from './unreached.ts';

/** Makes every draft of one target, and lists what it has no place for. */
export function planTarget(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
  otherwise?: Otherwise,
): {
  drafts: Draft[];
  omissions: readonly Omission[];
  leftOut: LeftOut;
  tooWide: ReadonlySet<string>;
  unwritten: readonly Unwritten[];
} {
  const placing = startPlacing(model, request, context, otherwise);
  const { places, omissions } = placing;
  const drafts: Draft[] = [...placeStanding(placing), ...placeNested(placing)];
  const document = documented(model, placing);
  placeAlways(placing);
  chooseSkills(placing);
  placeCalled(placing);
  placeAsSkills(placing);
  for (const collection of collections) drafts.push(...placeItems(collection, document, placing));
  // Documents come last: they list what has no other place.
  for (const place of places) {
    const part = partOf(place.file);
    if (isCollection(part)) continue;
    drafts.push(...kindOf(place.file).plan(place, { request, context, omissions, items: [], document }));
  }
  omitRest(model, document, placing);
  const { found, leftOut, tooWide, unwritten } = omissions;
  return { drafts, omissions: found, leftOut, tooWide, unwritten };
}

const isCollection = (part: string | undefined): part is Collection =>
  collections.some(name => name === part);

/** What documents of a target may hold; lists are filled while its items are placed. */
function documented({ sections, local, documents }: Model, placing: Placing): Documented {
  const { items, lists, placesOf, request } = placing;
  return {
    sections,
    local,
    texts: meantFor(documents, request.spec),
    lists,
    index: part => {
      const [place] = placesOf(part);
      return place && isCollection(part) ? listedAt(place, items[part], placing) : undefined;
    },
  };
}
