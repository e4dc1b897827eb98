import { stringify } from 'yaml';
import type { TextPlace } from '../../generated/types/foreign.ts';
import { strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import type { ForeignReader } from './reader.ts';

type Fields = Map<string, Data>;
type DataMap = Readonly<Record<string, Data>>;

/** A text of the other compiler with portable front matter. */
export interface PortableText {
  readonly fields: Fields;
  /** Without blank lines at its start. */
  readonly body: string;
  readonly targets?: readonly string[];
  readonly isMain: boolean;
  readonly isPrivate: boolean;
}

/** Converts a text by the description of its front matter. Settings for single tools become overlays. */
export function portableText(
  path: string,
  text: string,
  place: Partial<TextPlace>,
  reader: ForeignReader,
  isNested = false,
): PortableText {
  const { fields: read, bodyStart } = readFrontMatter(text);
  return portableFields(path, read, text.slice(bodyStart), place, reader, isNested);
}

/** The portable fields of a text: those for all tools, and those of each tool that it names. */
export function portableFields(
  path: string,
  read: ReadonlyMap<string, Data>,
  body: string,
  place: Partial<TextPlace>,
  reader: ForeignReader,
  isNested = false,
): PortableText {
  const targets = reader.toolsNamedIn(read.get('targets'));
  const fields: Fields = new Map();
  const own = new Map<string, Fields>();
  for (const [key, value] of read) {
    if (place.drop?.includes(key) || key === 'targets') continue;
    const spread = place.spread?.[key]?.[String(value)];
    if (spread) {
      for (const [tool, words] of Object.entries(spread))
        addChanges(own, tool, words as DataMap, read, place, reader);
    } else if (!isObject(value) || !reader.isTool(key)) setWord(fields, key, value, place);
    else addChanges(own, key, value, read, place, reader);
  }
  nestByPlace(fields, path, read, place, isNested);
  // In a text for a single tool, its settings are the settings for all.
  const alone = targets?.length === 1 ? own.get(targets[0]!) : undefined;
  for (const [key, value] of alone ?? []) fields.set(key, value);
  if (alone) own.clear();
  setChanges(fields, own, targets);
  if (fields.get('activation') === 'always') fields.delete('applyTo');
  return {
    fields,
    body: body.replace(/^(?:[ \t]*\r?\n)+/, ''),
    ...(targets && { targets }),
    isMain: place.main !== undefined && read.get(place.main) === true,
    isPrivate: place.private !== undefined && read.get(place.private) === true,
  };
}

/** Sets a field by its portable name; values for the activation are converted. */
function setWord(fields: Fields, key: string, value: Data, { rename, activation }: Partial<TextPlace>): void {
  const when = activation?.[key];
  if (!when) fields.set(rename?.[key] ?? key, value);
  else if (Object.hasOwn(when, String(value))) fields.set('activation', when[String(value)]!);
}

/** Adds the settings of a tool; of two blocks for one tool the first wins. */
function addChanges(
  own: Map<string, Fields>,
  tool: string,
  block: DataMap,
  read: ReadonlyMap<string, Data>,
  place: Partial<TextPlace>,
  reader: ForeignReader,
): void {
  const nested = place.nested?.[0] === tool ? place.nested[1] : undefined;
  const apart = new Set(place.beside?.flatMap(file => (file.block === tool ? file.keys : [])));
  const changes: Fields = new Map();
  for (const [key, value] of Object.entries(block)) {
    if (apart.has(key)) continue;
    const isSaid = place.leads?.includes(key) && read.has(key);
    if (key !== nested && !isSaid) setWord(changes, key, value, place);
  }
  if (changes.size === 0) return;
  const [id] = reader.idsOf([tool]);
  if (id !== undefined) own.set(id, new Map([...changes, ...(own.get(id) ?? [])]));
}

/**
 * An agent may also have a list of tools named `tools`. In that case overlays are in `targets`, and if that
 * is the audience, the list is repeated for each of its tools.
 */
function setChanges(
  fields: Fields,
  own: ReadonlyMap<string, Fields>,
  targets: readonly string[] | undefined,
): void {
  if (own.size === 0) return;
  const list = fields.get('tools');
  const all = Object.fromEntries([...own].map(([id, changes]) => [id, Object.fromEntries(changes)]));
  if (list === undefined) fields.set('tools', all);
  else if (!targets) fields.set('targets', all);
  else fields.set('tools', Object.fromEntries(targets.map(id => [id, { tools: list, ...all[id] }])));
}

/** The folder whose main file contains a text, by its content, its globs or its path. */
function nestByPlace(
  fields: Fields,
  path: string,
  read: ReadonlyMap<string, Data>,
  place: Partial<TextPlace>,
  isNested: boolean,
): void {
  const [block, key] = place.nested ?? [];
  const words = block === undefined ? undefined : read.get(block);
  const value = isObject(words) && key !== undefined ? words[key] : undefined;
  const isMain = place.main !== undefined && read.get(place.main) === true;
  const named = value ?? (isNested && !isMain ? 'auto' : undefined);
  const folder = named === 'auto' ? commonFolder(strings(fields.get('applyTo'))) : named;
  if (typeof folder === 'string' && folder !== '') nest(fields, folder);
  if (place.folder !== undefined && path.includes(place.folder)) nest(fields, path.split(place.folder)[0]!);
}

/** The longest common folder of all globs without a wildcard; `undefined` when there is none. */
function commonFolder(globs: readonly string[]): string | undefined {
  const folders = globs.map(glob => {
    const parts = glob.split('/');
    const end = parts.findIndex(part => /[*?[\]{}!]/.test(part));
    const folder = parts.slice(0, end < 0 ? -1 : end);
    return folder[0] === '' || folder.includes('..') ? '' : folder.join('/');
  });
  return folders.every(folder => folder === folders[0]) ? folders[0] : undefined;
}

function nest(fields: Fields, folder: string): void {
  const plain = folder.replace(/^\.\/|\/+$/g, '');
  const globs = strings(fields.get('applyTo'));
  if (globs.length === 0 || !globs.every(glob => glob.startsWith(`${plain}/`)))
    fields.set('applyTo', [`${plain}/**`]);
  fields.set('placement', 'nested');
}

/** Settings for single tools in separate files next to a skill. */
export function siblingFiles(
  text: string,
  { beside }: Partial<TextPlace>,
): { readonly path: string; readonly text: string }[] {
  const { fields } = readFrontMatter(text);
  return (beside ?? []).flatMap(({ block, keys, path }) => {
    const words = fields.get(block);
    const own = isObject(words) ? Object.entries(words).filter(([key]) => keys.includes(key)) : [];
    return own.length === 0 ? [] : [{ path, text: stringify(Object.fromEntries(own), { lineWidth: 0 }) }];
  });
}

/** The text of a Markdown source: minimal front matter, and the unchanged body. */
export function sourceText({ fields, body, targets }: PortableText): string {
  const all = { ...Object.fromEntries(fields), ...(targets && { targets: [...targets] }) };
  const text = body === '' || body.endsWith('\n') ? body : `${body}\n`;
  return Object.keys(all).length === 0 ? text : `---\n${Object.entries(all).map(row).join('')}---\n\n${text}`;
}

/** Lists are written on one line. A hint such as `[message]` is a list in YAML, but means brackets. */
const row = ([key, value]: readonly [string, Data]): string =>
  Array.isArray(value)
    ? `${key}: ${stringify(value, { lineWidth: 0, collectionStyle: 'flow', flowCollectionPadding: false })}`
    : stringify({ [key]: value }, { lineWidth: 0 });
