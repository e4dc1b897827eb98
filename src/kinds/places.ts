import type { FileSpec, TargetSpec } from '../generated/types/target.ts';
import type { Fields } from '../model/model.ts';
import { partOf } from '../spec/part-of.ts';
import { perObject } from '../text/memo.ts';
import { holds } from './write/fields.ts';

/** An entry of `files` with its name. */
export interface Place<T extends FileSpec = FileSpec> {
  readonly name: string;
  readonly file: T;
  /** It stands in for one that the target does not have: no entry of its spec has the name. */
  readonly fallback?: true;
}

/** The entries of `files` that a version with these options writes, in the order of the spec. */
export function activeFiles(spec: TargetSpec, version: string, options: Fields): Place[] {
  return Object.entries(spec.files)
    .filter(([, file]) => file.versions?.includes(version) ?? true)
    .filter(([, file]) => holds(file.when, options))
    .map(([name, file]) => ({ name, file }));
}

/** Whether a row or a slot of an entry of `files` is filled from one of these fields. */
export function asksFor(file: FileSpec, names: readonly string[]): boolean {
  const asked = fieldsAskedFor(file);
  return names.some(name => asked.has(name));
}

/** Entries are asked for every item and more than one field: they are walked through once. */
const fieldsAskedFor = perObject((file: FileSpec): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('from' in value && typeof value.from === 'string') found.add(value.from);
    Object.values(value).forEach(visit);
  };
  visit(file);
  return found;
});

/** The first active entry for a collection, whatever its kind. */
export function fileOf(spec: TargetSpec, of: string, version: string, options: Fields): Place | undefined {
  return activeFiles(spec, version, options).find(({ file }) => partOf(file) === of);
}

/** The versions of a target that have a place for a collection, or for a field of it: for advice. */
export function versionsWith(spec: TargetSpec, of: string, field?: string): string[] {
  const names = field === undefined ? [] : [field, ...(field === 'timeoutMs' ? ['timeout'] : [])];
  return Object.keys(spec.versions).filter(version =>
    Object.values(spec.files).some(
      file =>
        partOf(file) === of &&
        (file.versions?.includes(version) ?? true) &&
        (field === undefined || asksFor(file, names)),
    ),
  );
}
