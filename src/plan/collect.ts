import type { Report } from '../diagnostics/diagnostic.ts';
import {
  outputBlocked,
  outputCaseClash,
  outputClash,
  outputKeyClash,
  outputKindClash,
  outputNested,
  outputOverSource,
  outputPathUnsafe,
} from '../generated/diagnostics.ts';
import type { KeyEdit, OutputFile, WholeFile } from '../kinds/output.ts';
import { encodeText, sameBytes } from '../text/bytes.ts';
import { allAtOnce, isTurn, type Pieces } from '../text/pieces.ts';
import { pathKey } from '../text/portable-path.ts';
import { equalJson } from './canonical.ts';
import type { FollowLinks } from './plan.ts';
import { checkOutputPath, parentOf } from './safe-path.ts';

/** A file that is wholly ours, with its content as bytes. */
export interface WholeInBytes extends Omit<WholeFile, 'content'> {
  readonly content: Uint8Array;
}

/** An output at a place that is not its own to write. */
export interface Elsewhere {
  readonly file: OutputFile;
  /** Where its path leads. */
  readonly place: string;
}

/** The output files of all builds, one for each place on the disk. */
export interface CollectedOutputs {
  /** By path key; each under the path at which it really lies, whatever links lead there. */
  readonly outputs: ReadonlyMap<string, OutputFile>;
  /** Outputs that are sources of the compile. */
  readonly sources: readonly Elsewhere[];
  /** Outputs that a link makes one file with another one, which is written. */
  readonly aliases: readonly Elsewhere[];
  readonly ok: boolean;
}

/** What the plan has to know about places on the disk. */
export interface DiskFacts {
  readonly followLinks: FollowLinks;
  /** Whether a place holds a source of the compile; asked by its path key. */
  readonly isSource: (key: string) => boolean;
  /** Whether the record of ownership lists a place; asked by its path key. */
  readonly isOwned: (key: string) => boolean;
}

/**
 * Joins outputs for the same place into one. Different content for one place, paths that only some file systems can
 * tell apart, a file where another output needs a folder, and paths that no output may have are errors; the result
 * then holds what is left, and `ok` is `false`.
 */
export function collectOutputs(...given: Parameters<typeof collectInPieces>): CollectedOutputs {
  return allAtOnce(collectInPieces(...given));
}

/** The same in pieces. */
export function* collectInPieces(
  files: readonly OutputFile[],
  { followLinks, isSource, isOwned }: DiskFacts,
  report: Report,
): Pieces<CollectedOutputs> {
  const outputs = new Map<string, OutputFile>();
  const sources: Elsewhere[] = [];
  const aliases: Elsewhere[] = [];
  let ok = true;
  const wrong: Report = diagnostic => {
    ok = false;
    report(diagnostic);
  };
  const placed: Placed[] = [];
  let seen = 0;
  for (const file of files) {
    if (isTurn(++seen)) yield;
    const where = { file: file.path, target: file.targets[0] };
    const problem = checkOutputPath(file.path);
    if (problem) {
      wrong(outputPathUnsafe({ path: printable(file.path), problem }, { target: file.targets[0] }));
      continue;
    }
    const { path, end } = followLinks(file.path);
    const key = pathKey(path);
    if (isSource(end === path ? key : pathKey(end))) {
      // A tool can read a Markdown source as it is, but no `.prs` file.
      if (end.endsWith('.prs')) wrong(outputOverSource({ path: file.path }, where));
      else sources.push({ file, place: end });
      continue;
    }
    const unsafe = path === file.path ? undefined : checkOutputPath(path);
    if (unsafe) {
      const reason = `a symbolic link leads it to ${path}, which ${unsafe}`;
      wrong(outputBlocked({ path: file.path, reason }, where));
    } else placed.push({ file, place: path, end, key });
  }
  for (const { file, place, key } of directFirst(placed, isOwned)) {
    if (isTurn(++seen)) yield;
    const next = place === file.path ? file : { ...file, path: place };
    const other = outputs.get(key);
    if (place !== file.path) aliases.push({ file, place });
    if (!other) outputs.set(key, next);
    else if (other.path !== place) {
      const holes = { first: other.path, second: file.path, ...names(other, file) };
      wrong(outputCaseClash(holes, { file: file.path }));
    } else if (place !== file.path && other.kind === 'whole' && next.kind === 'whole') {
      outputs.set(key, { ...other, targets: union(other.targets, next.targets) });
    } else outputs.set(key, join(other, next, wrong));
  }
  const inTheWayOf = filesAsFolders(outputs);
  for (const file of outputs.values()) {
    if (isTurn(++seen)) yield;
    for (const inTheWay of inTheWayOf(parentOf(file.path))) {
      wrong(
        outputNested(
          { path: inTheWay.path, inner: file.path, ...names(inTheWay, file) },
          { file: inTheWay.path },
        ),
      );
    }
  }
  return { outputs, sources, aliases, ok };
}

/** An output with the place that its path leads to by the links of its folders, the key of that, and by all links. */
interface Placed {
  readonly file: OutputFile;
  readonly place: string;
  readonly end: string;
  readonly key: string;
}

/**
 * Outputs with their own places. The output that was planned under the place's own path is written; those that lead
 * there by links come second.
 */
function directFirst(placed: readonly Placed[], isOwned: DiskFacts['isOwned']): readonly Placed[] {
  const isPlain = ({ file, place, end }: Placed) => place === file.path && end === file.path;
  if (placed.every(isPlain)) return placed;
  const planned = new Set(placed.map(({ key }) => key));
  const isOther = (key: string) => planned.has(key) || isOwned(key);
  const own = placed.map(one => {
    const { end } = one;
    const key = pathKey(end);
    return end !== one.place && isOther(key) ? { ...one, place: end, key } : one;
  });
  const isDirect = ({ file, place }: Placed) => place === file.path;
  return [...own.filter(isDirect), ...own.filter(one => !isDirect(one))];
}

/** Gives the files at the places of a folder and of those above it, nearest first. */
function filesAsFolders(outputs: ReadonlyMap<string, OutputFile>): (folder: string) => readonly OutputFile[] {
  const known = new Map<string, readonly OutputFile[]>([['', []]]);
  const filesAt = (folder: string): readonly OutputFile[] => {
    const found = known.get(folder);
    if (found) return found;
    const file = outputs.get(pathKey(folder));
    const above = filesAt(parentOf(folder));
    const all = file ? [file, ...above] : above;
    known.set(folder, all);
    return all;
  };
  return filesAt;
}

/** A path as it can be shown: what does not print is escaped. */
const printable = (path: string) => JSON.stringify(path).slice(1, -1);

/**
 * Gives files with their content as bytes. The same file, and the same text, has the same bytes, which then have the same
 * hash; a resource is read once for all targets.
 */
export function bytesMaker(): (file: WholeFile) => WholeInBytes {
  const bytesOf = new Map<string | object, Uint8Array>();
  return file => {
    const { content } = file;
    const known = inBytes.get(file);
    if (known) return known;
    const bytes = bytesOf.get(content) ?? bytesIn(content);
    bytesOf.set(content, bytes);
    const made = { ...file, content: bytes };
    // The next compile reads a resource again.
    if (typeof content === 'string') inBytes.set(file, made);
    return made;
  };
}

const bytesIn = (content: WholeFile['content']): Uint8Array =>
  typeof content === 'string' ? encodeText(content) : content();

const inBytes = new WeakMap<WholeFile, WholeInBytes>();

type Asked = Pick<OutputFile, 'targets' | 'build'>;

/** The targets, and the build, that asked for a file, as messages show them. */
function names(first: Asked, second: Asked): { firstTarget: string; secondTarget: string } {
  const name = (file: Asked) =>
    file.targets.join(', ') + (file.build === undefined ? '' : ` (build ${file.build})`);
  return { firstTarget: name(first), secondTarget: name(second) };
}

const union = <T>(a: readonly T[], b: readonly T[]) => [...new Set([...a, ...b])];

function join(first: OutputFile, second: OutputFile, wrong: Report): OutputFile {
  const who = names(first, second);
  const where = { file: first.path, target: second.targets[0] };
  const targets = union(first.targets, second.targets);
  if (first.kind === 'whole' && second.kind === 'whole') {
    const line = first.content === second.content ? undefined : lineOfDifference(first, second);
    if (line !== undefined) wrong(outputClash({ path: first.path, line, ...who }, where));
    return { ...first, targets, executable: first.executable || second.executable };
  }
  if (first.kind === 'shared' && second.kind === 'shared' && first.format === second.format) {
    const edits: KeyEdit[] = [...first.edits];
    for (const edit of second.edits) {
      const same = edits.find(known => overlap(known, edit));
      if (!same) edits.push(edit);
      else if (
        same.kind !== edit.kind ||
        !equalJson(same.value, edit.value) ||
        same.path.length !== edit.path.length
      ) {
        wrong(outputKeyClash({ path: first.path, key: edit.path.join('.'), ...who }, where));
      }
    }
    return { ...first, targets, edits };
  }
  wrong(outputKindClash({ path: first.path, ...who }, where));
  return first;
}

function lineOfDifference(first: WholeFile, second: WholeFile): number | undefined {
  const [one, other] = [bytesIn(first.content), bytesIn(second.content)];
  return equalBytes(one, other) ? undefined : firstDifferentLine(one, other);
}

/** Whether two edits touch the same value: one path leads to the other, or through it. Elements only meet equals. */
function overlap(a: KeyEdit, b: KeyEdit): boolean {
  const length = Math.min(a.path.length, b.path.length);
  for (let at = 0; at < length; at++) if (a.path[at] !== b.path[at]) return false;
  if (a.kind === 'element' && b.kind === 'element') {
    return a.path.length === b.path.length && equalJson(a.value, b.value);
  }
  if (a.kind === 'element') return b.path.length <= a.path.length;
  if (b.kind === 'element') return a.path.length <= b.path.length;
  return true;
}

/** Whether two contents are the same bytes. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => sameBytes(a, b);

/** The number of the first line in which two contents differ, from 1. */
export function firstDifferentLine(a: Uint8Array, b: Uint8Array): number {
  let line = 1;
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (a[at] === 10) line++;
  return line;
}
