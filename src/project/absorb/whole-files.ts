import { basename, dirname, join } from 'node:path';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath, sharedDir } from '../../text/places.ts';
import type { Project } from '../open/open.ts';
import { linesOfBytes, plannedLines } from './edited.ts';
import { nodesAround } from './nodes.ts';
import { withoutStop } from './reasons.ts';
import type { Candidate, Kept, Trial, Workshop } from './trial.ts';
import type { AbsorbedHunk } from './work.ts';

/** What a run has made of whole files, and the compile after it. */
export interface WholeFiles {
  readonly hunks: readonly AbsorbedHunk[];
  readonly trial: Trial;
}

/**
 * Takes the deletion of generated files home: the item that a file was made of goes from the sources, with its files
 * for other tools. Only what the user names goes: where nothing is generated yet, every file is missing.
 */
export async function deleteItems(
  paths: readonly string[],
  shop: Workshop,
  start: Trial,
): Promise<WholeFiles> {
  const reason = 'the file is gone, but it is not made of one item that could go from the sources alone';
  return takeEach(paths, reason, start, async (path, trial) => {
    const entry = trial.entries.get(path);
    const removed = plannedLines(entry) ?? [];
    if (!entry) return { removed, kept: { candidate: { edits: [] }, trial } };
    let why: string | undefined;
    const kept = await withoutItem(entry, removed, paths, shop, trial, reason => {
      why = reason;
    });
    return { removed, kept, ...(why !== undefined && { reason: why }) };
  });
}

/** What a file said or says, and the change of the sources that is as good as it. */
interface Taken {
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
  readonly kept: Kept | undefined;
  /** Why it stays, where that is known. */
  readonly reason?: string;
}

/** Takes files as wholes, one after the other; `reason` is why one stays. */
async function takeEach(
  paths: readonly string[],
  reason: string,
  start: Trial,
  take: (path: string, trial: Trial) => Promise<Taken>,
): Promise<WholeFiles> {
  const hunks: AbsorbedHunk[] = [];
  let trial = start;
  for (const file of paths) {
    const { removed = [], added = [], kept, reason: why = reason } = await take(file, trial);
    trial = kept?.trial ?? trial;
    const fate = kept
      ? { state: 'absorbed' as const, to: placesOf(kept.candidate) }
      : { state: 'refused' as const, to: [], reason: why };
    hunks.push({ file, line: 1, at: 0, removed, added, ...fate });
  }
  return { hunks, trial };
}

const placesOf = ({ edits, moves = [] }: Candidate): AbsorbedHunk['to'] => [
  ...edits.map(({ file, at }) => ({ file, line: at + 1 })),
  ...moves.map(({ file }) => ({ file, line: 1 })),
];

async function withoutItem(
  entry: PlanEntry,
  lines: readonly string[],
  gone: readonly string[],
  shop: Workshop,
  before: Trial,
  hear: (why: string) => void,
): Promise<Kept | undefined> {
  const originsOf = await shop.originsIn(entry.path, lines.join('\n'));
  const places: { readonly file: string; readonly at: number }[] = [];
  for (const at of lines.keys()) {
    for (const { file, line, registry } of await originsOf(at))
      if (file !== undefined && line !== undefined && registry === undefined)
        places.push({ file, at: line - 1 });
  }
  const { leftOutOf, withoutItself } = await import('./fields.ts');
  const { sources } = before.compiled;
  const around = { lines, originsOf, sources, sourceLines: (file: string) => shop.linesOf(file) };
  const candidates = [
    ...(await withoutItself(around)),
    ...removals(places, shop),
    ...(await leftOutOf(entry.targets, around)),
  ];
  return shop.keepFirst(
    candidates,
    trial => {
      const now = plannedLines(trial.entries.get(entry.path));
      if (now && String(now) !== String(lines)) hear('without its item another one would have this file');
      return isGone(entry, gone, before, trial);
    },
    ([error]) => error && hear(`the sources would be wrong without it: ${withoutStop(error.message)}`),
  );
}

/** The file is planned no more, and no other file of its tools that is there. */
function isGone(entry: PlanEntry, gone: readonly string[], before: Trial, { entries }: Trial): boolean {
  const stays = (path: string) => {
    const now = entries.get(path);
    return now !== undefined && now.state !== 'removed';
  };
  if (stays(entry.path)) return false;
  const folder = `${dirname(entry.path)}/`;
  const stemOf = (path: string) => basename(path.endsWith('/SKILL.md') ? dirname(path) : path).split('.')[0];
  return [...before.entries.values()].every(
    ({ path, state, targets }) =>
      state === 'removed' ||
      stays(path) ||
      gone.includes(path) ||
      (entry.path.endsWith('/SKILL.md') && path.startsWith(folder)) ||
      // Some tools have several files for one item.
      stemOf(path) === stemOf(entry.path) ||
      !targets.some(id => entry.targets.includes(id)),
  );
}

/** Ways to take out what lines of sources are part of: a Markdown file that is an item, else the parts around a line. */
function removals(
  places: readonly { readonly file: string; readonly at: number }[],
  shop: Workshop,
): Candidate[] {
  const files = [...new Set(places.map(({ file }) => file))];
  const found: Candidate[] = [];
  for (const file of files) {
    if (!isMarkdownPath(file)) continue;
    const own = file.endsWith('/SKILL.md') ? filesBelow(dirname(file), shop) : [file];
    found.push({ edits: [], moves: own.map(one => ({ file: one, text: undefined })) });
  }
  for (const place of places.slice(0, 3))
    for (const edit of nodesAround([place], file => shop.linesOf(file), false)) found.push({ edits: [edit] });
  return found;
}

function filesBelow(folder: string, shop: Workshop): string[] {
  return (shop.disk.list(join(shop.root, folder)) ?? []).flatMap(({ name, kind }) =>
    kind === 'directory' ? filesBelow(`${folder}/${name}`, shop) : [`${folder}/${name}`],
  );
}

/**
 * Files where an enabled tool reads items that are nobody's: neither generated nor sources. They are looked for where
 * files are generated, and where those lie that the user names.
 */
export async function findNewFiles(
  project: Project,
  { compiled, entries }: Trial,
  manifest: Manifest,
  shop: Workshop,
  named: readonly string[],
): Promise<string[]> {
  const { itemPlaces } = await import('../../spec/item-places.ts');
  const { universalDir } = project.loaded.config;
  const dir = sharedDir(universalDir);
  const sources = new Set(compiled.sources);
  const found = new Set<string>();
  for (const { spec } of compiled.requests) {
    const places = itemPlaces(spec, dir).filter(({ own, file }) => own && file !== undefined);
    const folders = new Set([...entries.keys(), ...manifest.files.keys(), ...named].map(path => topOf(path)));
    for (const folder of folders) {
      for (const path of filesBelow(folder, shop)) {
        if (entries.has(path) || manifest.files.has(path) || sources.has(path)) continue;
        if (places.some(({ nameIn }) => nameIn(path) !== undefined)) found.add(path);
      }
    }
  }
  return [...found].sort();
}

/** The folder of a tool that a file lies in; files at the root and outside of it say nothing. */
const topOf = (path: string): string => {
  const [first, ...rest] = path.split('/');
  return rest.length > 0 && first !== '.instr' && first !== '..' ? first! : '.instr/.state/none';
};

/** Makes files that somebody wrote for one tool sources for all of them. */
export async function adoptFiles(
  paths: readonly string[],
  project: Project,
  shop: Workshop,
  start: Trial,
): Promise<WholeFiles> {
  const reason = 'no source that was tried gives exactly this file; `prs import` reads it as a draft';
  return takeEach(paths, reason, start, async (path, { compiled }) => {
    const added = linesOfBytes(shop.disk.readBytes(join(shop.root, path)) ?? new Uint8Array());
    if (!added) return { kept: undefined };
    const candidates = await sourcesFor(path, added.join('\n'), project, compiled.requests);
    const isFree = ({ moves = [] }: Candidate) => moves.every(({ file }) => !shop.linesOf(file));
    const kept = await shop.keepFirst(candidates.filter(isFree), ({ entries }) => isKept(entries.get(path)));
    return { added, kept };
  });
}

const isKept = (entry: PlanEntry | undefined): boolean =>
  entry?.action === 'keep' && (entry.state === 'adopted' || entry.state === 'unchanged');

/** Markdown sources that may lead to a file: its text as it is, or its fields in the words of the language. */
async function sourcesFor(
  path: string,
  text: string,
  { loaded }: Project,
  requests: Trial['compiled']['requests'],
): Promise<Candidate[]> {
  const { nothingLearned } = await import('../keep/keeping.ts');
  const { roleFinder } = await import('../keep/roles.ts');
  const { portableItem } = await import('../keep/item-text.ts');
  const { universalDir } = loaded.config;
  const specs = requests.map(({ spec }) => spec);
  const roles = roleFinder(specs, sharedDir(universalDir))(path).filter(role => role.kind === 'item');
  const [role] = roles;
  if (!role) return [];
  const move = (file: string, said: string): Candidate => ({ edits: [], moves: [{ file, text: said }] });
  const { intoLine, itemSources, targetLines, withLines } = await import('../keep/items.ts');
  // Where no tool has a place for it, because one of them reads that of another, it is for these tools and stays there.
  const readers = specs.filter(spec => roles.some(one => one.spec === spec));
  const { fields } = readFrontMatter(text);
  const placed = ['targets', 'except', 'into'].some(key => fields.has(key))
    ? text
    : withLines(text, [...targetLines(specs, readers), intoLine([path])]);
  if (role.file?.of === 'skills') {
    const source = `.instr/skills/${role.name}/SKILL.md`;
    return [move(source, text), move(source, placed)];
  }
  const item = { path, roles: [role], text };
  const { sources } = await itemSources([item], [role.spec], nothingLearned);
  const found = sources.map(source => move(source.path, String(source.text)));
  const portable = await portableItem(item, undefined);
  if (typeof portable !== 'string' && sources[0]) found.push(move(sources[0].path, portable.text));
  if (sources[0] && isMarkdownPath(path)) found.push(move(sources[0].path, placed));
  return found;
}
