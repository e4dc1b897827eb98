import { records } from '../generated/collections.ts';
import type { EntriesFile, FileSpec, ItemFiles, TargetSpec } from '../generated/types/target.ts';
import { escapeRegex } from '../text/escape-regex.ts';
import { compileGlobs } from '../text/globs.ts';
import { perObject } from '../text/memo.ts';
import { baseName } from '../text/paths.ts';
import { slugOf } from '../text/title.ts';
import { partOf } from './spec.ts';

/** Where a tool has files of single items. */
interface ItemPlace {
  /** Name of the entry of `files`; absent for places that are only read. */
  readonly name?: string;
  /** The form that files have there; absent where no entry has one. */
  readonly file?: ItemFiles;
  /** A version that is written without being asked for has the place. */
  readonly own: boolean;
  /** What the path calls the item; `undefined` when it lies elsewhere. */
  readonly nameIn: (path: string) => string | undefined;
}

/** Paths of an entry of `files`, names of options filled in with each of their values. */
export function pathsOf(file: FileSpec, spec: TargetSpec, universalDir: string): string[] {
  const dir = file.kind === 'items' && file.dir !== undefined ? `${file.dir}/` : '';
  const template = (dir + file.path).replaceAll('{universal}', universalDir);
  const option = /\{(?!name\}|event\})([A-Za-z]+)\}/.exec(template)?.[1];
  if (option === undefined) return [template];
  const written = spec.options?.[option];
  const values =
    typeof written === 'object'
      ? (written.values ?? (typeof written.default === 'string' ? [written.default] : []))
      : [];
  return values.map(value => template.replaceAll(`{${option}}`, String(value)));
}

/** Whether a path is one of the further files that a tool reads in the form of a structured file. */
export function isOtherPlace(file: EntriesFile, path: string): boolean {
  if (file.others === undefined || path === file.path) return false;
  return templateOf(file.others, true).test(path);
}

/** What names of item files in Markdown end with, in any tool. */
export function itemEndings(specs: readonly TargetSpec[]): readonly string[] {
  const paths = specs.flatMap(({ files }) => Object.values(files).filter(({ kind }) => kind === 'items'));
  const endings = paths.map(({ path }) => path.slice(path.lastIndexOf('}') + 1));
  return [...new Set(endings)].filter(ending => /^\.[a-z.]*mdc?$/.test(ending));
}

/** Every place in which a tool has items: those that are written first, then the old ones, then those that it only reads. */
export function itemPlaces(spec: TargetSpec, universalDir: string): readonly ItemPlace[] {
  const made = placesMade(spec);
  const known = made.get(universalDir) ?? findPlaces(spec, universalDir);
  made.set(universalDir, known);
  return known;
}

const placesMade = perObject((_spec: TargetSpec) => new Map<string, readonly ItemPlace[]>());

function findPlaces(spec: TargetSpec, universalDir: string): readonly ItemPlace[] {
  const places: ItemPlace[] = [];
  for (const [name, file] of Object.entries(spec.files)) {
    // Bundles are made for others: no tool reads them where they are made.
    if (file.kind !== 'items' || file.of === 'plugins') continue;
    const own = file.versions?.includes(spec.defaultVersion) ?? true;
    for (const path of pathsOf(file, spec, universalDir)) {
      const template = templateOf(
        path,
        file.of === 'skills' || isAmongSkills(path, file, spec, universalDir),
      );
      // One file for all items names them no more than itself.
      const nameIn = (one: string) =>
        file.headed === undefined
          ? template.exec(one)?.groups?.name
          : template.test(one)
            ? slugOf(baseName(one))
            : undefined;
      places.push({ name, file, own, nameIn });
    }
  }
  for (const { path, as } of spec.legacy ?? []) {
    const file = as === undefined ? undefined : spec.files[as];
    if (file === undefined ? !isRead(path, universalDir) : file.kind !== 'items') continue;
    places.push({ ...(file && { name: as!, file: file as ItemFiles }), own: true, nameIn: namedBy(path) });
  }
  for (const path of spec.detect ?? [])
    if (isRead(path, universalDir)) places.push({ own: true, nameIn: namedBy(path) });
  return places;
}

/** Whether a glob names texts that a tool reads and no entry writes; the universal directory belongs to no tool. */
const isRead = (glob: string, universalDir: string): boolean =>
  /\*.*\.(?:mdc?|txt)$|^\.[a-z]+-\*$/.test(glob) &&
  !/\/SKILL\.md$/.test(glob) &&
  !glob.startsWith(`${universalDir}/commands/`);

function skillHomes(spec: TargetSpec, universalDir: string): ReadonlySet<string> {
  return new Set(
    Object.values(spec.files).flatMap(file =>
      file.kind === 'items' && file.of === 'skills' ? pathsOf(file, spec, universalDir).map(folderOf) : [],
    ),
  );
}

const folderOf = (path: string): string => path.split('/{name}')[0]!;

/** Whether a place of other items is a folder in which the tool has skills: there only files right in it are items. */
export const isAmongSkills = (
  path: string,
  file: FileSpec,
  spec: TargetSpec,
  universalDir: string,
): boolean => partOf(file) !== 'skills' && skillHomes(spec, universalDir).has(folderOf(path));

/** Items may stand in folders of their own below the place, unless they are `flat`: a skill is its folder. */
function templateOf(path: string, flat: boolean): RegExp {
  let named = false;
  const parts = path.split(/(\{[A-Za-z]+\})/).map(part => {
    if (part === '{name}' && named) return '\\k<name>';
    named ||= part === '{name}';
    if (part === '{name}') return flat ? '(?<name>[^/]+)' : '(?<name>.+)';
    return part.startsWith('{') ? '[^/]+' : escapeRegex(part);
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}

/** A glob as a place: what lies below its folders, without the ending of the glob, is the name. */
function namedBy(glob: string): ItemPlace['nameIn'] {
  const matches = compileGlobs([glob]);
  const above = glob.slice(0, glob.search(/[*?[{]/)).replace(/[^/]*$/, '');
  const ending = /\*((?:\.[A-Za-z]+)+|\/SKILL\.md)$/.exec(glob)?.[1] ?? '';
  return path =>
    matches(path)
      ? path.slice(above.length, ending === '' ? undefined : -ending.length).replace(/^\./, '')
      : undefined;
}

/** The files of a collection in the universal directory, as a spec would describe them; `undefined` when it has none there. */
export function universalFiles(collection: string): ItemFiles | undefined {
  const universal = records.find(({ name }) => name === collection)?.universal;
  // The types of specs name the collections that specs have places for; the catalogue may have more.
  return universal && ({ kind: 'items', of: collection, ...universal } as unknown as ItemFiles);
}

/** Those of all collections, as import meets them. */
export const allUniversalFiles = (): readonly ItemFiles[] =>
  records.flatMap(({ name }) => universalFiles(name) ?? []);

/** The folder of a bundle, with `{name}`: what its manifest has its name for. */
export const bundleFolder = ({ path }: Pick<ItemFiles, 'path'>): string =>
  path.slice(0, path.indexOf('{name}') + '{name}'.length);

/** Where a part lies in the folder of a bundle. */
export const pathInBundle = (part: FileSpec): string =>
  part.kind === 'items' && part.dir !== undefined ? `${part.dir}/${part.path}` : part.path;
