import { records } from '../generated/collections.ts';
import type { EntriesFile, FileSpec, ItemFiles, TargetSpec } from '../generated/types/target.ts';
import { templateExpression } from '../text/escape-regex.ts';
import { compileGlobs } from '../text/globs.ts';
import { memoize, memoizeByObject } from '../text/memo.ts';
import { baseName } from '../text/paths.ts';
import { slugOf } from '../text/title.ts';
import { partOf } from './spec.ts';

/** A place where a tool has files of single items. */
interface ItemPlace {
  /** Name of the entry of `files`; absent for places that are only read. */
  readonly name?: string;
  /** The format of the files there; absent when no entry describes it. */
  readonly file?: ItemFiles;
  /** Whether a version that is not optional writes to this place. */
  readonly own: boolean;
  /** The item name in a path; `undefined` when the path is not in this place. */
  readonly nameIn: (path: string) => string | undefined;
}

/** All paths of an entry of `files`, with each value of the options that occur in them. */
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

/**
 * Options that a tool needs to write the files that exist: those with a name of a file, of which the default does not
 * exist and another one does.
 */
export function pathOptions(spec: TargetSpec, exists: (path: string) => boolean): Map<string, string> {
  const found = new Map<string, string>();
  for (const [option, field] of Object.entries(spec.options ?? {})) {
    if (typeof field !== 'object') continue;
    const { default: usual, values, buildOnly = [] } = field;
    const templates = Object.values(spec.files).flatMap(({ path }) =>
      path.includes(`{${option}}`) ? [path] : [],
    );
    const isThere = (value: unknown) =>
      templates.some(path => exists(path.replaceAll(`{${option}}`, String(value))));
    const other = values?.find(value => !buildOnly.includes(String(value)) && isThere(value));
    if (other !== undefined && !isThere(usual)) found.set(option, String(other));
  }
  return found;
}

/** Whether a path is one of the additional files that a tool reads in the format of a structured file. */
export function isOtherPlace(file: EntriesFile, path: string): boolean {
  if (file.others === undefined || path === file.path) return false;
  return templateOf(file.others, true).test(path);
}

/** The extensions of Markdown item files in any of the tools. */
export function itemEndings(specs: readonly TargetSpec[]): readonly string[] {
  const paths = specs.flatMap(({ files }) => Object.values(files).filter(({ kind }) => kind === 'items'));
  const endings = paths.map(({ path }) => path.slice(path.lastIndexOf('}') + 1));
  return [...new Set(endings)].filter(ending => /^\.[a-z.]*mdc?$/.test(ending));
}

/**
 * All places in which a tool has items: the written ones first, then legacy ones, then those that are only
 * read.
 */
export const itemPlaces = (spec: TargetSpec, universalDir: string): readonly ItemPlace[] =>
  placesIn(spec)(universalDir);

const placesIn = memoizeByObject((spec: TargetSpec) =>
  memoize((universalDir: string) => findPlaces(spec, universalDir)),
);

function findPlaces(spec: TargetSpec, universalDir: string): readonly ItemPlace[] {
  const places: ItemPlace[] = [];
  for (const [name, file] of Object.entries(spec.files)) {
    // Bundles are made for distribution: no tool reads them where they are written.
    if (file.kind !== 'items' || file.of === 'plugins') continue;
    const own = file.versions?.includes(spec.defaultVersion) ?? true;
    for (const path of pathsOf(file, spec, universalDir)) {
      const template = templateOf(
        path,
        file.of === 'skills' || isAmongSkills(path, file, spec, universalDir),
      );
      // A single file for all items names an item by its whole path.
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

/**
 * Whether a glob matches texts that a tool reads and no entry writes. The universal directory does not belong
 * to a tool.
 */
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

/**
 * Whether a place of other items lies in a folder of skills. Only files directly in such a folder are items.
 */
export const isAmongSkills = (
  path: string,
  file: FileSpec,
  spec: TargetSpec,
  universalDir: string,
): boolean => partOf(file) !== 'skills' && skillHomes(spec, universalDir).has(folderOf(path));

/** Items may be in subfolders of the place unless they are `flat`: the folder of a skill is the skill. */
const templateOf = (path: string, flat: boolean): RegExp => {
  const expression = templateExpression(path, placeholder => {
    if (placeholder !== 'name') return '[^/]+';
    return flat ? '(?<name>[^/]+)' : '(?<name>.+)';
  });
  return new RegExp(`^${expression}$`, 'u');
};

/** Treats a glob as a place: the item name is the path below its fixed folders without the extension. */
function namedBy(glob: string): ItemPlace['nameIn'] {
  const matches = compileGlobs([glob]);
  const above = glob.slice(0, glob.search(/[*?[{]/)).replace(/[^/]*$/, '');
  const ending = /\*((?:\.[A-Za-z]+)+|\/SKILL\.md)$/.exec(glob)?.[1] ?? '';
  return path =>
    matches(path)
      ? path.slice(above.length, ending === '' ? undefined : -ending.length).replace(/^\./, '')
      : undefined;
}

/**
 * The entry for a collection in the universal directory, in the form of a spec; `undefined` when the
 * collection has no place there.
 */
export function universalFiles(collection: string): ItemFiles | undefined {
  const universal = records.find(({ name }) => name === collection)?.universal;
  // The types of specs list only collections with places in specs; the catalogue may have more.
  return universal && ({ kind: 'items', of: collection, ...universal } as unknown as ItemFiles);
}

/** The universal entries of all collections, for import. */
export const allUniversalFiles = (): readonly ItemFiles[] =>
  records.flatMap(({ name }) => universalFiles(name) ?? []);

/** The folder of a bundle, with `{name}` for the name in its manifest. */
export const bundleFolder = ({ path }: Pick<ItemFiles, 'path'>): string =>
  path.slice(0, path.indexOf('{name}') + '{name}'.length);

/** The path of a part relative to the folder of its bundle. */
export const pathInBundle = (part: FileSpec): string =>
  part.kind === 'items' && part.dir !== undefined ? `${part.dir}/${part.path}` : part.path;
