import { outputIsSource, outputLinked } from '../generated/diagnostics.ts';
import { decodeLeniently, sameBytes } from '../text/bytes.ts';
import { readFrontMatter } from '../text/front-matter.ts';
import { parentOf, resolveLink } from '../text/paths.ts';
import { pathKey } from '../text/portable-path.ts';
import { equalJson, textHash, withLineFeeds } from './canonical.ts';
import type { Redirected } from './collect.ts';
import type { OwnedFile } from './manifest.ts';
import {
  type Original,
  ownerOf,
  type PlanContext,
  type PlanEntry,
  type PlanInput,
  removedBase,
} from './plan.ts';
import { belowFrontMatter } from './same-meaning.ts';

/** Plans an output that is a source: it is kept. Text that the output would add is reported. */
export function planSource({ file, place }: Redirected, context: PlanContext): PlanEntry {
  const before = context.present(place);
  const now = before?.read() ?? new Uint8Array();
  const base: Omit<PlanEntry, 'reason'> = {
    path: file.path,
    ...ownerOf(file),
    state: 'source',
    action: 'keep',
    mode: before?.mode ?? 0o644,
    bytes: now.length,
    sha256: context.hash(now),
    needsBackup: false,
  };
  const isComplete = file.kind === 'whole' && containsPlanned(now, context.contentOf(file));
  const reason =
    place === file.path ? 'the compile reads it' : `the compile reads ${place}, where a link leads`;
  if (isComplete) return { ...base, reason };
  for (const target of file.targets)
    context.report(
      outputIsSource({ path: place, target }, { file: place, target, rule: 'output-is-source' }),
    );
  return { ...base, reason: `${reason}; what the program adds to it does not reach the tool` };
}

/**
 * Plans an output that is the same file as another one because of a symlink. Text that only this output has
 * is reported.
 */
export function planAlias({ file, place }: Redirected, context: PlanContext): PlanEntry {
  const written = context.outputs.get(pathKey(place));
  const content = written?.kind === 'whole' ? context.contentOf(written) : undefined;
  if (content && file.kind === 'whole') {
    // A line that only imports the other file is not lost when both are the same file.
    const folder = parentOf(file.path);
    const brings = (line: string) => line.startsWith('@') && resolveLink(folder, line.slice(1)) === place;
    const own = context.contentOf(file);
    const line = lostLine(new TextDecoder().decode(own), new TextDecoder().decode(content), brings);
    const target = file.targets[0]!;
    if (line !== undefined)
      context.report(outputLinked({ path: file.path, place, target, line }, { file: file.path, target }));
  }
  return {
    path: file.path,
    ...ownerOf(file),
    state: 'unchanged',
    action: 'keep',
    mode: 0o644,
    bytes: content?.length ?? 0,
    sha256: content ? context.hash(content) : '',
    needsBackup: false,
    reason: `a symbolic link makes it the same file as ${place}`,
  };
}

/**
 * The first line of a text that is missing in another one; titles of documents are skipped, because they name
 * the file.
 */
function lostLine(text: string, other: string, brings: (line: string) => boolean): string | undefined {
  const known = new Set(other.split('\n').map(line => line.trim()));
  return text
    .split('\n')
    .map(line => line.trim())
    .find(line => !known.has(line) && !/^# /.test(line) && !brings(line));
}

/**
 * Whether a Markdown file contains every front matter row and the body of another one, ignoring blank lines
 * around it.
 */
function containsPlanned(present: Uint8Array, planned: Uint8Array): boolean {
  if (sameBytes(present, planned)) return true;
  const [now, wanted] = [present, planned].map(bytes => decodeLeniently(withLineFeeds(bytes))) as [
    string,
    string,
  ];
  const [head, rows] = [readFrontMatter(now), readFrontMatter(wanted)];
  return (
    belowFrontMatter(now, head) === belowFrontMatter(wanted, rows) &&
    [...rows.fields].every(([key, value]) => head.fields.has(key) && equalJson(head.fields.get(key)!, value))
  );
}

interface PlannedOriginals {
  readonly entries: readonly PlanEntry[];
  /** Files that could be removed. */
  readonly remaining: readonly Original[];
  /** The record after the run. */
  readonly record: ReadonlyMap<string, string>;
}

/**
 * Plans files that a migration read and that no output replaces. One that no longer exists, or is owned now,
 * is forgotten. One that a tool of this run reads in addition to its outputs is listed, or removed on
 * request; it is never removed when it was edited since, is the target of a symlink, or is a source.
 */
export async function planOriginals(
  input: PlanInput,
  files: ReadonlyMap<string, OwnedFile>,
  planned: readonly PlanEntry[],
  context: PlanContext,
): Promise<PlannedOriginals> {
  const { followLinks, isSource } = context;
  const entries: PlanEntry[] = [];
  const remaining: Original[] = [];
  const record = new Map<string, string>();
  // Without its target a remaining symlink would dangle.
  const linked = new Set(
    planned.filter(({ action }) => action === 'keep').map(entry => followLinks(entry.path).end),
  );
  for (const [path, hash] of input.manifest.originals) {
    const before = input.present(path);
    if (!before || files.has(path)) continue;
    record.set(path, hash);
    const isOwn =
      before.kind === 'file' && followLinks(path).end === path && !isSource(path) && !linked.has(path);
    if (!isOwn || textHash(before.read(), input.hash) !== hash) continue;
    const targets = (await input.readersOf?.(path)) ?? [];
    if (targets.length === 0) continue;
    if (!input.removeOriginals) {
      remaining.push({ path, targets });
      continue;
    }
    record.delete(path);
    const removed = removedBase(path, { targets }, before, context);
    entries.push({ ...removed, action: 'delete', original: true, needsBackup: true });
  }
  return { entries, remaining, record };
}
