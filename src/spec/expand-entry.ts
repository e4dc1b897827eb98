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
}

/**
 * Expands an entry whose name is the last segment of its place. An entry with a kind is complete; any other
 * is merged into its stanza.
 */
export function expandEntry(written: unknown, at: DataPath, setting: Setting): unknown {
  const { shared, fault } = setting;
  const entry = asDataObject(written);
  if (!entry) return written;
  if (entry.kind !== undefined) return completeEntry(entry, at, setting);
  const { use = String(at.at(-1)), ...own } = entry;
  if (typeof use !== 'string') return written;
  if (Object.hasOwn(shared.files, use))
    return completeEntry(
      merged(expandStanza(shared.files[use]!, shared), flattenFacts(own)) as UnknownObject,
      at,
      setting,
    );
  if (entry.use !== undefined) reportUnknown(fault, [...at, 'use'], 'stanza', use, Object.keys(shared.files));
  return written;
}

/**
 * Expands entries with `parts`. A part that names no stanza is based on the entry of the spec with the same
 * name.
 */
export function expandParts(files: UnknownObject, setting: Setting): UnknownObject {
  return mapFields(files, (written, name) => {
    const entry = asDataObject(written);
    const parts = asDataObject(entry?.parts);
    if (!parts) return written;
    const completed = mapFields(parts, (own, part) => {
      const whole = asDataObject(
        expandEntry(mergeEntry(own, files[part]), ['files', name, 'parts', part], setting),
      );
      // A part is written together with its bundle and has no versions of its own.
      const { versions: _, when: __, ...kept } = whole ?? {};
      return whole ? kept : own;
    });
    return { ...entry, parts: completed };
  });
}

/**
 * Merges an entry into the entry of the spec with the same name. An entry with a kind or a stanza is returned
 * unchanged.
 */
export function mergeEntry(own: unknown, entry: unknown): unknown {
  const said = asDataObject(own);
  const like = asDataObject(entry);
  const isLike = said && like && said.use === undefined && said.kind === undefined;
  return isLike ? merged(flattenFacts(like), flattenFacts(said)) : own;
}

function expandStanza({ use, ...own }: UnknownObject, shared: SharedParts): UnknownObject {
  const base = typeof use === 'string' ? shared.files[use] : undefined;
  return base ? (merged(expandStanza(base, shared), own) as UnknownObject) : own;
}

/** Completes the paths and rows of an entry, the events of its hooks, and `each` in all of its variants. */
function completeEntry(
  { each, tools, ...written }: UnknownObject,
  at: DataPath,
  setting: Setting,
): UnknownObject {
  const { shared, fault } = setting;
  const entry = withFormat(placed(nestFacts(flattenFacts(written)), setting.folder));
  const rows = rowsOf(entry.frontmatter, shared, fault, [...at, 'frontmatter']);
  const [variants, forms, more] = [
    asDataObject(entry.variants),
    asDataObject(entry.forms),
    asDataObject(each),
  ];
  const { template } = entry;
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
  };
}

/** Replaces `{folder}` in the paths of an entry. */
function placed(entry: UnknownObject, folder: string): UnknownObject {
  const places = ['dir', 'path', 'others'].filter(key => textOf(entry[key]).includes('{folder}'));
  const whole = places.map(key => [key, textOf(entry[key]).replace('{folder}', () => folder)]);
  return { ...entry, ...Object.fromEntries(whole) };
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
  const there = Object.entries(all).filter(([, natives]) => natives !== null);
  return { ...more, ...(there.length > 0 && { events: Object.fromEntries(there) }) };
}

/** A setup event comes after session start, and is a setup unless the spec says otherwise. */
function withSetup(events: UnknownObject): UnknownObject {
  const { setup = events['session-start'] } = events;
  const entries = Object.entries(events).flatMap((one): [string, unknown][] =>
    one[0] === 'session-start' ? [one, ['setup', setup]] : [one],
  );
  return Object.fromEntries(entries);
}

/**
 * Facts about hooks and permissions. In YAML they are fields of the entry; in expanded specs they are in a
 * field of their own. Stanzas are merged into entries in the YAML form.
 */
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

function flattenFacts(entry: UnknownObject): UnknownObject {
  let whole = entry;
  for (const [field, { names }] of Object.entries(factsOf)) {
    const { [field]: own, ...rest } = whole;
    const facts = asDataObject(own);
    if (!facts) continue;
    const nameOf = (inner: string) => Object.keys(names).find(name => names[name] === inner) ?? inner;
    whole = { ...rest, ...renamed(facts, nameOf) };
  }
  return whole;
}

function nestFacts(entry: UnknownObject): UnknownObject {
  const [field, facts] = Object.entries(factsOf).find(([, { of }]) => of.includes(textOf(entry.of))) ?? [];
  if (field === undefined || !facts) return entry;
  const isFact = ([name]: readonly [string, unknown]) => Object.hasOwn(facts.names, name);
  const fields = Object.entries(entry);
  const own = Object.fromEntries(fields.filter(isFact));
  if (Object.keys(own).length === 0) return entry;
  const rest = Object.fromEntries(fields.filter(one => !isFact(one)));
  return { ...rest, [field]: renamed(own, name => facts.names[name]!) };
}

const renamed = (object: UnknownObject, nameOf: (name: string) => string): UnknownObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [nameOf(name), value]));
