import type { Draft } from '../kinds/draft.ts';
import type { Unwritten } from '../kinds/native/variables.ts';
import type { Omission } from '../kinds/output.ts';
import type { PlanContext } from '../kinds/plan-context.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { kindOf } from '../kinds/table.ts';
import { collections, isCollection } from '../model/collections.ts';
import type { Model } from '../model/model.ts';
import { partOf } from '../spec/part-of.ts';
import type { PlanChanges } from './avoid-overlap.ts';
import { omitRest } from './omit.ts';
import { placeAlwaysRules, placeCalledRules, placeNestedRules, placeRulesAsSkills } from './place-guards.ts';
import { placeItems } from './place-items.ts';
import { placeKept } from './place-kept.ts';
import { chooseSkills } from './place-skills.ts';
import { startPlan, type TargetPlan } from './target-plan.ts';
import type { LeftOut } from './unreached.ts';

/** Every draft of one target, and what it has no place for. */
export interface PlannedTarget {
  readonly drafts: readonly Draft[];
  readonly omissions: readonly Omission[];
  /** Entries without any place, with what can be done about it. */
  readonly leftOut: LeftOut;
  /** Permissions that the tool could only grant more widely than the source does. */
  readonly tooWide: ReadonlySet<string>;
  /** References to variables that the tool has no form for. */
  readonly unwritten: readonly Unwritten[];
}

/** The passes over the items of a target, in order. Each drafts what it has a place for. Documents list what has none. */
const passes: readonly ((plan: TargetPlan) => readonly Draft[])[] = [
  placeKept,
  placeNestedRules,
  placeAlwaysRules,
  chooseSkills,
  placeCalledRules,
  placeRulesAsSkills,
  plan => collections.flatMap(collection => placeItems(collection, plan)),
  placeDocuments,
  omitRest,
];

/** Plans one target: what is written for it, and its omissions. */
export function planTarget(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
  changes?: PlanChanges,
): PlannedTarget {
  const plan = startPlan(model, request, context, changes);
  const drafts = passes.flatMap(pass => pass(plan));
  const { found, leftOut, tooWide, unwritten } = plan.omissions;
  return { drafts, omissions: found, leftOut, tooWide, unwritten };
}

/** Drafts the places that are for no collection: documents and settings. */
function placeDocuments({ places, ...planning }: TargetPlan): Draft[] {
  return places.flatMap(place =>
    isCollection(partOf(place.file)) ? [] : kindOf(place.file).plan(place, { ...planning, items: [] }),
  );
}
