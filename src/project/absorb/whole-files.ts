import { basename, dirname, join } from 'node:path';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { noConstraints } from '../adopt/adoption.ts';
import { intoLine, itemSources, portableItem, targetLines, withLines } from '../adopt/items.ts';
import { listAllFiles } from '../project-files.ts';
import { plannedLines } from './edited-file.ts';
import { excludedFrom, withoutEntry } from './field-candidates.ts';
import { withoutStop } from './reasons.ts';
import { type AbsorbedHunk, resultOf } from './run.ts';
import { placesOf } from './text-candidates.ts';
import type { Candidate, EditContext, SourceLine, TrialResult, Workspace } from './workspace.ts';

/**
 * Removes the items of deleted generated files from the sources, with their files for other tools. Only files that
 * the user names are passed: in a project without a compile all files are missing.
 */
export async function deleteItems(paths: readonly string[], workspace: Workspace): Promise<AbsorbedHunk[]> {
  const hunks: AbsorbedHunk[] = [];
  for (const path of paths) {
    const before = workspace.trial;
    const entry = before.entries.get(path);
    const removed = plannedLines(entry) ?? [];
    let reason =
      'it was deleted, but it is not made of one item that could be removed from the sources alone';
    // The item of another deleted file may be the item of this file, too.
    let to: SourceLine[] | undefined = [];
    if (entry) {
      const around = await workspace.surroundingsOf(path, removed, before.compiled.sources);
      to = await workspace.keepFirst(
        removals(entry, around, workspace),
        now => {
          const lines = plannedLines(now.entries.get(path));
          if (lines && String(lines) !== String(removed))
            reason = 'without its item another one would have this file';
          return isRemoved(entry, paths, before, now);
        },
        ([error]) => {
          if (error) reason = `the sources would be wrong without it: ${withoutStop(error.message)}`;
        },
      );
    }
    hunks.push(resultOf({ at: 0, removed, added: [] }, path, to ? { to } : { reason }));
  }
  return hunks;
}

/** The candidates that remove an item: its entry, its Markdown file, or the item for these tools. */
function removals(entry: PlanEntry, around: EditContext, workspace: Workspace): Candidate[] {
  const places = around.lines.flatMap((_, at) => placesOf(at, around));
  const markdown = [...new Set(places.map(({ file }) => file))].filter(isMarkdownPath);
  const files = markdown.map((file): Candidate => {
    const own = file.endsWith('/SKILL.md') ? filesBelow(dirname(file), workspace) : [file];
    return new Map(own.map(one => [one, undefined]));
  });
  return [...withoutEntry(around), ...files, ...excludedFrom(entry.targets, around)];
}

/**
 * Whether a file is no longer planned, and all files that disappeared with it belong to the same item or to other
 * tools.
 */
function isRemoved(
  entry: PlanEntry,
  deleted: readonly string[],
  before: TrialResult,
  { entries }: TrialResult,
): boolean {
  const isPlanned = (path: string) => (entries.get(path)?.state ?? 'removed') !== 'removed';
  const isSkill = entry.path.endsWith('/SKILL.md');
  const folder = `${dirname(entry.path)}/`;
  const stemOf = (path: string) => basename(path.endsWith('/SKILL.md') ? dirname(path) : path).split('.')[0];
  return (
    !isPlanned(entry.path) &&
    [...before.entries.values()].every(
      ({ path, state, targets }) =>
        state === 'removed' ||
        isPlanned(path) ||
        deleted.includes(path) ||
        (isSkill && path.startsWith(folder)) ||
        stemOf(path) === stemOf(entry.path) ||
        !targets.some(id => entry.targets.includes(id)),
    )
  );
}

const filesBelow = (folder: string, { disk, root }: Workspace): string[] =>
  listAllFiles(join(root, folder), disk).map(({ path }) => `${folder}/${path}`);

/**
 * Files that are neither generated nor sources, in places where an enabled tool reads items. Searched are the folders
 * of generated files and of files that the user named.
 */
export async function findNewFiles(
  manifest: Manifest,
  workspace: Workspace,
  named: readonly string[],
): Promise<string[]> {
  const { compiled, entries } = workspace.trial;
  const rolesOf = await workspace.roleFinder();
  const isItem = (path: string) => rolesOf(path).some(role => role.kind === 'item' && role.own && role.file);
  const known = new Set([...entries.keys(), ...manifest.files.keys(), ...compiled.sources]);
  const folders = new Set([...entries.keys(), ...manifest.files.keys(), ...named].flatMap(topFolder));
  return [...folders]
    .flatMap(folder => filesBelow(folder, workspace))
    .filter(path => !known.has(path) && isItem(path))
    .sort();
}

/** The tool folder of a file; none for files in the root, outside of it, or in our own folder. */
function topFolder(path: string): string[] {
  const [first, ...rest] = path.split('/');
  return rest.length > 0 && first !== '.instr' && first !== '..' ? [first!] : [];
}

/** Turns files that were written for one tool into sources for all tools. */
export async function adoptFiles(paths: readonly string[], workspace: Workspace): Promise<AbsorbedHunk[]> {
  const hunks: AbsorbedHunk[] = [];
  const reason = 'no source that was tried gives exactly this file; `prs import` reads it as a draft';
  for (const path of paths) {
    const added = workspace.linesOf(path);
    const candidates = added ? await sourcesFor(path, added.join('\n'), workspace) : [];
    const isFree = (candidate: Candidate) => ![...candidate.keys()].some(file => workspace.exists(file));
    const kept = await workspace.keepFirst(candidates.filter(isFree), ({ entries }) => {
      const entry = entries.get(path);
      return entry?.action === 'keep' && (entry.state === 'adopted' || entry.state === 'unchanged');
    });
    const hunk = { at: 0, removed: [], added: added ?? [] };
    hunks.push(resultOf(hunk, path, kept ? { to: kept } : { reason }));
  }
  return hunks;
}

/**
 * Possible sources for a file: its unchanged text, its fields in portable form, or its text for the tools that read
 * it.
 */
async function sourcesFor(path: string, text: string, workspace: Workspace): Promise<Candidate[]> {
  const { specs } = workspace;
  const roles = (await workspace.roleFinder())(path).filter(role => role.kind === 'item');
  const [role] = roles;
  if (!role) return [];
  const source = (file: string, said: string): Candidate => new Map([[file, said]]);
  const readers = specs.filter(spec => roles.some(one => one.spec === spec));
  const { fields } = readFrontMatter(text);
  const isPlaced = ['targets', 'except', 'into'].some(key => fields.has(key));
  const placed = isPlaced ? text : withLines(text, [...targetLines(specs, readers), intoLine([path])]);
  if (role.file?.of === 'skills') {
    const file = `.instr/skills/${role.name}/SKILL.md`;
    return [source(file, text), source(file, placed)];
  }
  const item = { path, roles: [role], text };
  const { sources } = await itemSources([item], [role.spec], noConstraints);
  const [first] = sources;
  const portable = first && (await portableItem(item, undefined));
  return [
    ...sources.map(one => source(one.path, String(one.text))),
    ...(portable && typeof portable !== 'string' ? [source(first.path, portable.text)] : []),
    ...(first && isMarkdownPath(path) ? [source(first.path, placed)] : []),
  ];
}
