import { conventions } from '../../generated/conventions.ts';
import type { ItemFiles, Row } from '../../generated/types/target.ts';
import { blockOf, keyOfItem } from '../../model/collections.ts';
import { strings } from '../../model/data.ts';
import type { Activation } from '../../model/guards.ts';
import type { Data } from '../../model/model.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import { parseRendered, templateTree } from '../../spec/template-read.ts';
import { acceptsOnlyText } from '../../spec/vocabulary.ts';
import { equalUnordered } from '../../text/data.ts';
import { unusedName } from '../../text/free-name.ts';
import { type FrontMatter, listOf } from '../../text/front-matter.ts';
import { sectionsOf } from '../../text/sections.ts';
import type { Source } from '../../text/source.ts';
import { splitList } from '../../text/split-list.ts';
import { slugOf, titleOf } from '../../text/title.ts';
import { trimBlankLines } from '../../text/traced.ts';
import { type MappedBlock, mapMarkdown } from '../document/read/map.ts';
import { type MarkdownFile, openMarkdown } from '../document/read/markdown.ts';
import type { ReadContext, Reader } from '../kind.ts';
import { portableServer } from '../native/servers.ts';
import { readShape } from '../native/shapes.ts';
import { readArguments, readReferences } from '../native/variables.ts';
import { filesOfKind } from '../places.ts';
import { readHooks } from '../read/hooks.ts';
import { asMap, type ImportedItem, itemFields, itemFromKeys } from '../read/items.ts';
import { type ItemsRead, partOf, partOfWholeFile, readStructured } from '../read/parts.ts';

/** Reads a text that is not an item: as sections by their words, or as a rule for its folder. */
export function readProse(
  { source, front, body, markdown }: MarkdownFile,
  reading: ReadContext,
): MappedBlock[] {
  if (reading.scope !== '') return [partOf(nestedRule(reading.scope, body), source)];
  const headings = headingsOf(source.name);
  const parts = mapMarkdown(markdown, front.lines, headings, reading.inPlace);
  return withFrontMatter(parts, front, reading);
}

/** Converts the main document of a nested package to a rule for the files of that package. */
const nestedRule = (scope: string, content: string): ImportedItem => ({
  block: 'guards',
  key:
    scope
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'package',
  fields: new Map<string, Data>([
    ['applyTo', [`${scope}/**`]],
    ['placement', 'nested'],
    ['content', content],
  ]),
  unknown: new Map(),
});

/** Main headings without information: the common one, and the file name. */
const headingsOf = (path: string): ReadonlySet<string> =>
  new Set([conventions.catalogue.heading, path.replace(/^.*\//, '')]);

/** Front matter of a main document that no row of the spec explains is kept as a comment. */
function withFrontMatter(parts: MappedBlock[], front: FrontMatter, { spec }: ReadContext): MappedBlock[] {
  const guards = spec ? filesOfKind(spec, 'items').filter(({ of }) => of === 'guards') : [];
  const files = spec ? [...filesOfKind(spec, 'document'), ...guards] : [];
  const rows = files.flatMap(({ frontmatter = [] }) => frontmatter);
  const kept = [...front.fields].filter(
    ([key, value]) =>
      value !== null &&
      value !== '' &&
      !rows.some(
        row =>
          row.key === key &&
          row.from === undefined &&
          (equalUnordered(row.value, value) || typeof value === 'boolean'),
      ),
  );
  const [first, ...rest] = parts;
  if (kept.length === 0 || !first) return parts;
  const lines = kept.map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const review = [
    ...(first.review === undefined ? [] : [first.review]),
    'The front matter of the file also said:',
    ...lines,
  ].join('\n');
  return [{ ...first, review }, ...rest];
}

/**
 * The activation of a rule by the keys that its spec would write: the first whose rows all match. `undefined`
 * when the tool has no keys for it, or the file has none of them.
 */
export function activationIn(place: ItemFiles, keys: ReadonlyMap<string, Data>): Activation | undefined {
  const rows = place.frontmatter ?? [];
  const telling = rows.filter(row => row.from === 'activation' || (row.activation && row.from === undefined));
  if (place.of !== 'guards' || !place.activation || !telling.some(({ key }) => keys.has(key)))
    return undefined;
  return place.activation.find(activation => fits(activation, rows, keys));
}

function fits(activation: Activation, rows: readonly Row[], keys: ReadonlyMap<string, Data>): boolean {
  return rows.every(row => {
    const value = keys.get(row.key);
    const filled = value !== undefined && value !== null && listOf(value).length > 0;
    if (row.from === 'activation') return equalUnordered(row.map?.[activation], value ?? false);
    if (row.activation && row.from === undefined) {
      return equalUnordered(row.value, value) === row.activation.includes(activation);
    }
    if (row.from === 'globs') return activation !== 'scoped' || filled;
    if (row.from === 'description' && activation === 'description') return filled;
    return !filled || row.activation === undefined || row.activation.includes(activation);
  });
}

function readAs(
  of: ItemFiles['of'],
  { front, body }: MarkdownFile,
  place: ItemFiles | undefined,
  { name, specs }: ReadContext,
): ImportedItem {
  const keys = textsAsWritten(of, front, place?.frontmatter ?? []);
  return itemFromKeys(of, name, keys, body, place, specs);
}

/** Reads a rule, with the activation that its keys express. */
export function readGuard(
  file: MarkdownFile,
  place: ItemFiles | undefined,
  reading: ReadContext,
): ImportedItem {
  const guard = readAs('guards', file, place, reading);
  const activation = place && activationIn(place, file.front.fields);
  const fields = new Map([...guard.fields].filter(([name]) => name !== 'activation'));
  const isSaidByGlobs = activation === 'scoped' || (activation === 'always' && !fields.has('applyTo'));
  if (activation && !isSaidByGlobs) fields.set('activation', activation);
  return { ...guard, fields };
}

/** `argument-hint: [issue]` is meant as a text with brackets, but is a list in YAML. */
function textsAsWritten(
  of: ItemFiles['of'],
  front: FrontMatter,
  rows: readonly Row[],
): FrontMatter['fields'] {
  const fields = new Map(front.fields);
  for (const [key, text] of front.written) {
    const field = rows.find(row => row.key === key)?.from ?? key;
    if (acceptsOnlyText(of, field)) fields.set(key, text);
  }
  return fields;
}

/** Whether the front matter matches that of the tool's always-loaded document. */
function isAlways({ front: { fields } }: MarkdownFile, { spec }: ReadContext): boolean {
  const rows = spec ? filesOfKind(spec, 'document').flatMap(({ frontmatter = [] }) => frontmatter) : [];
  return rows.some(
    ({ key, from, value }) =>
      from === undefined &&
      fields.has(key) &&
      equalUnordered(value, fields.get(key)) &&
      // A value with blanks is a description.
      !(typeof value === 'string' && /\s/.test(value)),
  );
}

/** Converts a skill that only says when to read which rule, by the template of emit, to a guard. */
export function guardInSkill({ key, fields, unknown }: ImportedItem): ImportedItem | undefined {
  const text = fields.get('description');
  const isOther = [...fields.keys()].some(name => name !== 'description' && name !== 'content');
  if (isOther || unknown.size > 0 || typeof text !== 'string' || text.includes('\n')) return undefined;
  const read = parseRendered(templateTree('body:rule-description')!, text);
  const globs = splitList(strings(read?.globs).join(', '));
  if (globs.length === 0 || !globs.every(glob => /^!?\S+$/.test(glob) && /[*/]/.test(glob))) return undefined;
  const values = { applyTo: globs, description: read?.description, content: fields.get('content') };
  const guard = Object.entries(values).flatMap(([name, value]): [string, Data][] =>
    value === undefined ? [] : [[name, value as Data]],
  );
  return { block: 'guards', key, fields: new Map(guard), unknown };
}

/** Splits a file into items by headings. One with other text or headings at its start is one item. */
function readHeaded(file: MarkdownFile, place: ItemFiles, reading: ReadContext): readonly MappedBlock[] {
  return partsIn(file, place, reading).map(({ name, title, text, ...range }, index) => {
    const front = index === 0 ? file.front : { ...file.front, fields: new Map(), written: new Map() };
    const item = readAs(place.of, { ...file, front, body: text }, place, { ...reading, name });
    const fields = new Map<string, Data>(title === undefined ? [] : [['title', title]]);
    if (reading.scope !== '' && !item.fields.has('applyTo')) fields.set('applyTo', [`${reading.scope}/**`]);
    const whole: ImportedItem = { ...item, fields: new Map([...fields, ...item.fields]) };
    return { ...partOfWholeFile(whole, file.source, reading.report), ...range };
  });
}

function partsIn({ front, body, source }: MarkdownFile, { headed }: ItemFiles, { name }: ReadContext) {
  const lines = body.split('\n');
  const all = source.text.split(/\r\n?|\n/);
  const first = all.findIndex((line, index) => index >= front.lines && line.trim() !== '') + 1;
  const range = (start: number, end: number) => ({ startLine: first + start, endLine: first + end - 1 });
  const top = sectionsOf(lines).filter(({ depth }) => depth <= headed!);
  if (top[0]?.start !== 0 || top.some(({ depth }) => depth !== headed))
    return [{ ...range(0, lines.length), name: slugOf(name) || name, title: undefined, text: body }];
  const taken = new Set<string>();
  return top.map(({ title, start, body: from, end }) => {
    const key = unusedName(slugOf(title) || name, key => taken.has(key));
    taken.add(key);
    return {
      name: key,
      title: titleOf(key) === title ? undefined : title,
      text: trimBlankLines(lines.slice(from, end).join('\n')),
      ...range(start, end),
    };
  });
}

function readItemEntry(data: Data, { of, hooks, entry = {}, variables }: ItemFiles, name: string): ItemsRead {
  const matches = readShape(entry, readReferences(data, variables));
  if (hooks)
    return readHooks(
      matches.map(read => ({ native: String(read.fields.get('nativeEvent') ?? ''), id: name, read })),
      hooks,
    );
  const items = matches.map(match => {
    const transport = strings(match.fields.get('transport'))[0];
    const read = of === 'mcpServers' ? portableServer(match, transport) : itemFields(match, name);
    return { block: blockOf(of), key: keyOfItem(of, name), ...read };
  });
  return { items };
}

/** A file is one item, unless it is Markdown at a place of rules without keys about activation. */
export const readItemFile: Reader<ItemFiles> = async (source, place, reading) => {
  const { format = 'markdown' } = place;
  if (format !== 'markdown')
    return readStructured(source, format, reading.report, data => {
      if (place.entry !== undefined) return readItemEntry(data, place, reading.name);
      const item = itemFromKeys(place.of, reading.name, asMap(data), undefined, place, reading.specs);
      return { items: [readArguments(item, place)] };
    });
  const file = await openMarkdown(source, reading.report);
  if (place.headed !== undefined) return readHeaded(file, place, reading);
  const item = readItem(file, place, reading);
  return item
    ? [partOfWholeFile(readArguments(item, place), source, reading.report)]
    : readProse(file, reading);
};

/** Reads a Markdown file at a place of items as one item, whatever else it could be. */
export async function readWholeItem(
  source: Source,
  place: ItemFiles,
  reading: ReadContext,
): Promise<ImportedItem> {
  const read = place.of === 'guards' ? readGuard : readPlain;
  return readArguments(read(await openMarkdown(source, reading.report), place, reading), place);
}

/**
 * Reads an item other than a rule. Keys of portable fields that its tool is not known to support are kept as
 * overlays, too, so that a compile reproduces them.
 */
function readPlain(file: MarkdownFile, place: ItemFiles, reading: ReadContext): ImportedItem {
  const item = readAs(place.of, file, place, reading);
  const { extra, frontmatter = [] } = place;
  if (!reading.spec || extra !== 'pass') return item;
  const known = new Set(['name', ...frontmatter.map(({ key }) => key)]);
  const own = [...file.front.fields].filter(
    ([key, value]) =>
      value !== null &&
      !known.has(key) &&
      // Unknown keys are passed on unchanged.
      (!item.unknown.has(key) || isPortable(item.block, key)),
  );
  if (own.length === 0) return item;
  const targets = { [reading.spec.id]: Object.fromEntries(own) };
  return { ...item, fields: new Map([...item.fields, ['targets', targets]]) };
}

function readItem(file: MarkdownFile, place: ItemFiles, reading: ReadContext): ImportedItem | undefined {
  if (place.of !== 'guards' && place.of !== 'topics') {
    const whole = readPlain(file, place, reading);
    return place.of === 'skills' ? (guardInSkill(whole) ?? whole) : whole;
  }
  const guard = readGuard(file, place, reading);
  if (guard.fields.has('applyTo') || activationIn(place, file.front.fields)) return guard;
  const described = typeof guard.fields.get('description') === 'string';
  // Classifying its text into blocks would duplicate it, because the file stays.
  if (reading.inPlace && (place.of === 'topics' || !described || isAlways(file, reading))) return guard;
  // A rule without globs that a tool loads by its description corresponds to a skill.
  const isSkill = place.of === 'guards' && !isAlways(file, reading) && described;
  return isSkill ? { ...guard, block: 'skills' } : undefined;
}
