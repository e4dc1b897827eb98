/** Groups a list by a key. Groups and members keep the order of the list. */
export function groupBy<K, T>(list: Iterable<T>, keyOf: (one: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of list) {
    const key = keyOf(one);
    const others = groups.get(key);
    if (others) others.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
