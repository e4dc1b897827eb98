import { portableName } from '../resolve/catalogue.ts';
import { readSourceHead } from '../resolve/markdown.ts';
import type { Node, Program, ResolvedBlock, ScalarNode } from '../resolve/program.ts';
import { commandWords } from '../text/shell.ts';
import { type Ingredient, locateTexts, traced } from '../text/traced.ts';
import { hasDisplayName } from './collections.ts';
import { scalarText, strings } from './data.ts';
import {
  type Collection,
  type Item,
  type ItemOrigins,
  keyOrigins,
  type NameOrigin,
  type Origin,
  type Text,
  type ValueSource,
} from './model.ts';

/** A key as a segment of a path, quoted where needed. */
export const pathSegment = (key: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? key : JSON.stringify(key);

/** The origin of text made from the name of a declaration. */
export const nameOrigin = (path: string, text: string, { steps }: Pick<Node, 'steps'>): NameOrigin => ({
  kind: 'name',
  path,
  text,
  step: steps[0]!,
});

/** The names and scalars in a value, in source order. */
function partsOf(sourced: ValueSource): ValueSource[] {
  if (!('node' in sourced) || sourced.node.kind === 'scalar') return [sourced];
  const { path, node } = sourced;
  if (node.kind === 'list')
    return node.items.flatMap((item, index) => partsOf({ path: `${path}[${index}]`, node: item }));
  return [...node.fields].flatMap(([key, inner]) => {
    const below = `${path}.${pathSegment(key)}`;
    return [nameOrigin(below, key, inner), ...partsOf({ path: below, node: inner })];
  });
}

/** The texts of a value in source order, including field names. */
export const leavesOf = (sourced: ValueSource): Ingredient<Origin>[] =>
  partsOf(sourced).map(part => {
    if (!('node' in part)) return { text: part.text, origin: part };
    const node = part.node as ScalarNode;
    return { text: scalarText(node), origin: { kind: 'value', path: part.path, node } };
  });

const scalarsOf = (sourced: ValueSource): ValueSource[] => partsOf(sourced).filter(part => 'node' in part);

const names: ReadonlySet<string> = new Set(['name', 'title', 'id']);

/** What a field was made from; empty when the item is not traced. */
export function originsOf({ origins }: Item, field: string): readonly ValueSource[] {
  const made = origins?.fields.get(field);
  if (made) return made;
  return names.has(field) && origins?.name.kind === 'name' ? [origins.name] : [];
}

/** A text made from a field of an item; traced when the item is. */
export function itemText(item: Item, field: string, text: string): Text {
  if (!item.origins || text === '') return text;
  if (names.has(field) && !item.origins.fields.has(field)) return traced(text, item.origins.name);
  return locateTexts(text, originsOf(item, field).flatMap(leavesOf));
}

/** The strings of a list field; traced when the item is. */
export function itemTexts(item: Item, field: string): Text[] {
  const texts = strings(item.fields.get(field));
  const leaves = originsOf(item, field).flatMap(leavesOf);
  return texts.map((text, index) => {
    const origin = leaves.length === texts.length ? leaves[index]!.origin : leaves[0]?.origin;
    return origin ? traced(text, origin, leaves[index]?.text === text) : text;
  });
}

/** Plain data of a field in which strings are replaced by traced texts. */
export function tracedData(sourced: ValueSource): unknown {
  if (!('node' in sourced)) return traced(sourced.text, sourced);
  const { path, node } = sourced;
  if (node.kind === 'scalar') {
    if (node.value === null) return null;
    const isExact = typeof node.value === 'string' || node.raw !== undefined;
    return traced<Origin>(String(node.value), { kind: 'value', path, node }, isExact);
  }
  if (node.kind === 'list')
    return node.items.map((item, index) => tracedData({ path: `${path}[${index}]`, node: item }));
  const data: Record<string | symbol, unknown> = Object.create(null);
  const keys = new Map<string, Origin>();
  for (const [key, inner] of node.fields) {
    const below = `${path}.${pathSegment(key)}`;
    data[key] = tracedData({ path: below, node: inner });
    keys.set(key, nameOrigin(below, key, inner));
  }
  data[keyOrigins] = keys;
  return data;
}

/** The origins of the fields of an item, including computed fields. */
export function itemOrigins(
  program: Program,
  block: ResolvedBlock,
  { key, node }: { readonly key: string; readonly node: Node },
  collection: Collection,
): ItemOrigins {
  const path = `${block.name}.${pathSegment(key)}`;
  const fields = new Map<string, readonly ValueSource[]>();
  if (node.kind !== 'object') {
    for (const field of ['content', 'description']) fields.set(field, [{ path, node }]);
  } else {
    for (const [field, inner] of node.fields)
      fields.set(portableName(block.name, field), [{ path: `${path}.${pathSegment(field)}`, node: inner }]);
  }
  if (collection === 'commands' && !fields.has('content')) copy(fields, 'description', ['content']);
  if (hasDisplayName(collection)) addShown(fields, nameOrigin(path, key, node));
  if (collection === 'plugins') copy(fields, 'marketplace', ['reference']);
  if (collection === 'hooks' || collection === 'mcpServers') addComputed(fields);
  for (const [field, origin] of extraOrigins(program, key, path, collection)) fields.set(field, [origin]);
  return { block: blockOrigin(block), name: nameOrigin(path, key, node), fields };
}

/** The origin of text made from the name of a block. */
export const blockOrigin = (block: ResolvedBlock): NameOrigin =>
  nameOrigin(block.name, `@${block.name}`, block);

function copy(fields: Map<string, readonly ValueSource[]>, from: string, to: readonly string[]): void {
  const found = fields.get(from);
  if (found) for (const field of to) if (!fields.has(field)) fields.set(field, found);
}

function addShown(fields: Map<string, readonly ValueSource[]>, name: ValueSource): void {
  copy(fields, 'title', ['shown']);
  copy(fields, 'description', ['about']);
  copy(fields, 'shown', ['about']);
  for (const field of ['shown', 'about']) if (!fields.has(field)) fields.set(field, [name]);
}

/**
 * Adds the fields of hooks and servers that the model and emit compute: forms of the command line, units,
 * paths.
 */
function addComputed(fields: Map<string, readonly ValueSource[]>): void {
  const command = (fields.get('script') ?? fields.get('command') ?? []).flatMap(scalarsOf);
  const args = (fields.get('args') ?? []).flatMap(scalarsOf);
  const texts = [...command, ...args];
  const inFolder = [...(fields.get('cwd') ?? []), ...texts];
  for (const field of ['shell', 'powershell', 'wrapped']) fields.set(field, inFolder);
  fields.set('commandLine', texts);
  const words = [...wordsOf(command), ...args];
  fields.set('argv', words);
  fields.set('program', words.slice(0, 1));
  fields.set('arguments', words.slice(1));
  copy(fields, 'timeoutMs', ['timeout']);
  copy(fields, 'cwd', ['directory']);
  copy(fields, 'event', ['nativeEvent', 'eventShape']);
}

/** A command line in one text is the origin of each of its words. */
function wordsOf(command: readonly ValueSource[]): readonly ValueSource[] {
  const [only] = command;
  if (command.length !== 1 || !only || !('node' in only) || only.node.kind !== 'scalar') return command;
  return commandWords([scalarText(only.node)]).map(() => only);
}

/** Origins of front matter of a Markdown skill that is not part of the program. */
function extraOrigins(
  program: Program,
  key: string,
  path: string,
  collection: Collection,
): (readonly [string, NameOrigin])[] {
  const skill = collection === 'skills' ? program.skills.get(key) : undefined;
  const layer = program.blocks.get('skills')?.steps[0]?.layer;
  if (!skill?.source || !layer || skill.extra.size === 0) return [];
  const head = readSourceHead(skill.source);
  return [...skill.extra.keys()].map(field => [
    field,
    {
      kind: 'name',
      path: `${path}.${pathSegment(field)}`,
      text: field,
      step: { operation: 'declare', span: head.spanOf([field]), layer },
    },
  ]);
}

/**
 * The origins of an item with a field made from fields of several items; nothing when items are not traced.
 */
export function withOrigins(item: Item, field: string, made: readonly ValueSource[]): Pick<Item, 'origins'> {
  if (!item.origins) return {};
  return { origins: { ...item.origins, fields: new Map([...item.origins.fields, [field, made]]) } };
}
