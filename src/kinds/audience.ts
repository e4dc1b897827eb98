import type { TargetSpec } from '../generated/types/target.ts';
import type { Audience } from '../model/model.ts';
import { isNameOf } from '../spec/names.ts';

/** Whether something is meant for a target. */
export function isFor(audience: Audience | undefined, spec: TargetSpec): boolean {
  if (!audience) return true;
  const names = (list: readonly string[]) => list.some(name => isNameOf(name, spec));
  return (audience.targets === undefined || names(audience.targets)) && !names(audience.except ?? []);
}

/** What of a list is meant for a target; the list itself when that is all of it. */
export function meantFor<T extends { readonly audience?: Audience }>(
  list: readonly T[],
  spec: TargetSpec,
): readonly T[] {
  return list.every(({ audience }) => isFor(audience, spec))
    ? list
    : list.filter(({ audience }) => isFor(audience, spec));
}

/** What of a list is not meant for a target. */
export const notMeantFor = <T extends { readonly audience?: Audience }>(
  list: readonly T[],
  spec: TargetSpec,
): readonly T[] => list.filter(({ audience }) => !isFor(audience, spec));
