/** The versions of a spec: which it has, their help, and which of them an entry belongs to. */
import { type Fault, reportUnknown } from './fault.ts';
import { type Plain, plain } from './merge-stanza.ts';

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

/** The versions that a spec has; `undefined` where `versions` has a wrong form. */
export const versionNames = (versions: unknown, shared: Versions): readonly string[] | undefined =>
  versions === undefined
    ? shared.usual
    : Array.isArray(versions)
      ? versions
      : plain(versions) && Object.keys(versions as Plain);

/** The versions of a spec with their help. `files` and `options` are those of the whole spec. */
export function expandVersions(
  versions: unknown,
  files: Plain,
  options: unknown,
  { usual, asked, help }: Versions,
  fault: Fault,
): unknown {
  const isThere = (name: string) => !asked.includes(name) || isAsked(name, files);
  const names = versions === undefined ? usual.filter(isThere) : versions;
  if (!Array.isArray(names) || names.some(name => typeof name !== 'string')) return versions;
  for (const [index, name] of names.entries())
    if (!Object.hasOwn(help, name))
      reportUnknown(fault, ['versions', index], 'usual version', name, Object.keys(help));
  const file = mainFile(files, options);
  const words = (version: string) =>
    help[version]?.replace('{file}', () => file).replace('{entries}', () => entriesOf(version, file, files));
  return Object.fromEntries(names.map(name => [name, words(name) ?? '']));
}

/** Whether an entry belongs to a version by its name. */
const isAsked = (version: string, files: Plain): boolean =>
  Object.values(files).some(entry => {
    const { versions } = plain(entry) ?? {};
    return Array.isArray(versions) && versions.includes(version);
  });

/** The main document, and the names of the entries that a version has and not every one: `AGENTS.md, rules and hooks`. */
function entriesOf(version: string, file: string, files: Plain): string {
  const names = Object.entries(files).flatMap(([name, entry]) => {
    const { versions, of } = plain(entry) ?? {};
    return of !== 'instructions' && Array.isArray(versions) && versions.includes(version) ? [name] : [];
  });
  const last = names.pop();
  return last === undefined ? file : `${[file, ...names].join(', ')} and ${last}`;
}

/** A stanza counts in those of its versions that the tool has; versions of the spec itself stay, right or wrong. */
export function inVersions(
  entry: unknown,
  written: Plain | undefined,
  known: readonly string[] | undefined,
): unknown {
  const { versions } = plain(entry) ?? {};
  if (!known || !Array.isArray(versions) || written?.versions !== undefined) return entry;
  return { ...(entry as Plain), versions: versions.filter(version => known.includes(version)) };
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
