import type { TargetSpec } from '../generated/types/target.ts';
import type { Audience, Item } from '../model/model.ts';
import { isNameOf } from '../spec/names.ts';

/** Whether something applies to a target. */
export function isForTarget(audience: Audience | undefined, spec: TargetSpec): boolean {
  if (!audience) return true;
  const names = (list: readonly string[]) => list.some(name => isNameOf(name, spec));
  return (audience.targets === undefined || names(audience.targets)) && !names(audience.except ?? []);
}

export const selectForTarget = <T extends { readonly audience?: Audience }>(
  list: readonly T[],
  spec: TargetSpec,
): readonly T[] => list.filter(({ audience }) => isForTarget(audience, spec));

export const selectForOthers = <T extends { readonly audience?: Audience }>(
  list: readonly T[],
  spec: TargetSpec,
): readonly T[] => list.filter(({ audience }) => !isForTarget(audience, spec));

/** The variants of items for one target; its id takes precedence over its other names. */
export const variantsFor = (items: readonly Item[], spec: TargetSpec): readonly Item[] =>
  items.map(item => {
    const { variants = new Map<string, Item>() } = item;
    const name = [...variants.keys()].find(one => isNameOf(one, spec));
    return variants.get(spec.id) ?? (name === undefined ? item : variants.get(name)!);
  });
