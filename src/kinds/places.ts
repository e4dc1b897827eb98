import type { FileSpec, ItemFiles, TargetSpec } from '../generated/types/target.ts';
import type { Activation } from '../model/guards.ts';
import type { Fields, Item } from '../model/model.ts';
import { partOf } from '../spec/spec.ts';
import { normalizePath } from '../text/paths.ts';
import type { TargetRequest } from './request.ts';
import { isConditionMet } from './write/rows.ts';

export interface Place<T extends FileSpec = FileSpec> {
  readonly name: string;
  readonly file: T;
  /** Whether it is a fallback for a place that the target does not have; its name is not in the spec. */
  readonly fallback?: true;
}

/** The entries of `files` that a version with these options writes, in spec order. */
export function activeFiles(spec: TargetSpec, version: string, options: Fields): Place[] {
  return Object.entries(spec.files)
    .filter(([, file]) => file.versions?.includes(version) ?? true)
    .filter(([, file]) => isConditionMet(file.when, options))
    .map(([name, file]) => ({ name, file }));
}

/** Whether a row or slot of an entry is filled from one of these fields. */
export function usesField(file: FileSpec, names: readonly string[]): boolean {
  const visit = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (('from' in value && typeof value.from === 'string' && names.includes(value.from)) ||
      Object.values(value).some(visit));
  return visit(file);
}

/** The first active entry for a collection, of any kind. */
export function fileOf(spec: TargetSpec, of: string, version: string, options: Fields): Place | undefined {
  return activeFiles(spec, version, options).find(({ file }) => partOf(file) === of);
}

export function versionsWith(spec: TargetSpec, of: string, field?: string): string[] {
  const names = field === undefined ? [] : [field, ...(field === 'timeoutMs' ? ['timeout'] : [])];
  return Object.keys(spec.versions).filter(version =>
    Object.values(spec.files).some(
      file =>
        partOf(file) === of &&
        (file.versions?.includes(version) ?? true) &&
        (field === undefined || usesField(file, names)),
    ),
  );
}

export const activationsOf = (file: FileSpec): readonly Activation[] =>
  file.kind === 'items' ? (file.activation ?? ['scoped']) : [];

export const filesOfKind = <K extends FileSpec['kind']>(spec: TargetSpec, kind: K) =>
  Object.values(spec.files).filter((file): file is Extract<FileSpec, { kind: K }> => file.kind === kind);

export function itemPath(
  file: ItemFiles,
  item: Item,
  request: TargetRequest,
  context: { readonly universalDir: string },
): string {
  const base = folder(itemFolder(file, request, context.universalDir));
  const path = fillOptions(file.path, request)
    .replaceAll('{name}', item.written?.file ?? item.name)
    .replaceAll('{event}', String(item.fields.get('nativeEvent') ?? ''));
  const inner = item.into === undefined ? path : folder(item.into) + path;
  return documentPath(base + inner, request, true);
}

/** The folder of a place with the options of a target filled in; empty for the root. */
export function itemFolder({ of, dir }: ItemFiles, request: TargetRequest, universalDir: string): string {
  const moved = of === 'skills' && dir !== undefined ? request.skillBaseDir : undefined;
  const own = fillOptions(moved ?? dir ?? '', request);
  return normalizePath(own.replaceAll('{universal}', universalDir || '.'));
}

/** A folder as a path prefix; empty for the root. */
function folder(path: string): string {
  const plain = normalizePath(path);
  return plain === '' ? '' : `${plain}/`;
}

export function fillOptions(path: string, request: TargetRequest): string {
  return path.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
    const value = request.options.get(name);
    return typeof value === 'string' ? value : whole;
  });
}

/** Applies `output`: a file name replaces the path of the main document, a folder moves everything. */
export function documentPath(path: string, { output }: TargetRequest, item = false): string {
  if (output === undefined) return path;
  const isFile = /\.[A-Za-z0-9]+$/.test(output) && !output.endsWith('/');
  if (isFile) return item ? path : output;
  return folder(output) + path;
}

/** A path below the directory of the build. */
export const placeIn = ({ baseDir }: { readonly baseDir: string }, path: string): string =>
  baseDir === '' ? path : `${baseDir}/${path}`;

/** Templates of bodies inside a spec, by `body:<file>`. */
export const inlineTemplates = (spec: TargetSpec) =>
  Object.entries(spec.files).flatMap(([name, file]) => {
    if (file.kind !== 'items' || !file.body?.includes('{{')) return [];
    return [{ place: `body:${name}`, of: file.of, path: ['files', name, 'body'], text: file.body }];
  });

/** The name of the body template of a place. */
export const bodyName = (of: string, body: string | undefined): string =>
  body ?? (of === 'skills' ? 'skill' : 'content');
