import { childrenOf } from '../resolve/draft.ts';
import type { Entry, Node, Parameter, ResolvedBlock, ScalarNode } from '../resolve/program.ts';
import { sectionTitles } from '../resolve/section-titles.ts';
import { leadingHeadingDepth, rewordHeadings } from '../text/headings.ts';
import { labelOf, titleOf } from '../text/title.ts';
import { joinTexts, plainText } from '../text/traced.ts';
import { scalarText } from './data.ts';
import type { Item, ListItem, Prose, Text } from './model.ts';
import { blockOrigin, pathSegment } from './origin.ts';
import type { TextBuilder } from './text-builder.ts';
import { fileNameOf } from './written-item.ts';

/** How fields are laid out: `topics` gives lists and texts headings, `facts` prefers labelled list items. */
type Layout = 'topics' | 'facts';

/** Whether a string needs lines of its own, because it would break a list item or table cell. */
const isBlockText = (node: Node): boolean =>
  node.kind === 'scalar' && typeof node.value === 'string' && node.value.includes('\n');

const isShort = (node: Node): boolean =>
  node.kind === 'scalar' &&
  !isBlockText(node) &&
  !/[,;]|\s\S+\s/.test(scalarText(node)) &&
  scalarText(node).length <= 40;

/** The title that the user set for a field or for a heading in a text. */
type TitleOf = (name: string) => Text | undefined;

/** The entries of a block in order; adjacent list items share one list. */
export function proseOf(
  block: Pick<ResolvedBlock, 'entries' | 'headers'>,
  layout: Layout,
  words: TextBuilder,
): Prose[] {
  return layOut(block.entries, layout, words, titlesOf(block, words));
}

/** The titles that `@header` gives to the sections of a block. */
function titlesOf(block: Pick<ResolvedBlock, 'entries' | 'headers'>, words: TextBuilder): TitleOf {
  const { titles } = sectionTitles(block);
  return name => {
    const title = titles.get(name);
    return title && words.text(title);
  };
}

function layOut(
  entries: readonly Entry[],
  layout: Layout,
  words: TextBuilder,
  title: TitleOf = () => undefined,
): Prose[] {
  const result: Prose[] = [];
  let open: ListItem[] | undefined;
  const add = (...items: readonly ListItem[]) => {
    if (!open) {
      open = [];
      result.push({ kind: 'list', items: open });
    }
    open.push(...items);
  };
  for (const entry of headedLast(entries, layout)) {
    if (isEmpty(entry.node)) continue;
    if (entry.kind === 'item' && !isBlockText(entry.node)) add(...itemsOf(entry.node, words));
    else if (entry.kind === 'field' && !needsGroup(entry.node, layout))
      add(labelled(entry.key, entry.node, words, title(entry.key)));
    else {
      open = undefined;
      if (entry.kind === 'field')
        result.push(group(entry.key, entry.node, groupContent(entry.node, words), words, title));
      else result.push({ kind: 'text', text: rewordHeadings(words.text(entry.node as ScalarNode), title) });
    }
  }
  return result;
}

const group = (
  key: string,
  node: Node,
  content: readonly Prose[],
  words: TextBuilder,
  title: TitleOf,
): Prose => ({ kind: 'group', key, title: title(key) ?? words.name(titleOf(key), node), content });

/**
 * Moves text without a heading above the first field that gets one, because it would appear to belong to that
 * field. Text with headings stays.
 */
function headedLast(entries: readonly Entry[], layout: Layout): readonly Entry[] {
  const isField = (entry: Entry) => entry.kind === 'field' && needsGroup(entry.node, layout);
  const first = entries.findIndex(isField);
  if (first === -1) return entries;
  const isHeaded = (entry: Entry) =>
    isField(entry) || (entry.kind === 'text' && leadingHeadingDepth(scalarText(entry.node)) > 0);
  const later = entries.slice(first);
  if (later.every(isHeaded)) return entries;
  return [...entries.slice(0, first), ...later.filter(entry => !isHeaded(entry)), ...later.filter(isHeaded)];
}

const isEmpty = (node: Node): boolean =>
  node.kind === 'scalar' ? scalarText(node).trim() === '' : childrenOf(node).every(isEmpty);

function needsGroup(node: Node, layout: Layout): boolean {
  // A triple-quoted text is a text even if it has only one line.
  if (layout === 'topics' && (node.kind !== 'scalar' || node.text)) return true;
  return containsBlockText(node);
}

const containsBlockText = (node: Node): boolean =>
  isBlockText(node) || childrenOf(node).some(containsBlockText);

function groupContent(node: Node, words: TextBuilder): Prose[] {
  if (node.kind === 'scalar') return [{ kind: 'text', text: words.text(node) }];
  const entries =
    node.kind === 'list'
      ? node.items.map((item): Entry => ({ kind: 'item', node: item }))
      : fieldEntries(node.fields);
  return layOut(entries, 'facts', words);
}

const fieldEntries = (fields: Iterable<readonly [string, Node]>): Entry[] =>
  [...fields].map(([key, node]) => ({ kind: 'field', key, node }));

function itemsOf(node: Node, words: TextBuilder): ListItem[] {
  if (node.kind === 'scalar') return [{ text: words.text(node) }];
  if (node.kind === 'list') return node.items.flatMap(item => itemsOf(item, words));
  return [...node.fields].map(([key, value]) => labelled(key, value, words));
}

function labelled(
  key: string,
  node: Node,
  words: TextBuilder,
  label = words.name(labelOf(key), node),
): ListItem {
  if (node.kind === 'scalar') return { label, text: words.text(node) };
  if (node.kind === 'list' && node.items.every(isShort)) {
    const texts = node.items.map(item => words.text(item as ScalarNode));
    return { label, text: joinTexts(texts, ', ') };
  }
  return { label, items: itemsOf(node, words) };
}

/** Lays out `@examples`: a heading for each example, then its description, input and output as code. */
export function exampleProse(block: ResolvedBlock, words: TextBuilder): Prose[] {
  const title = titlesOf(block, words);
  return block.entries.flatMap(entry =>
    entry.kind === 'field' && entry.node.kind === 'object'
      ? [group(entry.key, entry.node, example(entry.node.fields, words), words, title)]
      : layOut([entry], 'facts', words, title),
  );
}

/** The parts of one example; fields other than description, input and output follow as facts. */
function example(fields: ReadonlyMap<string, Node>, words: TextBuilder): Prose[] {
  const others = new Map(fields);
  const take = (key: string, make: (node: ScalarNode) => Prose[]): Prose[] => {
    const node = others.get(key);
    if (node?.kind !== 'scalar') return [];
    others.delete(key);
    return make(node);
  };
  const code =
    (label: string) =>
    (node: ScalarNode): Prose[] => [
      { kind: 'text', text: words.name(label, node) },
      { kind: 'code', language: '', text: words.text(node) },
    ];
  return [
    ...take('description', node => [{ kind: 'text', text: words.text(node) }]),
    ...take('input', code('Input:')),
    ...take('output', code('Output:')),
    ...layOut(fieldEntries(others), 'facts', words),
  ];
}

/** Lays out the parameters that no template uses: name, value, allowed values. */
export function parameterProse(parameters: readonly Parameter[], words: TextBuilder): Prose[] {
  const items = parameters.filter(parameter => !parameter.used).map(parameter => describe(parameter, words));
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

function describe({ name, value, type, optional }: Parameter, words: TextBuilder): ListItem {
  const allowed = type && allowedValues(type);
  const parts = [value ? words.text(value) : optional ? 'not set' : '', allowed ? `(${allowed})` : ''];
  const filled = parts.filter(part => plainText(part) !== '');
  return { label: value ? words.name(name, value) : name, text: joinTexts(filled, ' ') };
}

function allowedValues(type: NonNullable<Parameter['type']>): string {
  if (type.name === 'enum') return `one of ${type.options.join(', ')}`;
  if (type.name === 'range') return `${type.low} to ${type.high}`;
  if (type.name === 'boolean') return 'true or false';
  return '';
}

/**
 * Each field of @standards as an item, for targets with one rule file per topic. The rest becomes the topic
 * `general`.
 */
export function topicsOf(block: ResolvedBlock, content: readonly Prose[], words: TextBuilder): Item[] {
  const general: Prose[] = [];
  const topics = content.flatMap(prose => {
    const name = prose.kind === 'group' ? fileNameOf(prose.key) : '';
    if (prose.kind === 'group' && name !== '') {
      const path = `standards.${pathSegment(prose.key)}`;
      return [topic(name, prose.title ?? name, path, prose.content, block, words)];
    }
    general.push(prose);
    return [];
  });
  if (general.length === 0) return topics;
  return [topic('general', words.name('General', block), 'standards', general, block, words), ...topics];
}

function topic(
  name: string,
  title: Text,
  path: string,
  prose: readonly Prose[],
  block: ResolvedBlock,
  words: TextBuilder,
): Item {
  const origin = blockOrigin(block);
  const titleOrigin = typeof title === 'string' ? undefined : title.runs[0]?.origin;
  return {
    name,
    path,
    fields: new Map([
      ['name', name],
      ['title', plainText(title)],
    ]),
    computed: new Set(['name', 'title']),
    resources: [],
    prose,
    ...(words.traced && { origins: { block: origin, name: titleOrigin ?? origin, fields: new Map() } }),
  };
}
