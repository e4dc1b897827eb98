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

/** The shared row that a row is, or that it `use`s with something of its own. */
export function rowName(row: unknown): string | undefined {
  const name = typeof row === 'string' ? row : plain(row)?.use;
  return typeof name === 'string' ? name : undefined;
}

/** Rows with the shared ones looked up; names that do not exist stay. */
export function rowsOf(rows: unknown, shared: SharedRows): unknown {
  const list = typeof rows === 'string' && Object.hasOwn(shared.lists, rows) ? shared.lists[rows] : rows;
  if (!Array.isArray(list)) return list;
  return list.map(row => {
    const name = rowName(row);
    if (name === undefined || !Object.hasOwn(shared.rows, name)) return row;
    const { use: _use, ...own } = plain(row) ?? {};
    return mergedFields({ ...shared.rows[name] }, own);
  });
}

/** An object of data, as YAML gives it. */
export type Plain = { readonly [key: string]: unknown };

/** The value when it is an object, not a list or a scalar. */
export function plain(value: unknown): Plain | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : undefined;
}

/** The value when it is a text, else an empty one: of a wrong form is for the schema to say. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * What a spec says over what its stanza says. Objects are merged key by key, `null` takes a key away; lists, texts and
 * slots are replaced as they are.
 */
export function merged(base: unknown, own: unknown): unknown {
  const [below, above] = [plain(base), plain(own)];
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
export type Fault = (path: DataPath, problem: string, hint: string, part?: 'key' | 'value') => void;

/** A name that does not exist, with the nearest one that does, and all others. */
export function reportUnknown(
  fault: Fault,
  path: DataPath,
  what: string,
  name: string,
  known: readonly string[],
  part?: 'key' | 'value',
): void {
  const list = known.join(', ') || 'none';
  fault(path, `there is no ${what} "${name}"`, `${didYouMean(name, known)}Known: ${list}.`, part);
}
