import { stringify } from 'yaml';
import type { TextPlace } from '../../generated/types/foreign.ts';
import { isDataObject, strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import type { ToolNames } from './tool-names.ts';

type Fields = Map<string, Data>;

/** A text of the other compiler in the words of Markdown sources. */
export interface PortableText {
  readonly fields: Fields;
  readonly body: string;
  /** The tools it is for; absent: all. */
  readonly targets?: readonly string[];
  readonly isMain: boolean;
  readonly isPrivate: boolean;
}

/** Reads a text by what the format says of its front matter. Keys for one tool alone count where there is no other. */
export function portableText(
  path: string,
  text: string,
  place: Partial<TextPlace>,
  names: ToolNames,
): PortableText {
  const { fields: read, lines } = readFrontMatter(text);
  const body = text
    .split(/(?<=\n)/)
    .slice(lines)
    .join('');
  return portableFields(path, read, body, place, names);
}

export function portableFields(
  path: string,
  read: ReadonlyMap<string, Data>,
  body: string,
  place: Partial<TextPlace>,
  names: ToolNames,
): PortableText {
  const at = (keys: readonly string[] | undefined): Data | undefined =>
    keys?.reduce<Data | undefined>(
      (value, key) => (isDataObject(value) ? value[key] : undefined),
      Object.fromEntries(read),
    );
  const fields: Fields = new Map();
  const own: Fields[] = [];
  for (const [key, value] of read) {
    if (place.drop?.includes(key) || key === 'targets') continue;
    if (isDataObject(value) && names.isTool(key)) own.push(new Map(Object.entries(value)));
    else fields.set(place.rename?.[key] ?? key, value);
  }
  for (const [key, value] of own.flatMap(one => [...one])) {
    const name = place.rename?.[key] ?? key;
    const isPlace = [place.nested, place.always].some(keys => keys?.at(-1) === key);
    if (!isPlace && !fields.has(name)) fields.set(name, value);
  }
  const folder = at(place.nested);
  if (typeof folder === 'string' && folder !== '' && folder !== 'auto') nest(fields, folder);
  if (place.folder !== undefined && path.includes(place.folder)) nest(fields, path.split(place.folder)[0]!);
  if (at(place.always) === true) {
    fields.set('activation', 'always');
    fields.delete('applyTo');
  }
  const written = read.get('targets');
  const list = typeof written === 'string' ? written.split(',').map(name => name.trim()) : strings(written);
  const targets = list.length === 0 || list.some(names.isAll) ? undefined : names.idsOf(list);
  return {
    fields,
    body,
    ...(targets && { targets }),
    isMain: place.main !== undefined && read.get(place.main) === true,
    isPrivate: place.private !== undefined && read.get(place.private) === true,
  };
}

/** The text stands in the main file of a folder of its own. */
function nest(fields: Fields, folder: string): void {
  fields.set('applyTo', [`${folder.replace(/^\.\/|\/+$/g, '')}/**`]);
  fields.set('placement', 'nested');
}

/** A Markdown source: front matter as plain as YAML allows, and the body as it is. */
export function sourceText({ fields, body, targets }: PortableText): string {
  const all = { ...Object.fromEntries(fields), ...(targets && { targets: [...targets] }) };
  const text = body.replace(/^(?:[ \t]*\r?\n)+/, '');
  if (Object.keys(all).length === 0) return ended(text);
  return `---\n${Object.entries(all).map(row).join('')}---\n\n${ended(text)}`;
}

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Lists stand on one line: a hint such as `[message]` is a list to YAML and brackets to people. */
const row = ([key, value]: readonly [string, Data]): string =>
  Array.isArray(value)
    ? `${key}: ${stringify(value, { lineWidth: 0, collectionStyle: 'flow', flowCollectionPadding: false })}`
    : stringify({ [key]: value }, { lineWidth: 0 });
