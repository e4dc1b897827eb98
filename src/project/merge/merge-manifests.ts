import type { Manifest, OwnedFile, OwnedKey } from '../../plan/manifest.ts';
import { sorted } from '../../plan/manifest.ts';

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
  const files = new Map<string, OwnedFile>();
  for (const path of new Set([...ours.files.keys(), ...theirs.files.keys()])) {
    const [old, own, other] = [base, ours, theirs].map(({ files }) => files.get(path));
    const file = mergeOne(old, own, other, compiled?.files.get(path));
    if (file) files.set(path, file);
  }
  return { files: sorted(files), originals: mergeOriginals(base, ours, theirs) };
}

/** What either branch was read from, without what one of them has removed. */
function mergeOriginals(base: Manifest, ours: Manifest, theirs: Manifest): ReadonlyMap<string, string> {
  const originals = new Map([...theirs.originals, ...ours.originals]);
  const stays = (path: string) =>
    !base.originals.has(path) || (ours.originals.has(path) && theirs.originals.has(path));
  return sorted(new Map([...originals].filter(([path]) => stays(path))));
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function mergeOne(
  old: OwnedFile | undefined,
  own: OwnedFile | undefined,
  other: OwnedFile | undefined,
  compiled: OwnedFile | undefined,
): OwnedFile | undefined {
  if (isSame(own, other) || isSame(other, old)) return own;
  if (isSame(own, old)) return other;
  if (!own || !other) return own ?? other;
  const targets = [...new Set([...own.targets, ...other.targets])].sort();
  if (own.keys && other.keys)
    return { ...own, targets, keys: mergeKeys(old?.keys ?? [], own.keys, other.keys) };
  if (old?.sha256 === own.sha256) return { ...other, targets };
  if (old?.sha256 === other.sha256 || own.sha256 === other.sha256) return { ...own, targets };
  return compiled ?? { ...own, targets };
}

/** Keys of a shared file, each like a file. */
function mergeKeys(
  old: readonly OwnedKey[],
  own: readonly OwnedKey[],
  other: readonly OwnedKey[],
): OwnedKey[] {
  // Elements of a list have no name but what they say.
  const idOf = ({ kind, path, sha256 }: OwnedKey) =>
    JSON.stringify(kind === 'element' ? [path, sha256] : path);
  const [base, ours, theirs] = [old, own, other].map(keys => new Map(keys.map(key => [idOf(key), key])));
  return [...new Set([...ours!.keys(), ...theirs!.keys()])].flatMap(id => {
    const [before, here, there] = [base!.get(id), ours!.get(id), theirs!.get(id)];
    const key = isSame(here, before) ? there : isSame(there, before) ? here : (here ?? there);
    return key ? [key] : [];
  });
}
