import type { EntriesFile, ItemFiles, Reads, TargetSpec } from '../../generated/types/target.ts';
import { isOtherPlace, itemPlaces, pathsOf } from '../../spec/item-places.ts';
import { alternatives, readablePaths } from '../../spec/reads.ts';
import { templateExpression } from '../../text/escape-regex.ts';
import { compileGlobs } from '../../text/globs.ts';

/** A main file, at the root or of a folder; or a file that is read in a form that no spec describes. */
type OtherRole = RoleBase &
  ({ readonly kind: 'main'; readonly folder: string } | { readonly kind: 'trace'; readonly what?: string });

export type Role = ItemRole | EntriesRole | OtherRole;

interface RoleBase {
  readonly spec: TargetSpec;
  /** The tool's own spec writes the file or names it as a trace; otherwise the tool only reads the file. */
  readonly isOwn: boolean;
}

/**
 * The file of one item, with the name that its place gives it. Without a form, the tool only reads it there as a
 * rule.
 */
export interface ItemRole extends RoleBase {
  readonly kind: 'item';
  readonly file?: ItemFiles;
  readonly name: string;
}

/**
 * A structured file whose entries a spec describes; `own` when the file is a trace of the tool whatever it contains.
 */
export interface EntriesRole extends RoleBase {
  readonly kind: 'entries';
  readonly file: EntriesFile;
  /** A further file of the form, which is only written when entries name it. */
  readonly other?: true;
}

/** Whether a file is the main file of a folder below the root, and nothing else. */
export const isNestedMain = (roles: readonly Role[]): boolean =>
  roles.every(role => role.kind === 'main' && role.folder !== '');

export type FindRoles = (path: string) => readonly Role[];

/** Roles of paths at the root of a project, and of main files of folders, by the places that specs name. */
export function roleFinder(specs: readonly TargetSpec[], universalDir: string): FindRoles {
  const finders = specs.map(spec => finderOf(spec, universalDir));
  return path => finders.flatMap(find => find(path));
}

function finderOf(spec: TargetSpec, universalDir: string): (path: string) => Role[] {
  const { reads } = spec;
  const mains = new Set<string>(reads ? readablePaths(reads) : []);
  const owned = new Set<string>(spec.legacy?.flatMap(({ path, as }) => (isMain(as, spec) ? [path] : [])));
  const places = itemPlaces(spec, universalDir);
  const entries: { readonly file: EntriesFile; readonly paths: readonly string[] }[] = [];
  const scripts: RegExp[] = [];
  for (const file of Object.values(spec.files)) {
    const usual = file.versions?.includes(spec.defaultVersion) ?? true;
    const paths = pathsOf(file, spec, universalDir);
    if (file.kind === 'document' && file.of === 'instructions') {
      for (const path of paths) {
        mains.add(path);
        if (usual || !(reads && readablePaths(reads).includes(path))) owned.add(path);
      }
    }
    if (file.kind === 'entries') entries.push({ file, paths });
    if (file.kind === 'scripts') scripts.push(...paths.map(scriptAt));
  }
  for (const path of owned) mains.add(path);
  const isTrace = compileGlobs([...(spec.detect ?? [])]);
  const nested = nestedNames(reads);
  const asides = (spec.aside ?? []).map(({ path, what }) => ({ matches: compileGlobs([path]), what }));
  return path => {
    const isOwn = isTrace(path);
    const aside = asides.find(({ matches }) => matches(path));
    if (aside && !entries.some(({ paths }) => paths.includes(path)))
      return [{ kind: 'trace', spec, isOwn: true, what: aside.what }];
    if (mains.has(path)) {
      // A rule with the name of a version's main file is the main file.
      return [{ kind: 'main', spec, folder: '', isOwn: isOwn || owned.has(path) }];
    }
    const found: Role[] = [];
    for (const { file, own: isWritten, nameIn } of places) {
      // A place with a known form is preferred to one that is only read.
      const name = file === undefined && found.length > 0 ? undefined : nameIn(path);
      if (name !== undefined)
        found.push({ kind: 'item', spec, ...(file && { file }), name, isOwn: isWritten });
    }
    // The most literal place determines the role: a workflow may lie in a folder below that of the rules.
    found.sort((a, b) => nameLength(a) - nameLength(b));
    for (const { file, paths } of entries) {
      if (paths.includes(path)) found.push({ kind: 'entries', spec, file, isOwn });
      else if (isOtherPlace(file, path))
        found.push({ kind: 'entries', spec, file: { ...file, path }, isOwn, other: true });
    }
    if (found.length > 0) return found;
    for (const name of nested) {
      if (path.endsWith(`/${name}`))
        return [{ kind: 'main', spec, folder: path.slice(0, -name.length - 1), isOwn: false }];
    }
    return isOwn || scripts.some(script => script.test(path)) ? [{ kind: 'trace', spec, isOwn: true }] : [];
  };
}

const nameLength = (role: Role): number => (role.kind === 'item' ? role.name.length : 0);

/** Scripts of a folder, one for each event. */
const scriptAt = (path: string): RegExp => new RegExp(`^${templateExpression(path, () => '[^/]+')}$`, 'u');

const isMain = (name: string | undefined, spec: TargetSpec): boolean => {
  const file = name === undefined ? undefined : spec.files[name];
  return file?.kind === 'document' && file.of === 'instructions';
};

function nestedNames(reads: Reads | undefined): string[] {
  if (!reads?.nested) return [];
  const names = (reads.nested.files ?? reads.files).flatMap(alternatives);
  return [...new Set([...names, ...(reads.nested.files ? [] : (reads.fallback ?? []))])];
}
