import { type Manifest, type OwnedFile, type OwnedKey, sorted } from '../../plan/manifest.ts';

/**
 * The records of two branches as one. A file that only one of them changed is as that one has it, like its text in the
 * merge. For a text that both changed `compiled` decides, else the first branch, whose text stays then.
 */
export function mergeManifests(
  base: Manifest,
  ours: Manifest,
  theirs: Manifest,
  compiled: Manifest | undefined,
): Manifest {
  const files = mergeMaps(base.files, ours.files, theirs.files, (path, old, own, other) =>
    mergeFiles(old, own, other, compiled?.files.get(path)),
  );
  const originals = mergeMaps(
    base.originals,
    ours.originals,
    theirs.originals,
    (_path, _old, own, other) => other && own,
  );
  return { files: sorted(files), originals: sorted(originals) };
}

/** Three versions of a map as one; `both` decides where both branches changed an entry. */
function mergeMaps<T>(
  base: ReadonlyMap<string, T>,
  ours: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  both: (key: string, old: T | undefined, own: T | undefined, other: T | undefined) => T | undefined,
): Map<string, T> {
  const merged = new Map<string, T>();
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [old, own, other] = [base.get(key), ours.get(key), theirs.get(key)];
    const isOurs = isSame(own, other) || isSame(other, old);
    const one = isOurs ? own : isSame(own, old) ? other : both(key, old, own, other);
    if (one !== undefined) merged.set(key, one);
  }
  return merged;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function mergeFiles(
  old: OwnedFile | undefined,
  own: OwnedFile | undefined,
  other: OwnedFile | undefined,
  compiled: OwnedFile | undefined,
): OwnedFile | undefined {
  if (!own || !other) return own ?? other;
  const targets = [...new Set([...own.targets, ...other.targets])].sort();
  if (own.keys && other.keys) {
    const [before, here, there] = [old?.keys ?? [], own.keys, other.keys].map(keysById);
    const keys = mergeMaps(before!, here!, there!, (_id, _old, mine, others) => mine ?? others);
    return { ...own, targets, keys: [...keys.values()] };
  }
  if (old?.sha256 === own.sha256) return { ...other, targets };
  if (old?.sha256 === other.sha256 || own.sha256 === other.sha256) return { ...own, targets };
  return compiled ?? { ...own, targets };
}

/** Elements of a list have no name but what they say. */
const keysById = (keys: readonly OwnedKey[]): ReadonlyMap<string, OwnedKey> =>
  new Map(keys.map(key => [JSON.stringify(key.kind === 'element' ? [key.path, key.sha256] : key.path), key]));
