import { portableName } from '../resolve/catalogue.ts';
import { readSourceHead } from '../resolve/markdown.ts';
import type { Node, Program, ResolvedBlock } from '../resolve/program.ts';
import { commandWords } from '../text/shell.ts';
import { hasDisplayName } from './collections.ts';
import { scalarText } from './data.ts';
import type { Collection, Item, ItemOrigins, NameOrigin, ValueSource } from './model.ts';
import { nameOrigin, pathSegment } from './origin.ts';

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

function scalarsOf(sourced: ValueSource): ValueSource[] {
  if (!('node' in sourced) || sourced.node.kind === 'scalar') return [sourced];
  const { path, node } = sourced;
  return node.kind === 'list'
    ? node.items.flatMap((item, index) => scalarsOf({ path: `${path}[${index}]`, node: item }))
    : [...node.fields].flatMap(([key, inner]) =>
        scalarsOf({ path: `${path}.${pathSegment(key)}`, node: inner }),
      );
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
