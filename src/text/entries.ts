/** So many entries are put together at once. */
const step = 64;

/**
 * The entries of a map as one text. `print` adds the pieces of an entry, for which no texts of their own are made; and
 * thousands of entries are put together in steps: what each was made of is gone by then, and never moved to where V8 keeps
 * what lasts.
 */
export function joinEntries<T>(
  entries: ReadonlyMap<string, T>,
  print: (key: string, value: T, pieces: string[]) => void,
  separator: string,
): string {
  const parts: string[] = [];
  let pieces: string[] = [];
  let count = 0;
  const close = () => {
    if (pieces.length > 0) parts.push(pieces.join(''));
    pieces = [];
  };
  entries.forEach((value, key) => {
    if (pieces.length > 0) pieces.push(separator);
    print(key, value, pieces);
    count++;
    if (count % step === 0) close();
  });
  close();
  return parts.join(separator);
}

/** What JSON writes in another way, or may. */
const special = /[^ !#-[\]-~]/;

/** Adds a text as JSON writes it. */
export function addQuoted(text: string, pieces: string[]): void {
  if (special.test(text)) pieces.push(JSON.stringify(text));
  else pieces.push('"', text, '"');
}
