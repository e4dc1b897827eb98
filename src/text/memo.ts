/**
 * A function that is asked once for each object and keeps its answer as long as the object lives. It must depend on
 * nothing but the object, which nobody changes.
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
