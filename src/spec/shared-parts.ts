import type { OptionSpec, Row } from '../generated/types/target.ts';
import { didYouMean } from '../text/similar.ts';
import type { DataPath } from '../text/yaml.ts';

/** What `conventions/` keeps for all specs. */
export interface SharedParts extends SharedRows {
  /** Entries of `files` by the name of the stanza; one may use those above it. */
  readonly files: Readonly<Record<string, Plain>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly versions: Versions;
  /** Parts of programs that run hooks, by the name that stands alone on a line of a template. */
  readonly programs: Readonly<Record<string, string>>;
}

/** What `conventions/versions.yaml` says about versions of specs. */
export interface Versions {
  /** The one that is used when neither the configuration nor the spec names one. */
  readonly default: string;
  /** The versions of a spec that names none. */
  readonly usual: readonly string[];
  /** Those of them that it has only when an entry belongs to one. */
  readonly asked: readonly string[];
  /** Version to its help; `{file}` is the main document, `{entries}` that and the entries that it has and not every version. */
  readonly help: Readonly<Record<string, string>>;
}

/** Front matter rows of `conventions/rows.yaml`, by name: single ones, and whole front matters. */
export interface SharedRows {
  readonly rows: Readonly<Record<string, Row>>;
  readonly lists: Readonly<Record<string, readonly (string | Row)[]>>;
}

/** Rows with the shared ones looked up. Names that do not exist stay, and are reported to `fault` where there is one. */
export function rowsOf(rows: unknown, shared: SharedRows, fault?: ReportProblem, at: DataPath = []): unknown {
  const unknown = (place: DataPath, what: string, name: string, known: object) =>
    fault && reportUnknown(fault, [...at, ...place], what, name, Object.keys(known));
  const isKnown = typeof rows === 'string' && Object.hasOwn(shared.lists, rows);
  if (typeof rows === 'string' && !isKnown) unknown([], 'row list', rows, shared.lists);
  const list = isKnown ? shared.lists[rows] : rows;
  if (!Array.isArray(list)) return list;
  return list.map((row, index) => {
    // A row is a name, or `use`s one with something of its own.
    const { use = row, ...own } = asPlainObject(row) ?? {};
    if (typeof use !== 'string') return row;
    if (Object.hasOwn(shared.rows, use)) return mergedFields({ ...shared.rows[use] }, own);
    unknown(use === row ? [index] : [index, 'use'], 'row', use, shared.rows);
    return row;
  });
}

/** An object of data, as YAML gives it. */
export type Plain = { readonly [key: string]: unknown };

/** The value when it is an object, not a list or a scalar. */
export function asPlainObject(value: unknown): Plain | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : undefined;
}

/** The object with every value changed. */
export const mapFields = (object: Plain, change: (value: unknown, key: string) => unknown): Plain =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** The value when it is a text, else an empty one: of a wrong form is for the schema to say. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a spec says over its stanza: objects merge by key, `null` takes one away; lists, texts and slots are replaced. */
export function merged(base: unknown, own: unknown): unknown {
  const [below, above] = [asPlainObject(base), asPlainObject(own)];
  return !below || !above || isSlot(below) || isSlot(above) ? own : mergedFields(below, above);
}

/** The same for two objects whose keys are merged whatever they are, as those of a row. */
export function mergedFields(base: Plain, own: Plain): Plain {
  const keys = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(own)) {
    if (!keys.has(key)) keys.set(key, value);
    else if (value === null) keys.delete(key);
    else keys.set(key, merged(keys.get(key), value));
  }
  return Object.fromEntries(keys);
}

const isSlot = (value: Plain): boolean =>
  ['from', 'option', 'literal'].some(key => Object.hasOwn(value, key));

/** Reports a problem at a place of a spec: at the value there, or at its key. */
export type ReportProblem = (path: DataPath, problem: string, hint: string, part?: 'key' | 'value') => void;

/** A name that does not exist, with the nearest one that does, and all others. */
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
