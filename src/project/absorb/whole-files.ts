import { basename, dirname, join } from 'node:path';
import type { OutputFile } from '../../kinds/output.ts';
import type { DataObject } from '../../model/model.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { isObject } from '../../text/data.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath, serversPath } from '../../text/places.ts';
import { noConstraints } from '../adopt/adoption.ts';
import { itemSources, placeLines, portableItem, withLines } from '../adopt/items.ts';
import { serverSource } from '../adopt/servers.ts';
import { listAllFiles } from '../project-files.ts';
import { plannedLines } from './edited-file.ts';
import { changeServers, excludedFrom, withoutEntry } from './field-candidates.ts';
import { type AbsorbedHunk, type Hunk, resultOf, type SourceLine } from './hunks.ts';
import { placesOf } from './text-candidates.ts';
import { withoutStop } from './try-candidate.ts';
import type { Candidate, EditContext, TrialResult, Workspace } from './workspace.ts';

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
      const around = await workspace.surroundingsOf(path, removed);
      to = await workspace.keepFirst(
        removals(entry, around, workspace),
        now => isRemoved(entry, paths, before, now),
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
  const isItem = (path: string) =>
    rolesOf(path).some(role => role.kind === 'item' && role.isOwn && role.file);
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
    const text = workspace.textOf(path);
    const candidates = text === undefined ? [] : await sourcesFor(path, text, workspace);
    const isFree = (candidate: Candidate) => ![...candidate.keys()].some(file => workspace.exists(file));
    const kept = await workspace.keepFirst(candidates.filter(isFree), ({ entries }) => {
      const entry = entries.get(path);
      return entry?.action === 'keep' && (entry.state === 'adopted' || entry.state === 'unchanged');
    });
    const hunk = { at: 0, removed: [], added: text?.split('\n') ?? [] };
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
  const source = (file: string, content: string): Candidate => new Map([[file, content]]);
  const readers = specs.filter(spec => roles.some(one => one.spec === spec));
  const { fields } = readFrontMatter(text);
  const isPlaced = ['targets', 'except', 'into'].some(key => fields.has(key));
  const placed = isPlaced ? text : withLines(text, placeLines(specs, readers, [path]));
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

/**
 * Makes servers that somebody added to settings files of tools entries of `.instr/mcp.json`, for all tools. One that
 * would change the settings file is refused.
 */
export async function adoptServers(manifest: Manifest, workspace: Workspace): Promise<AbsorbedHunk[]> {
  const hunks: AbsorbedHunk[] = [];
  for (const { path, name, entry, hunk } of await findServers(manifest, workspace)) {
    const before = workspace.textOf(serversPath) ?? '{\n  "mcpServers": {}\n}\n';
    const candidate: Candidate = new Map([
      [serversPath, changeServers(before, { path: [name], value: entry })],
    ]);
    const kept = await workspace.keepFirst([candidate], now => now.entries.get(path)?.action === 'keep');
    const reason = `the server ${JSON.stringify(name)} would be changed in this file`;
    hunks.push(resultOf(hunk, path, kept ? { to: kept } : { reason }));
  }
  return hunks;
}

/** The servers that somebody added, each with the line of its name. */
async function findServers(manifest: Manifest, workspace: Workspace) {
  const rolesOf = await workspace.roleFinder();
  const paths = workspace.specs
    .flatMap(({ files }) => Object.values(files))
    .flatMap(file => (file.kind === 'entries' && file.of === 'mcpServers' ? [file.path] : []));
  const found: { path: string; name: string; entry: DataObject; hunk: Hunk }[] = [];
  for (const path of [...new Set(paths)].sort()) {
    const text = workspace.textOf(path);
    const role = rolesOf(path).find(one => one.kind === 'entries');
    if (text === undefined || role?.kind !== 'entries') continue;
    const lines = text.split('\n');
    const file = { path, roles: [role], text };
    const { sources } = await serverSource([file], [role.spec], new Map());
    const servers: object = sources[0] ? JSON.parse(String(sources[0].text)).mcpServers : {};
    const generated = [
      ...(manifest.files.get(path)?.keys?.map(key => key.path.at(-1)) ?? []),
      ...namesInLists(await workspace.outputOf(path)),
      ...found.map(({ name }) => name),
    ];
    for (const [name, { into: _into, ...entry }] of Object.entries<DataObject>({ ...servers })) {
      if (generated.includes(name)) continue;
      const at = lines.findIndex(line => line.includes(name));
      const hunk = { at: Math.max(0, at), removed: [], added: [lines[at] ?? name] };
      found.push({ path, name, entry, hunk });
    }
  }
  return found;
}

/** Words of generated elements of lists, among them the names of servers where a tool keeps these in a list. */
function namesInLists(output: OutputFile | undefined): string[] {
  const edits = output?.kind === 'shared' ? output.edits : [];
  return edits.flatMap(({ kind, value }) =>
    kind !== 'set' && isObject(value) ? Object.values(value).filter(one => typeof one === 'string') : [],
  );
}
