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
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { memoize } from '../text/memo.ts';
import { parentOf } from '../text/paths.ts';
import { pathKey } from '../text/portable-path.ts';
import { equalJson, isSameText } from './canonical.ts';
import { checkOutputPath } from './manifest.ts';
import type { PlanContext } from './plan.ts';
import { startsWith } from './shared-format.ts';

/** An output whose path leads to another place through symlinks. */
export interface Redirected {
  readonly file: OutputFile;
  readonly place: string;
}

/** The output files of all builds, one for each place on the disk. */
export interface CollectedOutputs {
  /** By path key. Each has the path of its real place, with symlinks resolved. */
  readonly outputs: ReadonlyMap<string, OutputFile>;
  readonly sources: readonly Redirected[];
  /** Outputs that are the same file as another output because of a symlink; only the other one is written. */
  readonly aliases: readonly Redirected[];
  readonly ok: boolean;
}

type DiskFacts = Pick<PlanContext, 'followLinks' | 'isSource' | 'owned' | 'present' | 'contentOf'>;

/**
 * Merges outputs for the same place. Errors are: different contents for one place, paths that only some file
 * systems distinguish, a file where another output needs a folder, and forbidden paths. After errors the
 * result contains the remaining outputs, and `ok` is `false`.
 */
export function collectOutputs(
  files: readonly OutputFile[],
  disk: DiskFacts,
  report: Report,
): CollectedOutputs {
  let ok = true;
  const wrong: Report = diagnostic => {
    ok = false;
    report(diagnostic);
  };
  const sources: Redirected[] = [];
  const placed = files.flatMap(file => findPlace(file, disk, sources, wrong) ?? []);
  const outputs = new Map<string, OutputFile>();
  const aliases: Redirected[] = [];
  for (const { file, place, key } of directFirst(placed, disk)) {
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
  checkNesting(outputs, wrong);
  return { outputs, sources, aliases, ok };
}

/**
 * Finds the place of an output. If it is a source, it is added to `sources`; if it cannot be written, it is
 * reported.
 */
function findPlace(
  file: OutputFile,
  { followLinks, isSource }: DiskFacts,
  sources: Redirected[],
  wrong: Report,
): Placed | undefined {
  const [target] = file.targets;
  const problem = checkOutputPath(file.path);
  if (problem) {
    wrong(outputPathUnsafe({ path: printable(file.path), problem }, { target }));
    return undefined;
  }
  const where = { file: file.path, target };
  const { path, end } = followLinks(file.path);
  if (isSource(end)) {
    // A tool can read a Markdown source, but not a `.prs` file.
    if (end.endsWith('.prs')) wrong(outputOverSource({ path: file.path }, where));
    else sources.push({ file, place: end });
    return undefined;
  }
  const unsafe = path === file.path ? undefined : checkOutputPath(path);
  if (unsafe) {
    const reason = `a symbolic link leads it to ${path}, which ${unsafe}`;
    wrong(outputBlocked({ path: file.path, reason }, where));
    return undefined;
  }
  return { file, place: path, end, key: pathKey(path) };
}

/**
 * An output with its place: the path with symlinks in folders resolved, its key, and the path with all
 * symlinks resolved.
 */
interface Placed {
  readonly file: OutputFile;
  readonly place: string;
  readonly end: string;
  readonly key: string;
}

/** Orders outputs: first those planned at their real place, then those that symlinks redirect. */
function directFirst(placed: readonly Placed[], facts: DiskFacts): readonly Placed[] {
  const planned = new Set(placed.map(({ key }) => key));
  const isOther = (key: string) => planned.has(key) || facts.owned.has(key);
  const own = placed.map(one => {
    const { end, file } = one;
    const key = pathKey(end);
    // A link in the place of a recorded output is the user's: it stays what is recorded.
    const isAdopted = () => !facts.owned.has(one.key) && hasText(end, file, facts);
    const isThrough = end !== one.place && (isOther(key) || isAdopted());
    return isThrough ? { ...one, place: end, key } : one;
  });
  const isDirect = ({ file, place }: Placed) => place === file.path;
  return [...own.filter(isDirect), ...own.filter(one => !isDirect(one))];
}

/** Whether a place has the text of an output already: a link to it is written through, and the place recorded. */
function hasText(place: string, file: OutputFile, { present, contentOf }: DiskFacts): boolean {
  const now = file.kind === 'whole' ? present(place) : undefined;
  return now?.kind === 'file' && isSameText(now.read(), contentOf(file as WholeFile));
}

function checkNesting(outputs: ReadonlyMap<string, OutputFile>, wrong: Report): void {
  for (const file of outputs.values()) {
    for (let folder = parentOf(file.path); folder; folder = parentOf(folder)) {
      const outer = outputs.get(pathKey(folder));
      if (!outer) continue;
      const holes = { path: outer.path, inner: file.path, ...names(outer, file) };
      wrong(outputNested(holes, { file: outer.path }));
    }
  }
}

/** Escapes unprintable characters of a path. */
const printable = (path: string) => JSON.stringify(path).slice(1, -1);

/** Returns a function that reads contents as bytes, cached by text and by resource. */
export function contentReader(): (file: WholeFile) => Uint8Array {
  const read = memoize(bytesOf);
  return ({ content }) => read(content);
}

const bytesOf = (content: WholeFile['content']): Uint8Array =>
  typeof content === 'string' ? encodeText(content) : content();

type Owner = Pick<OutputFile, 'targets' | 'build'>;

function names(first: Owner, second: Owner): { firstTarget: string; secondTarget: string } {
  const name = (file: Owner) =>
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
  const [one, other] = [bytesOf(first.content), bytesOf(second.content)];
  return sameBytes(one, other) ? undefined : firstDifferentLine(one, other);
}

/**
 * Whether two edits affect the same value: one path is a prefix of the other. Elements conflict only with
 * equal elements.
 */
function overlap(a: KeyEdit, b: KeyEdit): boolean {
  const [outer, inner] = a.path.length <= b.path.length ? [a, b] : [b, a];
  const isBelowElement = outer.kind === 'element' && inner.path.length > outer.path.length;
  if (isBelowElement || !startsWith(inner.path, outer.path)) return false;
  return a.kind === 'set' || b.kind === 'set' || equalJson(a.value, b.value);
}

/** The first line in which two contents differ, starting at 1. */
export function firstDifferentLine(a: Uint8Array, b: Uint8Array): number {
  let line = 1;
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (a[at] === 10) line++;
  return line;
}
