import type {
  DocumentFile,
  EntriesFile,
  FileSpec,
  ItemFiles,
  TargetSpec,
} from '../generated/types/target.ts';
import type { Fields } from '../model/model.ts';
import { partOf } from '../spec/spec.ts';
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
  const visit = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (('from' in value && typeof value.from === 'string' && names.includes(value.from)) ||
      Object.values(value).some(visit));
  return visit(file);
}

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

/** The documents of a tool. */
export const documentsOf = (spec: TargetSpec): DocumentFile[] =>
  Object.values(spec.files).filter(file => file.kind === 'document');

/** The places of a tool that have a file for each item of a collection. */
export const itemFilesOf = (spec: TargetSpec, collection: string): ItemFiles[] =>
  Object.values(spec.files)
    .filter(file => file.kind === 'items')
    .filter(({ of }) => of === collection);

/** The structured files of a tool, one for each place in them. */
export const entriesOf = (spec: TargetSpec): EntriesFile[] =>
  Object.values(spec.files).filter(file => file.kind === 'entries');
