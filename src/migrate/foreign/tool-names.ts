import type { ForeignSource } from '../../generated/types/foreign.ts';

export interface ToolNames {
  /** Ids in the given order, without duplicates and unknown names. */
  readonly idsOf: (names: readonly string[]) => readonly string[];
  readonly isTool: (name: string) => boolean;
  readonly isAll: (name: string) => boolean;
  readonly unknown: ReadonlySet<string>;
}

/** Maps tool names of another compiler to ids: by its own table first, then by `resolve`. */
export function toolNames(
  { names, targets }: ForeignSource,
  resolve: (name: string) => string | undefined,
): ToolNames {
  const unknown = new Set<string>();
  const idOf = (name: string) => (Object.hasOwn(names, name) ? names[name] || undefined : resolve(name));
  return {
    idsOf: list => {
      const ids = list.flatMap(name => {
        const id = idOf(name);
        if (id === undefined) unknown.add(name);
        return id ?? [];
      });
      return [...new Set(ids)];
    },
    isTool: name => Object.hasOwn(names, name) || resolve(name) !== undefined,
    isAll: name => name === targets.all || name === '*',
    unknown,
  };
}
