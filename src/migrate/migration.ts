import { records } from '../generated/collections.ts';
import { blocksOf } from '../import/document.ts';
import type { Imported } from '../import/import.ts';
import type { MappedBlock } from '../kinds/document/read/map.ts';
import type { BlockDeclaration, BodyItem, Declaration } from '../syntax/ast.ts';
import { block, documentOf, field, str, use } from '../syntax/build.ts';
import { printDocument } from '../syntax/print.ts';
import { plainPath } from '../text/paths.ts';
import { localPath } from '../text/places.ts';
import { newestSyntax } from '../text/version.ts';
import { mergeParts, type Repetition } from './merge.ts';

/** An instruction file of the project that was read. */
export interface ImportedFile {
  readonly path: string;
  readonly imported: Imported;
}

export interface MigratedFile {
  /** `/`-separated, relative to the project. */
  readonly path: string;
  readonly text: string;
}

export interface Migration {
  /** Empty when there was nothing to take over. */
  readonly files: readonly MigratedFile[];
  /** Texts that stand in several files, and what became of them. */
  readonly repetitions: readonly Repetition[];
  /** Files whose only content is a reference to another one. */
  readonly pointers: readonly string[];
  /** Skills that stay where they are and are used from there. */
  readonly usedInPlace: readonly string[];
  /** Skills of one name that say different things: only the first is used. */
  readonly otherSkills: readonly { readonly kept: string; readonly left: string }[];
}

const folder = '.instr/migrated';

/** What the entry has to use. */
export const migratedReference = './migrated/all';

const prose = 'instructions';

/** Which file of the result a block goes to; everything else is prose and stays together. */
const groups: Readonly<Record<string, string>> = Object.fromEntries(
  records.filter(({ of }) => of !== 'fields').map(({ block, file }) => [block, file]),
);

/**
 * The files of a project as one set of sources. `found` is in the order in which the files are to speak. Skills and
 * commands of the universal directory are found without being named; skills elsewhere are used from their folders, so
 * that their other files come along.
 */
export function planMigration(found: readonly ImportedFile[], universalDir: string | undefined): Migration {
  const discovered = ['.instr/skills', ...(universalDir === undefined ? [] : [`${universalDir}/skills`])];
  const paths = new Set(found.map(({ path }) => path));
  const pointers: string[] = [];
  const usedInPlace: string[] = [];
  const otherSkills: { kept: string; left: string }[] = [];
  const skills = new Map<string, ImportedFile>();
  const sources: { path: string; parts: readonly MappedBlock[] }[] = [];
  for (const file of found) {
    const { path, imported } = file;
    if (pointsTo(imported.body, path, paths)) {
      pointers.push(path);
      continue;
    }
    // A folder may hold more than the text of its skill, so it is used as a whole.
    if (/(?:^|\/)SKILL\.md$/i.test(path)) {
      const directory = path.slice(0, path.lastIndexOf('/'));
      const name = directory.slice(directory.lastIndexOf('/') + 1);
      const kept = skills.get(name);
      if (kept) {
        if (kept.imported.body !== imported.body) otherSkills.push({ kept: kept.path, left: path });
        continue;
      }
      skills.set(name, file);
      if (!discovered.some(place => directory === `${place}/${name}`)) usedInPlace.push(directory);
      continue;
    }
    if (universalDir !== undefined && path.startsWith(`${universalDir}/commands/`)) continue;
    sources.push({ path, parts: imported.parts });
  }
  const { parts, repetitions } = mergeParts(sources);
  return { files: writeFiles(parts, usedInPlace), repetitions, pointers, usedInPlace, otherSkills };
}

/** `@other.md` or `See [other.md](other.md).` and nothing else. */
function pointsTo(body: string | undefined, from: string, paths: ReadonlySet<string>): boolean {
  const text = body?.trim() ?? '';
  if (text === '' || text.length > 300 || text.split('\n').length > 4) return false;
  const match = /^(?:see|read|use|follow|refer to)?:?\s*(?:@|\[[^\]]*\]\(|`)?([\w./-]+\.\w+)[)`]?\.?$/i.exec(
    text,
  );
  if (!match) return false;
  const base = from.includes('/') ? `${from.slice(0, from.lastIndexOf('/'))}/` : '';
  const target = plainPath(base + match[1]!);
  return target !== from && paths.has(target);
}

function writeFiles(parts: readonly MappedBlock[], usedInPlace: readonly string[]): MigratedFile[] {
  const byFile = new Map<string, MappedBlock[]>();
  for (const part of parts) {
    if (part.block === 'local') continue;
    const name = groups[part.block] ?? prose;
    byFile.set(name, [...(byFile.get(name) ?? []), part]);
  }
  const files: MigratedFile[] = [];
  const names = [...byFile.keys()].sort(
    (a, b) => Number(b === prose) - Number(a === prose) || (a < b ? -1 : 1),
  );
  for (const name of names) {
    const own = byFile.get(name)!;
    const comments = new Map<Declaration | BodyItem, string>();
    files.push({
      path: `${folder}/${name}.prs`,
      text: printDocument(documentOf([meta(name), ...blocksOf(own, comments)]), comments),
    });
  }
  const notes = parts.filter(({ block }) => block === 'local');
  if (notes.length > 0) {
    const comments = new Map<Declaration | BodyItem, string>();
    const text = printDocument(documentOf([meta('local'), ...blocksOf(notes, comments)]), comments);
    files.push({ path: localPath, text });
  }
  const uses = names.map(name => use(`./${name}`));
  // From `.instr/migrated/` two steps up is the root of the project.
  const skills = [...usedInPlace].sort().map(directory => use(`../../${directory}`));
  if (uses.length + skills.length === 0) return files;
  return [
    ...files,
    { path: `${folder}/all.prs`, text: printDocument(documentOf([meta('all'), ...uses, ...skills])) },
  ];
}

const meta = (name: string): BlockDeclaration =>
  block('meta', [field('id', str(`migrated-${name}`)), field('syntax', str(newestSyntax))]);
