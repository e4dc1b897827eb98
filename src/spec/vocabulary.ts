import { records } from '../generated/collections.ts';
import { conventions } from '../generated/conventions.ts';
import type { FileSpec, TargetSpec } from '../generated/types/target.ts';
import { blockOf } from '../model/collections.ts';
import { findBlock, isTextField } from '../resolve/catalogue.ts';
import { memoizeByObject } from '../text/memo.ts';
import { partOf } from './spec.ts';

/**
 * Fields that the model computes for the items of a collection, in addition to those of the block catalogue,
 * with their descriptions.
 */
export const computedFields: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  records.map(({ name, computed }) => [name, computed]),
);

export const acceptsOnlyText = (collection: string, field: string): boolean =>
  isTextField(blockOf(collection), field);

/**
 * The names that a spec may use in `from:` for a collection; `undefined` for documents, which have only
 * `meta.…`.
 */
export function fieldsOf(collection: string): readonly string[] | undefined {
  const own = computedFields[collection];
  const fields = findBlock(blockOf(collection))?.entry?.fields ?? [];
  return own && [...new Set([...Object.keys(own), ...fields.map(field => field.as ?? field.name)])].sort();
}

/**
 * All advice about capabilities that a target lacks (`agents.tools`): from its spec, else from
 * `conventions/omits.yaml`.
 */
export const allAdvice = memoizeByObject(
  (spec: TargetSpec): NonNullable<TargetSpec['omits']> => ({
    ...Object.fromEntries(
      Object.entries(conventions.omits).flatMap(([key, usual]) =>
        isLacking(spec, key) ? [[key, usual.replace('{title}', () => spec.title)]] : [],
      ),
    ),
    ...spec.omits,
  }),
);

/** The advice for one of these capabilities. */
export const adviceOf = (spec: TargetSpec, key: string): string | undefined =>
  Object.hasOwn(allAdvice(spec), key) ? allAdvice(spec)[key] : undefined;

function isLacking(spec: TargetSpec, key: string): boolean {
  const [collection, field] = key.split('.', 2) as [string, string?];
  const names = findNames(spec, collection);
  return field === undefined ? !names : names !== undefined && !names.has(field);
}

function findNames({ files }: TargetSpec, collection: string): ReadonlySet<string> | undefined {
  const places = Object.values(files).filter(file => (partOf(file) ?? '') === collection);
  if (places.length === 0) return undefined;
  const names = new Set<string>();
  for (const file of places) addNames(file, names);
  if (collection === 'commands') for (const name of places.flatMap(filledIn)) names.add(name);
  return names;
}

/** What a tool fills into a command of what is typed after its name: all of it, and single arguments. */
function filledIn(file: FileSpec): readonly string[] {
  if (!('arguments' in file) || file.arguments === undefined) return ['arguments', 'argument'];
  return file.arguments.all === undefined ? [] : ['arguments'];
}

function addNames(value: unknown, known: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { from, events } = value as { from?: unknown; events?: object };
  if (typeof from === 'string') known.add(from === 'timeout' ? 'timeoutMs' : from).add(from);
  if (events !== undefined) for (const event of Object.keys(events)) known.add(event);
  if (Array.isArray(value)) for (const inner of value) addNames(inner, known);
  else for (const key in value) addNames((value as Record<string, unknown>)[key], known);
}
