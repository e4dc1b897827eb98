import type { EntriesFile, PermissionForm, TargetSpec } from '../../generated/types/target.ts';
import { blockOf, hasDisplayName } from '../../model/collections.ts';
import { valueAt } from '../../model/data.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { groupBy } from '../../text/group.ts';
import { ignorePatterns } from '../../text/permissions/patterns.ts';
import { parseSubject } from '../../text/permissions/subject.ts';
import { slugOf } from '../../text/title.ts';
import type { Reader } from '../kind.ts';
import { portableServer } from '../native/servers.ts';
import { readShape, type ShapeMatch } from '../native/shapes.ts';
import { readReferences } from '../native/variables.ts';
import { entriesOf, usesField } from '../places.ts';
import { readHooks } from '../read/hooks.ts';
import { asMap, entryFields, type ImportedItem, itemFields } from '../read/items.ts';
import { type ItemsRead, type ListRead, readStructured } from '../read/parts.ts';
import { type PermissionText, permissionTexts, readPermissions } from '../read/permissions.ts';
import { hasPermissions, matchTemplate, nameIn } from '../write/permissions.ts';
import { withOverlays } from './changes.ts';
import { formsOf, knowsEvent } from './forms.ts';

/** Reads the entries of a tool from a structured file. */
export const readEntriesFile: Reader<EntriesFile> = (source, file, { spec, specs, report }) =>
  readStructured(source, file.format, report, data => readPlaces(data, file, spec, specs));

/** A structured file can have several places with entries: all of its tool are read. */
function readPlaces(
  data: Data,
  file: EntriesFile,
  spec: TargetSpec | undefined,
  specs: readonly TargetSpec[],
): ItemsRead {
  const known = spec ? entriesOf(spec).filter(({ path }) => path === file.path) : [];
  const places = known.length > 0 ? known : [file];
  const reads = withServerTools(
    data,
    places.map(place => ({
      place,
      ...withOverlays(readPlace(data, place, known), data, place, spec, specs),
    })),
  );
  return {
    items: joinPlugins(reads),
    unreadable: reads.flatMap(({ unreadable = [] }) => unreadable),
    lists: joinLists(reads.flatMap(({ lists = [] }) => lists)),
    unread: reads.flatMap(({ unread = [] }) => unread),
  };
}

/** Joins lists of which several places of a file have parts. */
const joinLists = (lists: readonly ListRead[]): ListRead[] =>
  [...groupBy(lists, ({ block, key }) => JSON.stringify([block, key])).values()].map(group => ({
    ...group[0],
    texts: [...new Set(group.flatMap(({ texts }) => texts))],
  }));

/**
 * Joins external bundles that several places of a file describe: `formatter@acme-tools` in one, `acme-tools`
 * in another. A marketplace without a bundle stays in the file, and so does a bundle without a marketplace.
 */
function joinPlugins(reads: readonly PlaceRead[]): ImportedItem[] {
  const isCatalogue = ({ of, key }: EntriesFile) => of === 'plugins' && key === 'marketplace';
  const catalogues = reads.flatMap(({ place, items }) => (isCatalogue(place) ? items : []));
  const known = new Map(catalogues.map(({ key, fields }) => [key, fields]));
  return reads.flatMap(({ place, items }) => {
    if (place.of !== 'plugins' || place.key === undefined) return items;
    return items.flatMap(item => {
      const at = item.key.lastIndexOf('@');
      if (isCatalogue(place) || at <= 0) return [];
      const marketplace = item.key.slice(at + 1);
      const origin: [string, Data][] = [['marketplace', marketplace], ...(known.get(marketplace) ?? [])];
      return [{ ...item, key: item.key.slice(0, at), fields: new Map([...origin, ...item.fields]) }];
    });
  });
}

/** Reads one place. Ignored files are read as permissions when the file has a place for permissions, too. */
function readPlace(data: Data, file: EntriesFile, all: readonly EntriesFile[]): ItemsRead {
  const { of } = file;
  if (of !== 'ignore' || !hasPermissions(file) || all.some(other => other.of === 'permissions'))
    return readEntries(data, file);
  const { lists, unread } = readPermissions(data, file);
  const globs = lists.flatMap(({ texts }) => texts).flatMap(text => parseSubject(text)?.pattern ?? []);
  const { patterns, others } = ignorePatterns(globs);
  return { items: [], lists: listOf(of, patterns), unread: [...unread, ...others] };
}

const listOf = (of: EntriesFile['of'], texts: readonly string[]): ListRead[] =>
  texts.length > 0 ? [{ block: blockOf(of), texts }] : [];

/** Reads the entries of a file that a spec describes as one structured file. */
export function readEntries(data: Data, file: EntriesFile): ItemsRead {
  const { of, hooks } = file;
  const place = valueAt(data, file.at ?? []);
  if (of === 'ignore') {
    const texts = elementsOf(hasPermissions(file) ? [] : place).flatMap(
      one => textAt(file, one, 'text') ?? [],
    );
    return { items: [], lists: listOf(of, texts) };
  }
  if (hasPermissions(file)) return { items: [], ...readPermissions(data, file) };
  if (hooks) return readHookEntries(nativeEntriesIn(data, file), file);
  const named: readonly (readonly [string, Data])[] =
    file.collect === 'list'
      ? elementsOf(place).map((one, index) => [entryName(file, one) ?? `entry-${index + 1}`, one])
      : file.collect === 'map'
        ? namedIn(place, file)
        : [];
  return { items: named.flatMap(([name, entry]) => readEntry(name, entry, file)) };
}

const elementsOf = (place: Data | undefined): readonly Data[] => (Array.isArray(place) ? place : []);

/** The entries of a place by key, without fixed keys of the spec when the place is the root. */
const namedIn = (place: Data | undefined, { at = [], root = {} }: EntriesFile): [string, Data][] =>
  Object.entries(isObject(place) ? place : {}).filter(([key]) => at.length > 0 || !Object.hasOwn(root, key));

function readEntry(name: string, written: Data, file: EntriesFile): ImportedItem[] {
  const block = blockOf(file.of);
  const entry = readReferences(written, file.variables);
  if (hasDisplayName(file.of)) {
    // Some tools combine several items in one entry, each with a name of its own.
    const several = readShape(file.entry, entry);
    return several.map((match, index) => {
      const own = match.fields.get('name');
      const key = typeof own === 'string' ? own : several.length === 1 ? name : `${name}-${index + 1}`;
      return { block, key, ...entryFields(file.of, match, key) };
    });
  }
  const { matches, variant } = bestShape(file, entry);
  const match = matches[0] ?? { fields: new Map(), unknown: new Map(asMap(entry)) };
  const read =
    file.of === 'mcpServers' ? portableServer(match, variant, file.servers) : itemFields(match, name);
  return [{ block, key: name, ...read }];
}

/** An entry of a file with hooks, and the native name of its event. */
export interface NativeEntry {
  readonly event: string;
  readonly entry: Data;
  /** A name outside of the entry. */
  readonly name?: string;
}

/** The native hooks of a structured file. */
export function nativeEntriesIn(data: Data, file: EntriesFile): NativeEntry[] {
  const place = valueAt(data, file.at ?? []);
  if (place === undefined || place === null) return [];
  const byEvent = (events: readonly (readonly [string, Data])[], name?: string) =>
    events.flatMap(([event, list]) =>
      asList(list).map(entry => ({ event, entry, ...(name !== undefined && { name }) })),
    );
  switch (file.collect) {
    case 'events':
      return byEvent(namedIn(place, file));
    case 'groups':
      return namedIn(place, file).flatMap(([name, group]) => byEvent([...asMap(group)], name));
    case 'list':
      return asList(place).map(entry => ({ event: eventIn(file, entry), entry }));
    case 'map':
      return namedIn(place, file).map(([name, entry]) => ({ event: eventIn(file, entry), entry, name }));
  }
}

const asList = (data: Data): readonly Data[] => (Array.isArray(data) ? data : [data]);

function readHookEntries(entries: readonly NativeEntry[], file: EntriesFile): ItemsRead {
  const taken = new Set<string>();
  const forms = formsOf(file).map(form => form.file);
  const byForm = groupBy(entries, entry => formFor(entry, forms));
  const reads = forms.map(form => {
    const found = (byForm.get(form) ?? []).flatMap(({ event, entry, name }) =>
      bestShape(form, entry).matches.map(read => ({ native: event, id: name, read })),
    );
    return readHooks(found, form.hooks!, taken);
  });
  return {
    items: reads.flatMap(({ items }) => items),
    unreadable: reads.flatMap(({ unreadable }) => unreadable),
  };
}

/** The form of a hook: of those that support its event, the one that explains it best. */
function formFor({ event, entry }: NativeEntry, forms: readonly EntriesFile[]): EntriesFile {
  const scored = forms.map(form => ({
    form,
    knows: Number(knowsEvent(form, event)),
    score: bestShape(form, entry).score,
  }));
  return scored.sort((a, b) => b.knows - a.knows || b.score - a.score)[0]!.form;
}

/** The shape that explains an entry best: named among the variants, with everything that it reads. */
export function bestShape(
  file: EntriesFile,
  entry: Data,
): { readonly variant?: string; readonly matches: readonly ShapeMatch[]; readonly score: number } {
  if (!file.variants) return scored(readShape(file.entry, entry));
  return Object.entries(file.variants)
    .map(([variant, shape]) => ({ variant, ...scored(readShape(shape, entry)) }))
    .reduce((best, next) => (next.score > best.score ? next : best), scored([]));
}

const scored = (matches: readonly ShapeMatch[]) => ({
  matches,
  score: Math.max(-Infinity, ...matches.map(({ score }) => score)),
});

function textAt(file: EntriesFile, entry: Data, field: string): string | undefined {
  const text = bestShape(file, entry).matches[0]?.fields.get(field);
  return typeof text === 'string' ? text : undefined;
}

const entryName = (file: EntriesFile, entry: Data): string | undefined =>
  textAt(file, entry, 'id') ??
  textAt(file, entry, 'name') ??
  (slugOf(textAt(file, entry, 'shown') ?? '') || undefined);

const eventIn = (file: EntriesFile, entry: Data): string =>
  String((readShape(file.entry, entry)[0]?.fields.get('nativeEvent') ?? (entry as DataObject).event) || '');

/** A place with what was read from it. */
interface PlaceRead extends ItemsRead {
  readonly place: EntriesFile;
}

/** A permission about a tool of a server in the file, or about all of them when `tool` is absent. */
interface AboutTool {
  readonly permission: PermissionText;
  readonly tool?: string;
}

/**
 * Moves permissions about tools of servers to the servers. A denied tool becomes disabled. If all tools of a
 * server are denied except named ones, these become the enabled tools.
 */
function withServerTools(data: Data, reads: readonly PlaceRead[]): readonly PlaceRead[] {
  const servers = reads.flatMap(({ place, items }) => (place.of === 'mcpServers' ? items : []));
  const ours = reads
    .map(({ place }) => place)
    .filter(hasPermissions)
    .find(({ of, permissions }) => of === 'permissions' && permissions.mcp);
  if (!ours || servers.length === 0) return reads;
  const isWritten = (field: string) =>
    reads.some(({ place }) => place.of === 'mcpServers' && usesField(place, [field]));
  const keys = servers.map(({ key }) => key).sort((a, b) => b.length - a.length);
  const about = toolsByServer(permissionTexts(data, ours), keys);
  const taken = new Set<string>();
  const fields = new Map<string, Map<string, Data>>();
  for (const [server, all] of about) {
    const own = new Map<string, Data>();
    const take = (field: string, tools: readonly AboutTool[]) => {
      if (tools.length === 0 || isWritten(field)) return false;
      own.set(
        field,
        tools.map(({ tool }) => tool!),
      );
      // An allowed tool is more than an enabled one, so its permission stays.
      for (const { permission } of tools) if (permission.decision !== 'allow') taken.add(keyOf(permission));
      return true;
    };
    take(
      'disabledTools',
      all.filter(({ tool, permission }) => tool !== undefined && permission.decision === 'deny'),
    );
    const { rest, tools } = enabledIn(all, ours.permissions.wins);
    if (rest && take('enabledTools', tools)) taken.add(keyOf(rest.permission));
    if (own.size > 0) fields.set(server, own);
  }
  if (fields.size === 0) return reads;
  return reads.map(read => {
    if (read.place === ours)
      return { ...read, ...readPermissions(data, ours, said => taken.has(keyOf(said))) };
    if (read.place.of !== 'mcpServers') return read;
    const items = read.items.map(item => ({
      ...item,
      fields: new Map([...item.fields, ...(fields.get(item.key) ?? [])]),
    }));
    return { ...read, items };
  });
}

const keyOf = ({ decision, text }: PermissionText): string => `${decision}\0${text}`;

/** The tools that remain when all tools of a server are denied, by the precedence of entries. */
function enabledIn(
  all: readonly AboutTool[],
  wins: 'deny' | 'last' | 'first' | undefined,
): { readonly rest?: AboutTool; readonly tools: readonly AboutTool[] } {
  const whole = all.filter(({ tool }) => tool === undefined);
  const [rest] = whole;
  // A second entry about all tools would also apply to some of these.
  const isOne = whole.length === 1 && rest!.permission.decision === 'deny';
  if (!rest || !isOne || (wins !== 'last' && wins !== 'first')) return { tools: [] };
  const counts = ({ permission: { index } }: AboutTool) =>
    wins === 'last' ? index > rest.permission.index : index < rest.permission.index;
  const tools = all.filter(
    one => one.tool !== undefined && one.permission.decision !== 'deny' && counts(one),
  );
  return { rest, tools: tools.sort((a, b) => a.permission.index - b.permission.index) };
}

function toolsByServer(
  texts: readonly PermissionText[],
  servers: readonly string[],
): ReadonlyMap<string, readonly AboutTool[]> {
  const found = new Map<string, AboutTool[]>(servers.map(server => [server, []]));
  const find = (said: PermissionText) => {
    for (const { kind, form } of said.forms)
      for (const server of kind === 'mcp' ? servers : []) {
        const tool = toolIn(said.text, form, server);
        if (tool !== undefined) return { server, about: { permission: said, ...(tool !== '*' && { tool }) } };
      }
    return undefined;
  };
  for (const said of texts) {
    const one = (said.kind ?? 'mcp') === 'mcp' ? find(said) : undefined;
    if (one) found.get(one.server)!.push(one.about);
  }
  return found;
}

/** The tool that a text is about, `*` for all tools of the server; `undefined` for another subject. */
function toolIn(text: string, form: PermissionForm, server: string): string | undefined {
  for (const template of [form.text ?? []].flat()) {
    const own = template.replaceAll('{server}', () => nameIn(form, server));
    if (form.tools === 'all' && text === own) return '*';
    const tool = form.tools === 'all' ? undefined : matchTemplate(own, text)?.tool;
    if (tool !== undefined && !tool.includes('*')) return tool;
  }
  return undefined;
}
