/** Entries of `files`: merges what a spec says about an entry into its stanza. */
import type { UnknownObject } from '../text/data.ts';
import type { DataPath } from '../text/yaml.ts';
import {
  asDataObject,
  mapFields,
  merged,
  type ReportProblem,
  reportUnknown,
  rowsOf,
  type SharedParts,
  textOf,
} from './shared-parts.ts';

/** The data that entries are completed from. */
export interface Setting {
  readonly shared: SharedParts;
  readonly fault: ReportProblem;
  /** The replacement of `{folder}` in paths. */
  readonly folder: string;
  /** The versions of the tool, to which those of stanzas are restricted; `undefined` when they are invalid. */
  readonly versions: readonly string[] | undefined;
}

/**
 * Merges an entry whose name is the last segment of its place into its stanza; an entry with a kind has none.
 * An entry that names no stanza is merged into `like`, the merged entry of the spec with the same name.
 */
export function withStanza(written: unknown, at: DataPath, setting: Setting, like?: unknown): unknown {
  const { shared, fault, folder, versions } = setting;
  const entry = asDataObject(written);
  if (!entry) return written;
  if (entry.kind !== undefined) return placed(entry, folder);
  if (entry.use === undefined && asDataObject(like))
    return placed(merged(like, entry) as UnknownObject, folder);
  const { use = String(at.at(-1)), ...own } = entry;
  if (typeof use !== 'string') return written;
  if (Object.hasOwn(shared.files, use)) {
    const stanza = inVersions(expandStanza(shared.files[use]!, shared), versions);
    return placed(merged(stanza, own) as UnknownObject, folder);
  }
  if (entry.use !== undefined) reportUnknown(fault, [...at, 'use'], 'stanza', use, Object.keys(shared.files));
  return written;
}

function expandStanza({ use, ...own }: UnknownObject, shared: SharedParts): UnknownObject {
  const base = typeof use === 'string' ? shared.files[use] : undefined;
  return base ? (merged(expandStanza(base, shared), own) as UnknownObject) : own;
}

function inVersions(stanza: UnknownObject, known: readonly string[] | undefined): UnknownObject {
  const { versions } = stanza;
  if (!known || !Array.isArray(versions)) return stanza;
  return { ...stanza, versions: versions.filter(version => known.includes(version)) };
}

/** Replaces `{folder}` in the paths of an entry. */
function placed(entry: UnknownObject, folder: string): UnknownObject {
  const places = ['dir', 'path', 'others'].filter(key => textOf(entry[key]).includes('{folder}'));
  const whole = places.map(key => [key, textOf(entry[key]).replace('{folder}', () => folder)]);
  return { ...entry, ...Object.fromEntries(whole) };
}

/**
 * Completes a merged entry: its format, rows, hook events and parts, and `each` in all of its variants.
 * `files` are the merged entries of the spec. An entry without a kind is unknown and stays as it is.
 */
export function completeEntry(
  merged: unknown,
  at: DataPath,
  setting: Setting,
  files: UnknownObject,
): unknown {
  const whole = asDataObject(merged);
  if (whole?.kind === undefined) return merged;
  const { shared, fault } = setting;
  const { each, tools, ...written } = whole;
  const entry = withFormat(nestFacts(written));
  const rows = rowsOf(entry.frontmatter, shared, fault, [...at, 'frontmatter']);
  const [variants, forms, more] = [entry.variants, entry.forms, each].map(asDataObject);
  const { template, parts } = entry;
  return {
    ...entry,
    ...(entry.hooks !== undefined && { hooks: expandHooks(entry.hooks, [...at, 'hooks'], fault) }),
    ...(forms && {
      forms: mapFields(forms, (form, name) => expandHooks(form, [...at, 'forms', name], fault)),
    }),
    ...(typeof template === 'string' && { template: withPrograms(template, shared.programs) }),
    ...(each !== undefined && !(variants && more) && { each }),
    ...(rows !== undefined && { frontmatter: withTools(rows, tools) }),
    ...(variants &&
      more && { variants: mapFields(variants, shape => ({ ...asDataObject(shape), ...more })) }),
    ...(asDataObject(parts) && {
      parts: expandParts(parts as UnknownObject, [...at, 'parts'], setting, files),
    }),
  };
}

/** A part is written together with its bundle and has no versions of its own. */
function expandParts(parts: UnknownObject, at: DataPath, setting: Setting, files: UnknownObject) {
  return mapFields(parts, (own, name) => {
    const place = [...at, name];
    const part = completeEntry(withStanza(own, place, setting, files[name]), place, setting, files);
    const { versions: _, when: __, ...kept } = asDataObject(part) ?? {};
    return asDataObject(part) ? kept : own;
  });
}

/** Derives the format of an entry from the extension of its path when it has none. */
function withFormat(entry: UnknownObject): UnknownObject {
  const [, ending = ''] = /\.(\w+)$/.exec(textOf(entry.path)) ?? [];
  const format = ending === 'yml' ? 'yaml' : ending;
  const isSaid = entry.format !== undefined || !['items', 'entries', 'settings'].includes(textOf(entry.kind));
  return isSaid || !['json', 'jsonc', 'toml', 'yaml'].includes(format) ? entry : { ...entry, format };
}

/** Adds the tool names of the entry to rows that list tools and have no names of their own. */
function withTools(rows: unknown, tools: unknown): unknown {
  if (tools === undefined || !Array.isArray(rows)) return rows;
  return rows.map(row => {
    const { from, map } = asDataObject(row) ?? {};
    const names = map === undefined && (from === 'tools' || from === 'disallowedTools');
    return names ? { ...row, map: tools } : row;
  });
}

const withPrograms = (template: string, programs: SharedParts['programs']): string =>
  template.replace(/^([ \t]*)\{(\w+)\}\n/gm, (line, indent: string, name: string) =>
    Object.hasOwn(programs, name) ? programs[name]!.replace(/^(?=.)/gm, indent) : line,
  );

/** How a tool spells the event names of the catalogue: `PreToolUse` for `pre-tool-use`. */
const nameForms: Readonly<Record<string, (words: readonly string[]) => string>> = {
  PascalCase: words => words.map(capital).join(''),
  camelCase: ([first = '', ...words]) => first + words.map(capital).join(''),
  snake_case: words => words.join('_'),
};

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Expands the hooks of an entry: all events in one map. */
function expandHooks(written: unknown, at: DataPath, fault: ReportProblem): unknown {
  const facts = asDataObject(written);
  if (!facts) return written;
  const { names = 'PascalCase', matched = [], plain: unmatched = [], events = {}, ...more } = facts;
  if (!asDataObject(events)) return written;
  const wanted = textOf(names);
  const form = Object.hasOwn(nameForms, wanted) ? nameForms[wanted] : undefined;
  if (!form) reportUnknown(fault, [...at, 'names'], 'form of names', wanted, Object.keys(nameForms));
  const called = (list: unknown, more: UnknownObject): UnknownObject => {
    const nativesOf = (event: string) => [{ name: form?.(event.split('-')) ?? event, ...more }];
    return Object.fromEntries([list].flat().map(event => [textOf(event), nativesOf(textOf(event))]));
  };
  const all = withSetup({
    ...asDataObject(events),
    ...called(matched, {}),
    ...called(unmatched, { plain: true }),
  });
  const supported = Object.entries(all).filter(([, natives]) => natives !== null);
  return { ...more, ...(supported.length > 0 && { events: Object.fromEntries(supported) }) };
}

/** A setup event comes after session start, and is a setup unless the spec says otherwise. */
function withSetup(events: UnknownObject): UnknownObject {
  const { setup = events['session-start'] } = events;
  const entries = Object.entries(events).flatMap((one): [string, unknown][] =>
    one[0] === 'session-start' ? [one, ['setup', setup]] : [one],
  );
  return Object.fromEntries(entries);
}

/** Facts about hooks and permissions: fields of the entry in YAML, a field of their own in expanded specs. */
interface Facts {
  readonly of: readonly string[];
  /** Maps their names in YAML to their names in the expanded field. */
  readonly names: Readonly<Record<string, string>>;
}

const same = (...names: string[]) => Object.fromEntries(names.map(name => [name, name]));

/** By the name of the field in expanded specs. */
export const factsOf: Readonly<Record<string, Facts>> = {
  hooks: {
    of: ['hooks'],
    names: {
      ...same('names', 'matched', 'plain', 'events', 'prompts', 'timeoutUnit'),
      projectRoot: 'root',
    },
  },
  permissions: {
    of: ['permissions', 'ignore'],
    names: same('decisions', 'unsaid', 'wins', 'shell', 'read', 'write', 'net', 'mcp'),
  },
};

function nestFacts(entry: UnknownObject): UnknownObject {
  const [field, facts] = Object.entries(factsOf).find(([, { of }]) => of.includes(textOf(entry.of))) ?? [];
  const isFact = ([name]: readonly [string, unknown]) => Object.hasOwn(facts?.names ?? {}, name);
  const fields = Object.entries(entry);
  const nested = fields.filter(isFact).map(([name, value]) => [facts!.names[name], value]);
  if (nested.length === 0) return entry;
  return { ...Object.fromEntries(fields.filter(one => !isFact(one))), [field!]: Object.fromEntries(nested) };
}
