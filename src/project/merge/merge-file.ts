import { dirname, join } from 'node:path';
import { memoryDisk } from '../../host/overlay.ts';
import { relativePath } from '../../host/relative-path.ts';
import {
  type Manifest,
  manifestPath,
  type OwnedFile,
  type OwnedKey,
  printManifest,
  readManifest,
  sorted,
} from '../../plan/manifest.ts';
import { configNames } from '../../text/places.ts';
import { compileProject } from '../compile.ts';
import { filesOfTree, topOfRepository, treeOfMerge } from '../git/queries.ts';
import { projectRoot } from '../open/root.ts';
import { mayBeInstructions } from '../project-files.ts';
import type { CompileContext } from '../session/world.ts';
import { projectDisk } from '../write/project-disk.ts';
import { readOwned } from '../write/records.ts';
import { driverName } from './git-files.ts';

/** The arguments of a merge driver: files with the three versions, and the path from the top of the repository. */
export interface MergeRequest {
  readonly base: string;
  /** Receives the result. */
  readonly ours: string;
  readonly theirs: string;
  readonly path: string;
}

/**
 * Merges an output or the manifest for `git merge` by compiling the merged sources. If Git does not provide these, our
 * version stays, and the manifest records it. Returns `false` for a file that is not owned, or a damaged manifest; Git
 * then leaves the conflict to the user.
 */
export async function mergeFile(request: MergeRequest, context: CompileContext): Promise<boolean> {
  const top = topOfRepository(context.cwd) ?? context.cwd;
  const place = join(top, ...request.path.split('/'));
  const { root } = projectRoot({ ...context, cwd: dirname(place) });
  const path = relativePath(root, place);
  // Git names a temporary file in the worktree.
  const disk = projectDisk(context.disk, context.cwd);
  if (path !== manifestPath) {
    const owned = readOwned(disk, root, () => {})?.files.get(path);
    if (owned && owned.sha256 === undefined) return false;
    const compiled = await compileMerge(root, top, context);
    if (!compiled) return owned !== undefined;
    const content = compiled.get(path);
    if (content) disk.writeBytes(join(context.cwd, request.ours), content);
    return content !== undefined || owned !== undefined;
  }
  const parse = (bytes: Uint8Array | undefined): Manifest | undefined => {
    const text = new TextDecoder().decode(bytes);
    return readManifest(text === '' ? undefined : { name: manifestPath, text }, context.report);
  };
  const [base, ours, theirs] = [request.base, request.ours, request.theirs].map(file =>
    parse(disk.readBytes(join(context.cwd, file))),
  );
  if (!base || !ours || !theirs) return false;
  const made = await compileMerge(root, top, context);
  const compiled = made?.get(manifestPath);
  const merged = mergeManifests(base, ours, theirs, compiled && parse(compiled));
  disk.writeBytes(join(context.cwd, request.ours), new TextEncoder().encode(printManifest(merged)));
  return true;
}

/** The outputs of the merged sources; `undefined` if these are unknown, in conflict or invalid. */
async function compileMerge(
  root: string,
  top: string,
  context: CompileContext,
): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
  const merged = treeOfMerge(root, driverName);
  const files = merged && filesOfTree(root, merged.tree, mayBeInstructions);
  if (!files) return undefined;
  const disk = memoryDisk(root, files);
  const inMemory = { ...context, cwd: root, disk, report: () => {} };
  const compiled = await compileProject({ mode: 'write', force: true, trial: true }, inMemory);
  if (typeof compiled === 'string' || !compiled.written) return undefined;
  const inConflict = (file: string) => merged.conflicts.has(relativePath(top, join(root, file)));
  if ([...configNames, ...compiled.sources].some(inConflict)) return undefined;
  const paths = [manifestPath, ...compiled.entries.map(({ path }) => path)];
  return new Map(
    paths.flatMap(path => {
      const bytes = disk.readBytes(join(root, path));
      return bytes ? [[path, bytes] as const] : [];
    }),
  );
}

/**
 * Merges the manifests of two branches. An entry that one branch changed is taken from it, like the text of the file.
 * If both changed it, `compiled` decides, else our branch.
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

/** Merges three versions of a map; `both` decides about entries that both branches changed. */
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

/** Owned keys by identity: elements of a list are identified by content. */
const keysById = (keys: readonly OwnedKey[]): ReadonlyMap<string, OwnedKey> =>
  new Map(keys.map(key => [JSON.stringify(key.kind === 'element' ? [key.path, key.sha256] : key.path), key]));
