/**
 * Memoizes a function of an object, as long as the object lives. The result must depend on the object alone, which
 * must not change.
 */
export function perObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
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

/** Memoizes a function of a name, for as long as the program runs. The result must depend on the name alone. */
export function perName<K extends string, V>(make: (name: K) => V): (name: K) => V {
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

/** Makes something when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
