import { findBlock } from '../resolve/catalogue.ts';
import { contentOf } from '../resolve/draft.ts';
import { printNodePath } from '../resolve/path.ts';
import type { Node, Program, ResolvedBlock } from '../resolve/program.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { collectionOf, itemsOfEach } from './collections.ts';
import { scalarText, strings } from './data.ts';
import { composeVariants } from './guards.ts';
import { takeAudience } from './make-item.ts';
import type { Data, DocumentText, Model, Prose, Section, Text, Unplaced } from './model.ts';
import { blockOrigin } from './origin.ts';
import { exampleProse, parameterProse, proseOf, topicsOf } from './prose.ts';
import { takeItems } from './take-items.ts';
import { plainTextBuilder, type TextBuilder, tracedTextBuilder } from './text-builder.ts';
import { fieldData, ownFieldData } from './typed.ts';

interface ModelOptions {
  /** How many levels of `requires` of guards are followed. */
  readonly guardRequiresDepth: number;
  readonly trace?: boolean;
}

const silent: ReadonlySet<string> = new Set(['meta', 'params', 'local', 'documents']);

/**
 * Converts a resolved program to the portable model. Reports names that are not valid file names or differ
 * only in case.
 */
export function buildModel(program: Program, options: ModelOptions, report: Report): Model {
  const items = { ...itemsOfEach(() => []) };
  const sections: Section[] = [];
  const unplaced: Unplaced[] = [];
  const words = options.trace ? tracedTextBuilder(program) : plainTextBuilder;
  for (const block of program.blocks.values()) {
    if (silent.has(block.name)) continue;
    const collection = collectionOf(block.name);
    const taken = collection
      ? takeItems({ program, block, collection, words, unplaced, report })
      : { items: [], rest: block.entries };
    if (collection) items[collection] = [...items[collection], ...taken.items];
    const content = contentOfBlock({ ...block, entries: taken.rest }, words);
    if (content.length > 0) sections.push(sectionOf(block, content, words));
    if (block.name === 'standards') items.topics = topicsOf(block, content, words);
  }
  const parameters = parameterProse(program.parameters, words);
  if (parameters.length > 0) sections.push({ key: 'params', path: 'params', content: parameters });
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
    titles: titlesOfBlocks(program, words),
    local: local ? proseOf(local, 'topics', words) : [],
    ...(words.traced && { metaOrigins: metaOrigins(program) }),
    unplaced,
  };
}

function titlesOfBlocks({ blocks }: Program, words: TextBuilder): ReadonlyMap<string, Text> {
  const titles = new Map<string, Text>();
  for (const { name, headers } of blocks.values()) {
    const title = headers.get('');
    if (title) titles.set(name, words.text(title));
  }
  return titles;
}

const metaOrigins = ({ meta }: Program) =>
  new Map([...meta].map(([key, node]) => [key, [{ path: `meta.${key}`, node }]] as const));

const contentOfBlock = (block: ResolvedBlock, words: TextBuilder): readonly Prose[] =>
  block.name === 'examples'
    ? exampleProse(block, words)
    : proseOf(block, block.name === 'standards' ? 'topics' : 'facts', words);

function sectionOf(block: ResolvedBlock, content: readonly Prose[], words: TextBuilder): Section {
  const title = block.headers.get('');
  return {
    key: block.name,
    path: block.name,
    content,
    ...(title && { title: words.text(title) }),
    ...(words.traced && { origin: blockOrigin(block) }),
  };
}

function documentTexts({ entries }: ResolvedBlock, words: TextBuilder): DocumentText[] {
  return entries.flatMap(entry => {
    const path = entry.kind === 'field' ? printNodePath(['documents', entry.key]) : 'documents';
    const content = contentOf(entry.node);
    if (content?.kind !== 'scalar' || scalarText(content).trim() === '') return [];
    const fields = new Map<string, Data>(
      entry.node.kind === 'object'
        ? [...entry.node.fields].map(([key, node]) => [key, fieldData('documents', key, node)])
        : [],
    );
    fields.delete('content');
    const audience = takeAudience(fields);
    const into = strings(fields.get('into'));
    fields.delete('into');
    const origin = originOf(content);
    const head = into.length > 0 ? headOf(content) : '';
    return [
      {
        path,
        text: words.text(content),
        fields,
        ...(audience && { audience }),
        ...(into.length > 0 && { into: [...new Set(into)] }),
        ...(origin && { origin }),
        ...(head !== '' && { head }),
      },
    ];
  });
}

function originOf({ steps }: Node): DocumentText['origin'] {
  const { span, layer } = steps[0]!;
  if (layer.remote) return undefined;
  const { source, start, end } = span;
  return { file: source.name, text: source.text.slice(start, end) };
}

/** Front matter that contains a key unknown to this compiler, and the empty lines after it. */
function headOf({ steps }: Node): string {
  const { source, start } = steps[0]!.span;
  const written = source.text.slice(0, start).replace(/\r\n/g, '\n');
  if (!/^\ufeff?---[ \t]*\n/.test(written)) return '';
  const left = written.replace(/^(?:targets|except)[ \t]*:.*\n(?:(?:[ \t]+\S|-[ \t]).*\n)*/gm, '');
  return /^\ufeff?---[ \t]*\n\s*---\s*$/.test(left) ? '' : left.replace(/^\ufeff/, '');
}

/** Names of items that a user has disabled for themselves. */
export interface Disabled {
  readonly servers: readonly string[];
  readonly skills: readonly string[];
}

/** The model without the given servers and skills. */
export function withoutDisabled(model: Model, { servers, skills }: Disabled): Model {
  const { items } = model;
  return {
    ...model,
    items: {
      ...items,
      mcpServers: items.mcpServers.filter(({ name }) => !servers.includes(name)),
      skills: items.skills.filter(({ name }) => !skills.includes(name)),
    },
  };
}
