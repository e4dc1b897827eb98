import type { Report } from '../diagnostics/diagnostic.ts';
import { type Fix, removing } from '../diagnostics/fixes.ts';
import { duplicateItemName, headerOnItem, itemNameUnusable } from '../generated/diagnostics.ts';
import { fieldsReferringTo, findBlock, isPortable, portableName } from '../resolve/catalogue.ts';
import type { Entry, Node, Program, ResolvedBlock } from '../resolve/program.ts';
import { sectionTitles } from '../resolve/section-titles.ts';
import type { Span } from '../text/source.ts';
import { plain } from '../text/traced.ts';
import { takeAudience } from './audience.ts';
import {
  blockOf,
  collectionOf,
  collections,
  describeCollection,
  steeringFields,
  takesText,
} from './collections.ts';
import { scalarText, strings } from './data.ts';
import { documentTexts } from './documents.ts';
import { exampleProse } from './examples.ts';
import { composeVariants } from './guards.ts';
import { hookFields } from './hooks.ts';
import { blockOrigin, itemOrigins, ownGuardOrigins } from './item-origins.ts';
import type { Collection, Data, Fields, Item, Model, Prose, Section, Unplaced } from './model.ts';
import { fileNameOf } from './names.ts';
import type { Text } from './origin.ts';
import { type Overlay, overlaidOrigins, splitOverlays } from './overlays.ts';
import { parameterProse } from './parameters.ts';
import { proseOf } from './prose.ts';
import { serverFields } from './servers.ts';
import { shapedFields } from './shapes.ts';
import { pathSegment } from './sourced.ts';
import { fieldData, ownFieldData } from './typed.ts';
import { plainWording, tracedWording, type Wording } from './wording.ts';
import { isOnlyFrom, writtenItem } from './written-item.ts';

export interface ModelOptions {
  /** How deep the `requires` of guards are followed. */
  readonly guardRequiresDepth: number;
  /** Texts keep their origins: for whoever asks where a line of an output came from. */
  readonly trace?: boolean;
}

/** Blocks that are neither prose nor a collection. */
const silent: ReadonlySet<string> = new Set(['meta', 'params', 'local', 'documents']);

/**
 * A resolved program as the portable model.
 * Reports names that cannot be file names and names that differ only in case; such items are left out.
 */
export function buildModel(program: Program, options: ModelOptions, report: Report): Model {
  const items = Object.fromEntries(collections.map(name => [name, [] as Item[]])) as Record<
    Collection,
    Item[]
  >;
  const sections: Section[] = [];
  const unplaced: Unplaced[] = [];
  const words = options.trace ? tracedWording(program) : plainWording;
  for (const block of program.blocks.values()) {
    if (silent.has(block.name)) continue;
    const collection = collectionOf(block.name);
    const rest = collection
      ? takeItems(program, block, collection, items[collection], words, unplaced, report)
      : block.entries;
    addSection(sections, { ...block, entries: rest }, words);
    if (block.name === 'standards') addTopics(items.topics, block, words);
  }
  const parameters = parameterProse(program.parameters, words);
  if (parameters.length > 0) sections.push({ key: 'params', path: 'params', content: parameters });
  const agents = agentNames(program);
  if (agents.size > 0)
    for (const collection of collections)
      items[collection] = nameAgents(items[collection], blockOf(collection), agents);
  items.guards = composeVariants(items.guards, options.guardRequiresDepth, unplaced);
  const local = program.blocks.get('local');
  const documents = program.blocks.get('documents');
  return {
    documents: documents ? documentTexts(documents, words) : [],
    meta: new Map(
      [...program.meta].map(([key, node]) => [key, ownFieldData(findBlock('meta')?.fields, key, node)]),
    ),
    sections,
    items,
    local: local ? proseOf(local, 'topics', words) : [],
    ...(words.traced && { metaOrigins: metaOrigins(program) }),
    unplaced,
  };
}

const metaOrigins = ({ meta }: Program) =>
  new Map([...meta].map(([key, node]) => [key, [{ path: `meta.${key}`, node }]] as const));

/** Agents whose file has another name than their entry: `team.reviewer` is `team-reviewer`. */
function agentNames(program: Program): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const entry of program.blocks.get('agents')?.entries ?? []) {
    if (entry.kind !== 'field') continue;
    const name = nameOf('agents', entry.key);
    if (name !== entry.key) names.set(entry.key, name);
  }
  return names;
}

/** Fields that name an agent name its file. */
function nameAgents(items: readonly Item[], block: string, names: ReadonlyMap<string, string>): Item[] {
  const referring = fieldsReferringTo('agents').get(block) ?? [];
  if (referring.length === 0) return [...items];
  return items.map(item => {
    const fields = new Map(item.fields);
    for (const field of referring) {
      const value = fields.get(field);
      const name = typeof value === 'string' ? names.get(value) : undefined;
      if (name !== undefined) fields.set(field, name);
    }
    const { variants } = item;
    if (!variants) return { ...item, fields };
    const named = nameAgents([...variants.values()], block, names);
    return { ...item, fields, variants: new Map([...variants.keys()].map((key, at) => [key, named[at]!])) };
  });
}

function addSection(sections: Section[], block: ResolvedBlock, words: Wording): void {
  const content =
    block.name === 'examples'
      ? exampleProse(block, words)
      : proseOf(block, block.name === 'standards' ? 'topics' : 'facts', words);
  if (content.length === 0) return;
  const title = block.headers.get('');
  sections.push({
    key: block.name,
    path: block.name,
    content,
    ...(title && { title: words.text(title) }),
    ...(words.traced && { origin: blockOrigin(block) }),
  });
}

/** Turns the named entries of a block into items and gives back the entries that are none. */
function takeItems(
  program: Program,
  block: ResolvedBlock,
  collection: Collection,
  items: Item[],
  words: Wording,
  unplaced: Unplaced[],
  report: Report,
): readonly Entry[] {
  const rest: Entry[] = [];
  const taken = new Map<string, string>();
  const { titles } = sectionTitles(block);
  const own = collection === 'guards' ? ownGuard(block, unplaced) : undefined;
  if (own)
    items.push(
      words.traced ? { ...own, origins: ownGuardOrigins(block, entry => isOwn(block, entry)) } : own,
    );
  for (const entry of block.entries) {
    if (own && isOwn(block, entry)) continue;
    const { base, overlays, leftOut } = splitOverlays(block.name, entry.node);
    const fields =
      entry.kind === 'field' && !isListed(collection, base)
        ? fieldsOf(collection, block.name, entry.key, base, unplaced)
        : undefined;
    if (entry.kind !== 'field' || !fields) {
      rest.push(entry.kind === 'field' ? { ...entry, node: listed(collection, entry.node) } : entry);
      continue;
    }
    const name = nameOf(collection, entry.key);
    const span = entry.node.steps[0]?.span;
    const clash = taken.get(name.toLowerCase());
    if (name === '') report(itemNameUnusable({ name: entry.key, block: block.name }, { span }));
    else if (clash !== undefined)
      report(duplicateItemName({ name: entry.key, other: clash, block: block.name }, { span }));
    else {
      const title = titles.get(entry.key)?.steps[0]?.span;
      if (title) {
        const holes = { entry: entry.key, block: block.name };
        report(headerOnItem(holes, { span: title, fixes: withoutHeader(title) }));
      }
      taken.set(name.toLowerCase(), entry.key);
      // A skill lies in a folder of its name, and tools refuse one that says another.
      const other = collection === 'skills' ? fields.get('name') : undefined;
      if (other !== undefined && other !== name)
        unplaced.push({
          path: `${pathOf(block.name, entry.key)}.name`,
          text: String(other),
          advice: skillName,
        });
      const make = (node: Node, said: Fields): Item => {
        const item = makeItem(program, collection, block.name, { key: entry.key, node }, name, said);
        if (!words.traced) return item;
        return { ...item, origins: itemOrigins(program, block, { key: entry.key, node }, collection) };
      };
      const whole = make(base, fields);
      const variants = overlays.flatMap(overlay => {
        const said = fieldsOf(collection, block.name, entry.key, overlay.node, unplaced);
        return said ? [[overlay.at[1], overlaid(make(overlay.node, said), overlay, whole)] as const] : [];
      });
      const except = [...(whole.audience?.except ?? []), ...leftOut];
      items.push({
        ...whole,
        ...(leftOut.length > 0 && { audience: { ...whole.audience, except } }),
        ...(variants.length > 0 && { variants: new Map(variants) }),
      });
    }
  }
  keepFileNames(items);
  return rest;
}

/** The item that one tool gets in the place of the others. */
function overlaid({ origin: _, written: __, ...item }: Item, overlay: Overlay, { written }: Item): Item {
  return {
    ...item,
    ...(written && { written }),
    ...(item.origins && { origins: overlaidOrigins(item.origins, item, overlay) }),
    ...(overlay.native.size > 0 && { native: overlay.native }),
    ...(overlay.fields.size > 0 && { own: overlay.fields }),
  };
}

/** Removes the `@header` that a title belongs to. */
function withoutHeader(title: Span): readonly Fix[] {
  const { source, start, end } = title;
  const header = /@header[ \t]+\S+\s+$/.exec(source.text.slice(0, start));
  return header ? [removing('Remove `@header`', { source, start: header.index, end })] : [];
}

const skillName = 'A skill has the name of its entry, which is the name of its folder: rename the entry.';

/** Two items of one file name, from two folders, are told apart by their own names. */
function keepFileNames(items: Item[]): void {
  const files = items.map(({ name, written }) => (written?.file ?? name).toLowerCase());
  for (const [index, item] of items.entries()) {
    if (!item.written || files.indexOf(files[index]!) === files.lastIndexOf(files[index]!)) continue;
    items[index] = { ...item, written: { ...item.written, file: item.name } };
  }
}

function makeItem(
  program: Program,
  collection: Collection,
  block: string,
  { key, node }: { readonly key: string; readonly node: Node },
  name: string,
  fields: Fields,
): Item {
  const origin = collection === 'skills' ? program.skills.get(key) : undefined;
  const extra = new Map([...(origin?.extra ?? [])].map(([field, value]) => [field, value as Data]));
  const own = new Map<string, Data>([['name', name], ...fields]);
  if (collection === 'skills') own.set('name', name);
  const audience = takeAudience(own);
  const stands = mayStand.has(collection) ? takePlaces(own) : [];
  const written = writtenItem(key, node, block, stands.length > 0);
  const order = [...own.keys(), ...extra.keys()];
  if (inMarkdown.has(collection)) moveUnknown(own, extra, block);
  if (collection === 'agents') own.set('id', name);
  return {
    name,
    path: pathOf(block, key),
    fields: own,
    computed: steeringFields(collection),
    ...(audience && { audience }),
    ...(stands.length > 0 && { stands }),
    resources: origin?.resources ?? [],
    ...(origin?.into !== undefined && { into: origin.into }),
    ...(origin?.source && isOnlyFrom(origin.source.name, node) && { origin: origin.source.name }),
    ...(written && { written }),
    order,
    ...(extra.size > 0 && { extra }),
  };
}

/** Collections whose items are files with front matter: what the catalogue does not know may be known to a tool. */
const inMarkdown: ReadonlySet<Collection> = new Set(['guards', 'commands', 'agents', 'skills']);

/** Collections whose items can stand in a file as they are written. */
const mayStand: ReadonlySet<Collection> = new Set([...inMarkdown, 'mcpServers']);

function takePlaces(fields: Map<string, Data>): string[] {
  const places = strings(fields.get('into'));
  fields.delete('into');
  return [...new Set(places)];
}

function moveUnknown(fields: Map<string, Data>, extra: Map<string, Data>, block: string): void {
  for (const [field, value] of fields) {
    const isList = field === 'tools' && block === 'guards';
    if (field === 'name' || (isPortable(block, field) && !isList)) continue;
    extra.set(field, value);
    fields.delete(field);
  }
}

const pathOf = (block: string, key: string): string =>
  `${block}.${/^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key)}`;

/** What the block's own rule may have beside its text. */
const guardFields: ReadonlySet<string> = new Set([
  'globs',
  'description',
  'content',
  'requires',
  ...(findBlock('guards')?.fields ?? []).map(({ name }) => name),
]);

const isOwn = (block: ResolvedBlock, entry: Entry): boolean =>
  entry.kind === 'text' || (entry.kind === 'field' && guardFields.has(portableName(block.name, entry.key)));

/** The block's own rule: `globs` and text directly in `@guards`. */
function ownGuard(block: ResolvedBlock, unplaced: Unplaced[]): Item | undefined {
  const written = new Map<string, Data>([['name', 'guards']]);
  const texts: string[] = [];
  for (const entry of block.entries) {
    if (entry.kind === 'text') texts.push(scalarText(entry.node));
    else if (entry.kind === 'field' && isOwn(block, entry) && entry.node.kind !== 'object') {
      if (entry.key === 'content' && entry.node.kind === 'scalar') texts.push(scalarText(entry.node));
      else written.set(portableName(block.name, entry.key), fieldData(block.name, entry.key, entry.node));
    }
  }
  const fields = shapedFields(block.name, written, block.name, unplaced);
  if (!fields.has('globs')) return undefined;
  if (texts.length > 0) fields.set('content', texts.join('\n\n'));
  const audience = takeAudience(fields);
  return {
    name: 'guards',
    path: 'guards',
    fields,
    computed: steeringFields('guards'),
    ...(audience && { audience }),
    resources: [],
  };
}

/** A switch that is off keeps an entry in the list of the main document: no file is made of it. */
function isListed(collection: Collection, node: Node): boolean {
  const name = describeCollection(collection).switch;
  if (name === undefined || node.kind !== 'object') return false;
  const value = node.fields.get(name);
  return value?.kind === 'scalar' && value.value === false;
}

/** A listed entry without its switch; what is left of it is a text, or fields when there are several. */
function listed(collection: Collection, node: Node): Node {
  if (!isListed(collection, node) || node.kind !== 'object') return node;
  const off = describeCollection(collection).switch;
  const fields = new Map([...node.fields].filter(([key]) => key !== off));
  const [only] = fields.values();
  return fields.size === 1 && only ? only : { ...node, fields };
}

/** The fields of an entry, or nothing when the entry has no shape of this collection. */
function fieldsOf(
  collection: Collection,
  block: string,
  key: string,
  node: Node,
  unplaced: Unplaced[],
): Fields | undefined {
  const { described } = describeCollection(collection);
  if (node.kind === 'scalar') {
    if (!takesText(block) || (!described && typeof node.value !== 'string')) return undefined;
    const content = scalarText(node);
    return new Map([
      ['content', content],
      ...(described ? [['description', firstLine(content)] as const] : []),
    ]);
  }
  if (node.kind !== 'object') return undefined;
  const written = new Map(
    [...node.fields].map(
      ([field, value]) => [portableName(block, field), fieldData(block, field, value)] as const,
    ),
  );
  // A list of tools is nothing that we know of a rule; what a tool makes of it is up to the tool.
  const list = block === 'guards' ? written.get('tools') : undefined;
  if (list !== undefined) written.delete('tools');
  const fields = shapedFields(block, written, pathOf(block, key), unplaced);
  if (list !== undefined) fields.set('tools', list);
  if (collection === 'hooks') return hookFields(key, fields);
  if (collection === 'mcpServers') return serverFields(fields);
  if (described && !fields.has('content') && fields.has('description'))
    fields.set('content', fields.get('description')!);
  return fields;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!;

/** `/test` is the command `test`; `a.reviewer` is the agent `a-reviewer`. */
function nameOf(collection: Collection, key: string): string {
  const { prefix, qualified } = describeCollection(collection);
  let name = key;
  while (prefix !== undefined && name.startsWith(prefix)) name = name.slice(prefix.length);
  return fileNameOf(qualified ? name.replaceAll('.', '-') : name);
}

/** Each field of @standards as an item: what a target with one rule file per topic writes. */
function addTopics(topics: Item[], block: ResolvedBlock, words: Wording): void {
  const general: Prose[] = [];
  for (const prose of proseOf(block, 'topics', words)) {
    const name = prose.kind === 'group' ? fileNameOf(prose.key) : '';
    if (prose.kind !== 'group' || name === '') general.push(prose);
    else
      topics.push(
        topic(name, prose.title ?? name, `standards.${pathSegment(prose.key)}`, prose.content, block, words),
      );
  }
  if (general.length > 0)
    topics.unshift(topic('general', words.name('General', block), 'standards', general, block, words));
}

function topic(
  name: string,
  title: Text,
  path: string,
  prose: readonly Prose[],
  block: ResolvedBlock,
  words: Wording,
): Item {
  const fields = new Map<string, Data>([
    ['name', name],
    ['title', plain(title)],
  ]);
  const origin = typeof title === 'string' ? undefined : title.runs[0]?.origin;
  return {
    name,
    path,
    fields,
    computed: new Set(['name', 'title']),
    resources: [],
    prose,
    ...(words.traced && {
      origins: { block: blockOrigin(block), name: origin ?? blockOrigin(block), fields: new Map() },
    }),
  };
}
