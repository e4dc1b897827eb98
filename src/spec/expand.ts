/**
 * A spec as people write it becomes the spec that the engine knows: stanzas, rows, options and versions that it names, or
 * leaves out because `conventions/` says them, are put in. What is written may be anything: what makes no sense is left
 * as it is, for the schema to refuse.
 */
import type { OptionSpec, Row } from '../generated/types/target.ts';
import type { DataPath } from '../text/yaml.ts';
import { type Fault, reportUnknown } from './fault.ts';
import { merged, type Plain, plain } from './merge-stanza.ts';

/** What `conventions/` keeps for all specs. */
export interface SharedParts {
  /** Entries of `files` by the name of the stanza; one may use those above it. */
  readonly files: Readonly<Record<string, Plain>>;
  /** Single rows and lists of rows, by name. */
  readonly rows: Readonly<Record<string, Row>>;
  readonly lists: Readonly<Record<string, readonly (string | Row)[]>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly versions: Versions;
}

export interface Versions {
  /** The one that is used when neither the configuration nor the spec names one. */
  readonly default: string;
  /** The versions of a spec that names none. */
  readonly usual: readonly string[];
  /** Version to its help; `{file}` is the main document. */
  readonly help: Readonly<Record<string, string>>;
}

/** The whole spec. `fault` hears of names that do not exist. */
export function expandSpec(written: unknown, shared: SharedParts, fault: Fault): unknown {
  const spec = plain(written);
  const files = spec && plain(spec.files);
  if (!spec || !files) return written;
  const known = versionNames(spec.versions, shared);
  const entries = Object.entries(files).map(([name, entry]) => {
    const whole = expandFile(name, entry, shared, fault);
    return [name, known ? inVersions(whole, plain(entry), known) : whole] as const;
  });
  const whole: Plain = Object.fromEntries(entries);
  const options = withShared(spec.options, whole, shared.options);
  return {
    ...spec,
    versions: expandVersions(spec.versions, mainFile(whole, options), shared, fault),
    defaultVersion: spec.defaultVersion ?? shared.versions.default,
    files: whole,
    ...(options !== undefined && { options }),
  };
}

/** An entry of `files`: one with a kind is whole, another one is what differs from its stanza. */
function expandFile(name: string, written: unknown, shared: SharedParts, fault: Fault): unknown {
  const entry = plain(written);
  if (!entry) return written;
  const at: DataPath = ['files', name];
  if (entry.kind !== undefined) return completeEntry(at, entry, shared, fault);
  const { use = name, ...own } = entry;
  if (typeof use !== 'string') return written;
  if (Object.hasOwn(shared.files, use))
    return completeEntry(at, merged(expandStanza(shared.files[use]!, shared), own) as Plain, shared, fault);
  if (entry.use !== undefined) reportUnknown(fault, [...at, 'use'], 'stanza', use, Object.keys(shared.files));
  return written;
}

function expandStanza({ use, ...own }: Plain, shared: SharedParts): Plain {
  const base = typeof use === 'string' ? shared.files[use] : undefined;
  return base ? (merged(expandStanza(base, shared), own) as Plain) : own;
}

/** The rows that an entry names, and `each` in all of its variants. */
function completeEntry(at: DataPath, { each, ...entry }: Plain, shared: SharedParts, fault: Fault): Plain {
  const rows = expandRows([...at, 'frontmatter'], entry.frontmatter, shared, fault);
  const [variants, more] = [plain(entry.variants), plain(each)];
  return {
    ...entry,
    ...(each !== undefined && !(variants && more) && { each }),
    ...(rows !== undefined && { frontmatter: rows }),
    ...(variants &&
      more && {
        variants: Object.fromEntries(
          Object.entries(variants).map(([name, shape]) => [name, { ...plain(shape), ...more }]),
        ),
      }),
  };
}

function expandRows(at: DataPath, rows: unknown, shared: SharedParts, fault: Fault): unknown {
  if (typeof rows === 'string' && !Object.hasOwn(shared.lists, rows))
    reportUnknown(fault, at, 'row list', rows, Object.keys(shared.lists));
  for (const [index, row] of Array.isArray(rows) ? rows.entries() : [])
    if (typeof row === 'string' && !Object.hasOwn(shared.rows, row))
      reportUnknown(fault, [...at, index], 'row', row, Object.keys(shared.rows));
  return rowsOf(rows, shared);
}

/** Rows with those that stand as names looked up; names that do not exist stay. */
export function rowsOf(rows: unknown, shared: Pick<SharedParts, 'rows' | 'lists'>): unknown {
  const list = typeof rows === 'string' && Object.hasOwn(shared.lists, rows) ? shared.lists[rows] : rows;
  if (!Array.isArray(list)) return list;
  return list.map(row =>
    typeof row === 'string' && Object.hasOwn(shared.rows, row) ? shared.rows[row] : row,
  );
}

const versionNames = (versions: unknown, shared: SharedParts): readonly string[] | undefined =>
  versions === undefined
    ? shared.versions.usual
    : Array.isArray(versions)
      ? versions
      : plain(versions) && Object.keys(versions as Plain);

function expandVersions(versions: unknown, file: string, shared: SharedParts, fault: Fault): unknown {
  const names = versions === undefined ? shared.versions.usual : versions;
  if (!Array.isArray(names) || names.some(name => typeof name !== 'string')) return versions;
  const { help } = shared.versions;
  for (const [index, name] of names.entries())
    if (!Object.hasOwn(help, name))
      reportUnknown(fault, ['versions', index], 'usual version', name, Object.keys(help));
  return Object.fromEntries(names.map(name => [name, help[name]?.replace('{file}', () => file) ?? '']));
}

/** A stanza counts in those of its versions that the tool has; versions of the spec itself stay, right or wrong. */
function inVersions(entry: unknown, written: Plain | undefined, known: readonly string[]): unknown {
  const { versions } = plain(entry) ?? {};
  if (!Array.isArray(versions) || written?.versions !== undefined) return entry;
  return { ...(entry as Plain), versions: versions.filter(version => known.includes(version)) };
}

/** The options of a spec, and the shared ones that its entries ask for. */
function withShared(own: unknown, files: Plain, shared: SharedParts['options']): unknown {
  if (own !== undefined && !plain(own)) return own;
  const asked = [...usedOptions(files)].filter(
    name => Object.hasOwn(shared, name) && !Object.hasOwn(own ?? {}, name),
  );
  if (asked.length === 0) return own;
  return { ...(own as Plain), ...Object.fromEntries(asked.map(name => [name, shared[name]])) };
}

/** Options that paths, conditions and slots ask for. */
export function usedOptions(value: unknown, used: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') for (const [, name] of value.matchAll(/\{([A-Za-z]\w*)\}/g)) used.add(name!);
  if (typeof value !== 'object' || value === null) return used;
  const { option } = value as { option?: unknown };
  if (typeof option === 'string') used.add(option);
  for (const part of Object.values(value)) usedOptions(part, used);
  return used;
}

/** The path of the main document, options at their defaults. */
function mainFile(files: Plain, options: unknown): string {
  const main = Object.values(files).find(entry => plain(entry)?.of === 'instructions') as Plain | undefined;
  if (typeof main?.path !== 'string') return 'The main file';
  return main.path.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const standard = plain(plain(options)?.[name])?.default;
    return typeof standard === 'string' ? standard : hole;
  });
}
