import { type Draft, isMain } from '../kinds/draft.ts';
import { activeFiles, type Place } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { partOf } from '../spec/part-of.ts';
import { groupBy } from '../text/group.ts';
import type { Overlap } from './overlap.ts';

/** How a target is planned differently from its spec, so that other tools do not read its files. */
export interface PlanChanges {
  /** Its rules become skills, or a list of files where it has no skills. */
  readonly withoutRules?: boolean;
  /** Its rules lie in the folder that its spec has for rules which no other tool is to read. */
  readonly apart?: boolean;
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
    const apart = read.has(id) && files.some(file => file.kind === 'items' && file.apart !== undefined);
    return [id, { withoutRules, apart, leaves: hooksToLeave(request, overlaps) }];
  });
  return new Map(changes.filter(([, one]) => one.withoutRules || one.apart || one.leaves!.size > 0));
}

/** A place with the changes of its target; `undefined` when the target does without it. */
export function changedPlace(place: Place, { withoutRules, apart, leaves }: PlanChanges): Place | undefined {
  const { file } = place;
  if (withoutRules && partOf(file) === 'guards') return undefined;
  if (apart && file.kind === 'items' && file.apart !== undefined)
    return { ...place, file: { ...file, path: file.apart } };
  // A tool that names its root in a variable runs commands in POSIX shells.
  if (leaves?.size && file.kind === 'entries' && file.hooks?.root?.env !== undefined) {
    const hooks = { ...file.hooks, leaves };
    return { ...place, file: { ...file, hooks } };
  }
  return place;
}

/**
 * The hooks of a target that another tool with hooks of its own runs, too, with the variable of that tool. Tools that take
 * equal hooks once need the same text in each file that they read.
 */
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
  const mains = drafts.flatMap(draft =>
    isMain(draft) && !draft.guards
      ? [{ request: draft.request, path: draft.path, has: (draft.lists.get('guards')?.length ?? 0) > 0 }]
      : [],
  );
  const shared = [...groupBy(mains, ({ path }) => path).values()].filter(all => !all.every(({ has }) => has));
  return new Set(shared.flat().flatMap(({ has, request }) => (has ? [request] : [])));
}
