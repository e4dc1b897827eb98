/**
 * Expands a spec as it is written in YAML to the form that the engine uses: fills in the stanzas, rows,
 * options and versions that it names, and the defaults of `conventions/`. The input is not validated here:
 * invalid parts are kept, so that the schema reports them.
 */
import type { UnknownObject } from '../text/data.ts';
import { completeEntry, type Setting, withStanza } from './expand-entry.ts';
import {
  asDataObject,
  mapFields,
  type ReportProblem,
  reportUnknown,
  type SharedParts,
  textOf,
  type Versions,
} from './shared-parts.ts';

/** Expands a spec. Calls `fault` for unknown names. `fileName` is the default of its id. */
export function expandSpec(
  written: unknown,
  shared: SharedParts,
  fault: ReportProblem,
  fileName = '',
): unknown {
  const spec = asDataObject(written);
  if (!spec) return written;
  const { id = fileName, folder = `.${textOf(id)}`, ...own } = spec;
  const possible = versionNames(spec.versions, shared.versions);
  const setting = { shared, fault, folder: textOf(folder), versions: possible };
  const merged = mapFields(asDataObject(spec.files) ?? {}, (entry, name) =>
    withStanza(entry, ['files', name], setting),
  );
  const files = mapFields(merged, (entry, name) => completeEntry(entry, ['files', name], setting, merged));
  const options = withShared(spec.options, files, shared.options);
  const versions = expandVersions(spec.versions, files, options, shared.versions, fault);
  const names = asDataObject(versions) && Object.keys(versions as UnknownObject);
  return {
    id,
    ...own,
    versions,
    defaultVersion: spec.defaultVersion ?? shared.versions.default,
    files: asDataObject(spec.files) ? files : spec.files,
    ...(spec.user !== undefined && {
      user: expandUser(spec.user, merged, { ...setting, versions: names }),
    }),
    ...(spec.reads !== undefined && { reads: expandReads(spec.reads, fault) }),
    ...(options !== undefined && { options }),
  };
}

function withShared(own: unknown, files: UnknownObject, shared: SharedParts['options']): unknown {
  if (own !== undefined && !asDataObject(own)) return own;
  const usedShared = [...usedOptions(files)].filter(
    name => Object.hasOwn(shared, name) && !Object.hasOwn(own ?? {}, name),
  );
  if (usedShared.length === 0) return own;
  return { ...(own as UnknownObject), ...Object.fromEntries(usedShared.map(name => [name, shared[name]])) };
}

/** Collects the options that paths, conditions and slots use. */
function usedOptions(value: unknown, used: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') for (const [, name] of value.matchAll(/\{([A-Za-z]\w*)\}/g)) used.add(name!);
  if (typeof value !== 'object' || value === null) return used;
  const { option } = value as { option?: unknown };
  if (typeof option === 'string') used.add(option);
  for (const part of Object.values(value)) usedOptions(part, used);
  return used;
}

/** Expands `reads`: `first` and `all` list the main files and say which of them are loaded. */
function expandReads(written: unknown, fault: ReportProblem): unknown {
  const reads = asDataObject(written);
  if (!reads) return written;
  const { first, all, ...more } = reads;
  if ((first === undefined) === (all === undefined))
    fault(
      ['reads'],
      'list the main files under one of `first` and `all`',
      'Name them under `first` where the first that exists wins, under `all` where every one is loaded.',
    );
  return { mode: first === undefined ? 'all' : 'first', files: first ?? all, ...more };
}

const versionNames = (versions: unknown, shared: Versions): readonly string[] | undefined =>
  versions === undefined
    ? shared.usual
    : Array.isArray(versions)
      ? versions
      : asDataObject(versions) && Object.keys(versions as UnknownObject);

/** The versions of a spec with their help texts. `files` and `options` are those of the whole spec. */
function expandVersions(
  versions: unknown,
  files: UnknownObject,
  options: unknown,
  { usual, optional, help }: Versions,
  fault: ReportProblem,
): unknown {
  const isThere = (name: string) => !optional.includes(name) || entriesIn(name, files).length > 0;
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

/** The names of the entries that belong to a version because of its name. */
const entriesIn = (version: string, files: UnknownObject): string[] =>
  Object.keys(files).filter(name => {
    const { versions } = asDataObject(files[name]) ?? {};
    return Array.isArray(versions) && versions.includes(version);
  });

/**
 * Describes a version by its main document and the entries that not every version has: `AGENTS.md, rules and
 * hooks`.
 */
function entriesOf(version: string, file: string, files: UnknownObject): string {
  const names = entriesIn(version, files).filter(name => asDataObject(files[name])?.of !== 'instructions');
  const last = names.pop();
  return last === undefined ? file : `${[file, ...names].join(', ')} and ${last}`;
}

function mainFile(files: UnknownObject, options: unknown): string {
  const main = Object.values(files).find(entry => asDataObject(entry)?.of === 'instructions') as
    | UnknownObject
    | undefined;
  if (typeof main?.path !== 'string') return 'The main file';
  return main.path.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const standard = asDataObject(asDataObject(options)?.[name])?.default;
    return typeof standard === 'string' ? standard : hole;
  });
}

/**
 * Expands `user`, the files that a tool reads below the home folder: entries of `files` at another path, and
 * additional ones. `files` are the merged entries of the spec.
 */
function expandUser(written: unknown, files: UnknownObject, setting: Setting): unknown {
  const user = asDataObject(written);
  if (!user) return written;
  const { folder: home, same = [], files: added = {}, ...more } = user;
  if (!asDataObject(added)) return written;
  const folder = typeof home === 'string' ? home : setting.folder;
  const ofUser = { ...setting, folder };
  const movedEntry = (name: string) => inFolder(asDataObject(files[name]), setting.folder, folder);
  const complete = (entry: unknown, name: string) =>
    completeEntry(entry, ['user', 'files', name], ofUser, files);
  const moved = [same].flat().map((one, index) => {
    const name = textOf(one);
    const entry = movedEntry(name);
    if (!entry)
      reportUnknown(setting.fault, ['user', 'same', index], 'entry of `files`', name, Object.keys(files));
    return [
      name,
      entry && rootedKinds(files[name]).length > 0 ? complete(entry, name) : placeOf(entry),
    ] as const;
  });
  const ofUserOnly = mapFields(added as UnknownObject, (value, name) =>
    complete(withStanza(value, ['user', 'files', name], ofUser, movedEntry(name)), name),
  );
  return { ...more, files: { ...Object.fromEntries(moved), ...ofUserOnly } };
}

const placeOf = (entry: UnknownObject | undefined): string => textOf(entry?.dir ?? entry?.path);

/**
 * Moves an entry from the folder of the tool in a project, or from a shared folder, to its folder of a user.
 */
function inFolder(entry: UnknownObject | undefined, own: string, home: string): UnknownObject | undefined {
  if (!entry) return undefined;
  const place = placeOf(entry);
  const inside = place.startsWith(`${own}/`) ? place.slice(own.length + 1) : place.replace(/^\.[^/]+\//, '');
  return {
    ...entry,
    [entry.dir === undefined ? 'path' : 'dir']: `${home}/${inside}`,
    ...Object.fromEntries(rootedKinds(entry).map(kind => [kind, (entry[kind] as unknown[]).map(everywhere)])),
  };
}

/** The kinds of permissions with paths that begin at the project. */
const rootedKinds = (entry: unknown): readonly string[] =>
  ['read', 'write'].filter(kind => {
    const forms = asDataObject(entry)?.[kind];
    return Array.isArray(forms) && forms.some(form => asDataObject(form)?.as === 'rooted');
  });

/** A permission for all projects. A path from `/` would be relative to the settings file, so it is refused. */
function everywhere(form: unknown): unknown {
  const { text, ...facts } = asDataObject(form) ?? {};
  if (facts.as !== 'rooted' || typeof text !== 'string') return form;
  const inAnyFolder = text.replace('{pattern}', '**/{pattern}');
  return { text: inAnyFolder, ...facts, as: 'here', only: ['ask', 'deny'], wider: true };
}
