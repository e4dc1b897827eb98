/**
 * Memoizes a function of an object for the lifetime of the object. The object must not change, and the result
 * must depend on nothing else.
 */
export function memoizeByObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return key => {
    let kept = known.get(key);
    if (!kept) {
      kept = { value: make(key) };
      known.set(key, kept);
    }
    return kept.value;
  };
}

/** Memoizes a function for the lifetime of the function. The result must depend on the argument alone. */
export function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>();
  return key => {
    if (!results.has(key)) results.set(key, make(key));
    return results.get(key) as V;
  };
}

/** Memoizes a function without arguments. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
