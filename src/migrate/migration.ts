import type { MappedBlock } from '../kinds/document/read/map.ts';
import type { Data } from '../model/model.ts';
import { documentOf, use } from '../syntax/build.ts';
import { printDocument } from '../syntax/print.ts';
import { unusedName } from '../text/free-name.ts';
import { groupBy } from '../text/group.ts';
import { compareCodeUnits } from '../text/order.ts';
import { fileStem, joinPath, nameOf, normalizePath, parentOf } from '../text/paths.ts';
import { localPath } from '../text/places.ts';
import { titleOf } from '../text/title.ts';
import { forTools, metaBlock, printParts } from './import/document.ts';
import type { Imported } from './import/import.ts';
import { groupOf, isEntry, layOutSources } from './lay-out.ts';
import type { MergedPart, MergedSource, Repetition } from './merge.ts';

export interface ImportedFile {
  readonly path: string;
  readonly imported: Imported;
  /** The content of the file without a byte order mark. */
  readonly text: string;
  /** The tools in use that read it; absent means all. */
  readonly targets?: readonly string[];
  /** Set when no block can reproduce it in its place: it stays one text that is written to the same path. */
  readonly pinned?: boolean;
  /** Set when nothing can be written to its path without duplicating text: it is not a source and is kept. */
  readonly isKept?: boolean;
}

export interface MigratedFile {
  /** `/`-separated, relative to the project. */
  readonly path: string;
  readonly text: string;
}

export interface Migration {
  /** Empty when there was nothing to import. */
  readonly files: readonly MigratedFile[];
  /** Texts in several files, and how they were merged. */
  readonly repetitions: readonly Repetition[];
  readonly pointers: readonly string[];
  readonly keptFiles: readonly string[];
  /** Files that are used as sources at their current path. */
  readonly sourcesInPlace: readonly string[];
  /** Skills with the same name and different content: only the first is used. */
  readonly otherSkills: readonly { readonly kept: string; readonly left: string }[];
}

const folder = '.instr/migrated';

export const migratedReference = './migrated/all';

/**
 * Converts the files of a project to one set of sources. `found` is in order of precedence. Skills and
 * commands of the universal directory are discovered; skills elsewhere are imported by folder, so that their
 * other files are included.
 */
export function planMigration(found: readonly ImportedFile[], universalDir: string | undefined): Migration {
  const discovered = ['.instr/skills', ...(universalDir === undefined ? [] : [`${universalDir}/skills`])];
  const paths = new Set(found.map(({ path }) => path));
  const pointers: string[] = [];
  const usedInPlace: string[] = [];
  const otherSkills: { kept: string; left: string }[] = [];
  const skills = new Map<string, ImportedFile>();
  const sources: MergedSource[] = [];
  const pinned: ImportedFile[] = [];
  const keptFiles: string[] = [];
  const sourcesInPlace: string[] = [];
  for (const file of found) {
    const { path, imported, targets } = file;
    if (linkedFile(imported.body, path, paths) !== undefined) {
      pointers.push(path);
      continue;
    }
    // The folder may contain more than the text of the skill, so it is imported as a whole.
    if (/(?:^|\/)SKILL\.md$/.test(path)) {
      const directory = parentOf(path);
      const name = nameOf(directory);
      const kept = skills.get(name);
      if (kept) {
        if (kept.imported.body !== imported.body) otherSkills.push({ kept: kept.path, left: path });
        continue;
      }
      skills.set(name, file);
      sourcesInPlace.push(path);
      if (!discovered.some(place => directory === `${place}/${name}`)) usedInPlace.push(directory);
      continue;
    }
    if (universalDir !== undefined && path.startsWith(`${universalDir}/commands/`)) {
      sourcesInPlace.push(path);
      continue;
    }
    if (file.isKept) {
      keptFiles.push(path);
      continue;
    }
    if (file.pinned) {
      pinned.push(file);
      continue;
    }
    sources.push({ path, text: file.text, parts: imported.parts, ...(targets && { targets }) });
  }
  const files = writeFiles(layOutSources(sources), pinnedTexts(pinned), usedInPlace);
  return { ...files, pointers, keptFiles, sourcesInPlace, otherSkills };
}

/**
 * The file that a text refers to when it contains nothing else: `@other.md` or `See [other.md](other.md).`
 */
export function linkedFile(
  body: string | undefined,
  from: string,
  paths: ReadonlySet<string>,
): string | undefined {
  const text = body?.trim() ?? '';
  if (text === '' || text.length > 300 || text.split('\n').length > 4) return undefined;
  const match = /^(?:see|read|use|follow|refer to)?:?\s*(?:@|\[[^\]]*\]\(|`)?([\w./-]+\.\w+)[)`]?\.?$/i.exec(
    text,
  );
  if (!match) return undefined;
  const target = normalizePath(joinPath(parentOf(from), match[1]!));
  return target !== from && paths.has(target) ? target : undefined;
}

interface PinnedText {
  readonly name: string;
  readonly text: string;
  readonly places: readonly ImportedFile[];
}

/** Texts that stay at their paths, without duplicates. */
function pinnedTexts(files: readonly ImportedFile[]): PinnedText[] {
  const names = new Set<string>();
  return [...groupBy(files, file => file.text)].map(([text, places]) => {
    const stem = fileStem(places[0].path.replace(/\.md$/, ''), 'text');
    const name = unusedName(`kept-${stem}`, free => names.has(free));
    names.add(name);
    return { name, text, places };
  });
}

function writeFiles(
  { documents, merged, repetitions }: ReturnType<typeof layOutSources>,
  pinned: readonly PinnedText[],
  usedInPlace: readonly string[],
): Pick<Migration, 'files' | 'repetitions'> {
  const notes = merged.flatMap(({ part }) => (part.block === 'local' ? [part] : []));
  const others = merged.filter(({ part }) => part.block !== 'local');
  const sorted = others.filter(one => !isEntry(one)).map(({ part }) => part);
  const parts = [
    ...(sorted.length > 0 ? [{ name: 'instructions', parts: sorted }] : []),
    ...entryParts(others.filter(isEntry)),
  ];
  const files: MigratedFile[] = [
    ...[...documents, ...pinned].map(({ name, text }) => ({ path: `${folder}/${name}.md`, text })),
    ...parts.map(({ name, parts }) => ({ path: `${folder}/${name}.prs`, text: sourceOf(name, parts) })),
  ];
  if (notes.length > 0) files.push({ path: localPath, text: sourceOf('local', notes) });
  const uses = [
    ...documents.map(({ name, targets }) => use(`./${name}.md`, targets ? { targets } : {})),
    ...pinned.flatMap(({ name, places }) =>
      places.map(({ path, targets }) => use(`./${name}.md`, { into: path, ...(targets && { targets }) })),
    ),
    ...parts.map(({ name }) => use(`./${name}`)),
    // Relative to `.instr/migrated/`, the root of the project is two levels up.
    ...[...usedInPlace].sort().map(directory => use(`../../${directory}`)),
  ];
  const all = printDocument(documentOf([metaBlock('migrated-all'), ...uses]));
  return {
    files: uses.length > 0 ? [...files, { path: `${folder}/all.prs`, text: all }] : files,
    repetitions,
  };
}

const sourceOf = (name: string, parts: readonly MappedBlock[]): string =>
  printParts(`migrated-${name}`, parts);

/** Entries by kind. Each has its own audience. */
const entryParts = (merged: readonly MergedPart[]): { name: string; parts: readonly MappedBlock[] }[] =>
  [...groupBy(merged, ({ part }) => groupOf(part.block)!)]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([name, group]) => ({
      name,
      parts: group.map(({ part, targets }) =>
        targets ? forTools(withDescription(part), targets) : withDescription(part),
      ),
    }));

/** An agent needs a description; without one, the first sentence of its text is used. */
function withDescription(part: MappedBlock): MappedBlock {
  const { block, key = '', content } = part;
  if (block !== 'agents' || content.kind !== 'fields') return part;
  const given = content.fields.get('description');
  if (typeof given === 'string' && given.trim() !== '') return part;
  const text = String(content.fields.get('content') ?? '');
  const line = text.split('\n').find(one => /\p{L}/u.test(one) && !one.startsWith('#')) ?? titleOf(key);
  const description = /^.{1,200}?[.!?](?=\s|$)|^.{1,200}/u.exec(line.trim())![0];
  const review = [part.review, 'The file had no description; these are words of its text.']
    .filter(Boolean)
    .join('\n');
  const fields = new Map<string, Data>([['description', description], ...content.fields]);
  return { ...part, review, content: { kind: 'fields', fields: fields.set('description', description) } };
}
