/**
 * Sorts the elements whose names occur in `names` into that order. All other elements keep their position.
 * Returns the same list when nothing moves.
 */
export function sortByNames<T>(
  all: readonly T[],
  nameOf: (one: T) => string | undefined,
  names: readonly string[],
): readonly T[] {
  const rankOf = (one: T): number => {
    const name = nameOf(one);
    return name === undefined ? -1 : names.indexOf(name);
  };
  const named = all.filter(one => rankOf(one) !== -1);
  const sorted = [...named].sort((one, other) => rankOf(one) - rankOf(other));
  if (sorted.every((one, at) => one === named[at])) return all;
  let next = 0;
  return all.map(one => (rankOf(one) === -1 ? one : sorted[next++]!));
}
