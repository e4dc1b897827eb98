import type { OptionSpec, Row } from '../generated/types/target.ts';
import { isObject, type UnknownObject } from '../text/data.ts';
import { didYouMean } from '../text/similar.ts';
import type { DataPath } from '../text/yaml.ts';

/** Data of `conventions/` that specs share. */
export interface SharedParts extends SharedRows {
  /** Stanzas: entries of `files` by name. A stanza may use those above it. */
  readonly files: Readonly<Record<string, UnknownObject>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly versions: Versions;
  /** Parts of programs that run hooks. A template includes one by its name alone on a line. */
  readonly programs: Readonly<Record<string, string>>;
}

/** The content of `conventions/versions.yaml`. */
export interface Versions {
  /** The version that is used when neither the configuration nor the spec names one. */
  readonly default: string;
  /** The versions of a spec that names none. */
  readonly usual: readonly string[];
  /** Those of them that a spec has only when one of its entries belongs to them. */
  readonly optional: readonly string[];
  /**
   * Help texts by version. `{file}` is replaced by the main document, `{entries}` by the document and the
   * entries that not every version has.
   */
  readonly help: Readonly<Record<string, string>>;
}

/** Front matter rows of `conventions/rows.yaml` by name: single rows, and complete front matters. */
export interface SharedRows {
  readonly rows: Readonly<Record<string, Row>>;
  readonly lists: Readonly<Record<string, readonly (string | Row)[]>>;
}

/** Resolves shared rows. Unknown names are kept and reported to `fault`, if given. */
export function rowsOf(rows: unknown, shared: SharedRows, fault?: ReportProblem, at: DataPath = []): unknown {
  const unknown = (place: DataPath, what: string, name: string, known: object) =>
    fault && reportUnknown(fault, [...at, ...place], what, name, Object.keys(known));
  const isKnown = typeof rows === 'string' && Object.hasOwn(shared.lists, rows);
  if (typeof rows === 'string' && !isKnown) unknown([], 'row list', rows, shared.lists);
  const list = isKnown ? shared.lists[rows] : rows;
  if (!Array.isArray(list)) return list;
  return list.map((row, index) => {
    // A row is a name, or an object that extends a named row by `use`.
    const { use = row, ...own } = asDataObject(row) ?? {};
    if (typeof use !== 'string') return row;
    if (Object.hasOwn(shared.rows, use)) return mergedFields({ ...shared.rows[use] }, own);
    unknown(use === row ? [index] : [index, 'use'], 'row', use, shared.rows);
    return row;
  });
}

/** The value if it is an object rather than a list or scalar. */
export function asDataObject(value: unknown): UnknownObject | undefined {
  return isObject(value) ? value : undefined;
}

export const mapFields = (
  object: UnknownObject,
  change: (value: unknown, key: string) => unknown,
): UnknownObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** The value if it is a string, else an empty string: the schema reports wrong types. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Merges a spec into its stanza: objects merge by key, `null` removes a key; lists, strings and slots are
 * replaced.
 */
export function merged(base: unknown, own: unknown): unknown {
  const [below, above] = [asDataObject(base), asDataObject(own)];
  return !below || !above || isSlot(below) || isSlot(above) ? own : mergedFields(below, above);
}

/** The same for two objects that are always merged by key, such as rows. */
function mergedFields(base: UnknownObject, own: UnknownObject): UnknownObject {
  const keys = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(own)) {
    if (!keys.has(key)) keys.set(key, value);
    else if (value === null) keys.delete(key);
    else keys.set(key, merged(keys.get(key), value));
  }
  return Object.fromEntries(keys);
}

const isSlot = (value: UnknownObject): boolean =>
  ['from', 'option', 'literal'].some(key => Object.hasOwn(value, key));

/** Reports a problem at a path of a spec: at its value, or at its key. */
export type ReportProblem = (path: DataPath, problem: string, hint: string, part?: 'key' | 'value') => void;

/** Reports an unknown name with the closest known name and a list of all. */
export function reportUnknown(
  fault: ReportProblem,
  path: DataPath,
  what: string,
  name: string,
  known: readonly string[],
  part?: 'key' | 'value',
): void {
  const list = known.join(', ') || 'none';
  fault(path, `there is no ${what} "${name}"`, `${didYouMean(name, known)}Known: ${list}.`, part);
}
