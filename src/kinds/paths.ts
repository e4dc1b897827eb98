import type { ItemFiles } from '../generated/types/target.ts';
import type { Item } from '../model/model.ts';
import { plainPath } from '../text/paths.ts';
import type { PlanContext } from './plan-context.ts';
import type { TargetRequest } from './request.ts';

/** The path of the file of an item. */
export function itemPath(file: ItemFiles, item: Item, request: TargetRequest, context: PlanContext): string {
  const filled = fillIn(file, request, context);
  let path = filled.path.replaceAll('{name}', item.written?.file ?? item.name);
  if (path.includes('{event}'))
    path = path.replaceAll('{event}', String(item.fields.get('nativeEvent') ?? ''));
  const inner = item.into === undefined ? path : folder(item.into) + path;
  return documentPath(filled.base + inner, request, true);
}

/** The folder and the path of a place with the options of a target. */
function fillIn(
  { of, dir, path }: ItemFiles,
  request: TargetRequest,
  { universalDir }: PlanContext,
): { readonly base: string; readonly path: string } {
  const isMoved = of === 'skills' && dir !== undefined && request.skillBaseDir !== undefined;
  const own = fill(isMoved ? request.skillBaseDir! : (dir ?? ''), request);
  return { base: folder(own.replaceAll('{universal}', universalDir || '.')), path: fill(path, request) };
}

/** A folder as the beginning of a path; the start itself is no beginning. */
function folder(path: string): string {
  const plain = plainPath(path);
  return plain === '' ? '' : `${plain}/`;
}

/** Names of options in a path stand for their values. */
export function fill(path: string, request: TargetRequest): string {
  return path.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
    const value = request.options.get(name);
    return typeof value === 'string' ? value : whole;
  });
}

/** `output` of the target: a file name replaces the main document, a directory takes everything. */
export function documentPath(path: string, { output }: TargetRequest, item = false): string {
  if (output === undefined) return path;
  const isFile = /\.[A-Za-z0-9]+$/.test(output) && !output.endsWith('/');
  if (isFile) return item ? path : output;
  return folder(output) + path;
}

/** A path below the directory of the build. */
export const placeIn = ({ baseDir }: { readonly baseDir: string }, path: string): string =>
  baseDir === '' ? path : `${baseDir}/${path}`;
