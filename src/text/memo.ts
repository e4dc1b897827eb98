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

/**
 * Memoizes a function of a name for the lifetime of the program. The result must depend on the name alone.
 */
export function memoizeByName<K extends string, V>(make: (name: K) => V): (name: K) => V {
  const known = new Map<K, V>();
  return name => {
    let made = known.get(name);
    if (made === undefined) {
      made = make(name);
      known.set(name, made);
    }
    return made;
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
