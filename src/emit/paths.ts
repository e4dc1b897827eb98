import type { Item } from '../model/model.ts';
import type { ItemFiles, Place } from './places.ts';
import type { PlanContext } from './plan-context.ts';
import type { TargetRequest } from './request.ts';

export function itemPath(file: ItemFiles, item: Item, request: TargetRequest, context: PlanContext): string {
  const dir = file.of === 'skills' && request.skillBaseDir !== undefined ? request.skillBaseDir : file.dir;
  const base =
    dir === undefined ? '' : `${fill(dir, request).replaceAll('{universal}', context.universalDir)}/`;
  const into = item.into === undefined ? '' : `${item.into.replace(/^\.?\/+|\/+$/g, '')}/`;
  const event = String(item.fields.get('nativeEvent') ?? '');
  return documentPath(
    base + into + fill(file.path, request).replaceAll('{name}', item.name).replaceAll('{event}', event),
    request,
    true,
  );
}

export function topicPath(
  item: Item,
  place: Place | undefined,
  request: TargetRequest,
  context: PlanContext,
): string {
  return place?.file.kind === 'items' ? itemPath(place.file, item, request, context) : '';
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
  if (isFile) return item ? path : output.replace(/^\.\//, '');
  return `${output.replace(/^\.\//, '').replace(/\/+$/, '')}/${path}`;
}

/** A path below the directory of the build. */
export const placeIn = ({ baseDir }: { readonly baseDir: string }, path: string): string =>
  baseDir === '' ? path : `${baseDir}/${path}`;
