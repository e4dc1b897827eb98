import type { Entry, Node, Parameter, ResolvedBlock, ScalarNode } from '../resolve/program.ts';
import { sectionTitles } from '../resolve/section-titles.ts';
import { leadingHeadingDepth, rewordHeadings } from '../text/headings.ts';
import { labelOf, titleOf } from '../text/title.ts';
import { joinTexts, plainText } from '../text/traced.ts';
import { scalarText } from './data.ts';
import type { Data, Item, ListItem, Prose, Text } from './model.ts';
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

/** The entries of a block in order; adjacent list items share one list. */
export function proseOf(
  block: Pick<ResolvedBlock, 'entries' | 'headers'>,
  layout: Layout,
  words: TextBuilder,
): Prose[] {
  return layOut(block.entries, layout, titlesOf(block, words), words);
}

/** The titles that `@header` gives to the sections of a block, by field key or heading. */
function titlesOf(
  block: Pick<ResolvedBlock, 'entries' | 'headers'>,
  words: TextBuilder,
): (name: string) => Text | undefined {
  const { titles } = sectionTitles(block);
  return name => {
    const title = titles.get(name);
    return title && words.text(title);
  };
}

/** `title` returns the title that the user set for a field or for a heading in a text. */
function layOut(
  entries: readonly Entry[],
  layout: Layout,
  title: (key: string) => Text | undefined,
  words: TextBuilder,
): Prose[] {
  const result: Prose[] = [];
  let open: ListItem[] | undefined;
  const add = (item: ListItem) => {
    if (open) open.push(item);
    else {
      open = [item];
      result.push({ kind: 'list', items: open });
    }
  };
  for (const entry of headedLast(entries, layout)) {
    if (isEmpty(entry.node)) continue;
    if (entry.kind === 'item' && !isBlockText(entry.node)) {
      for (const item of itemsOf(entry.node, words)) add(item);
      continue;
    }
    if (entry.kind === 'field' && !needsGroup(entry.node, layout)) {
      add(labelled(entry.key, entry.node, words, title(entry.key)));
      continue;
    }
    open = undefined;
    if (entry.kind === 'field') {
      const heading = title(entry.key) ?? words.name(titleOf(entry.key), entry.node);
      const content = groupContent(entry.node, words);
      result.push({ kind: 'group', key: entry.key, title: heading, content });
    } else {
      result.push({ kind: 'text', text: rewordHeadings(words.text(entry.node as ScalarNode), title) });
    }
  }
  return result;
}

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

function isEmpty(node: Node): boolean {
  if (node.kind === 'scalar') return scalarText(node).trim() === '';
  return node.kind === 'list' ? node.items.every(isEmpty) : [...node.fields.values()].every(isEmpty);
}

function needsGroup(node: Node, layout: Layout): boolean {
  if (isBlockText(node)) return true;
  // A triple-quoted text is a text even if it has only one line.
  if (node.kind === 'scalar') return layout === 'topics' && node.text;
  if (layout === 'topics') return true;
  return containsBlockText(node);
}

function containsBlockText(node: Node): boolean {
  if (node.kind === 'scalar') return isBlockText(node);
  if (node.kind === 'list') return node.items.some(containsBlockText);
  return [...node.fields.values()].some(containsBlockText);
}

function groupContent(node: Node, words: TextBuilder): Prose[] {
  if (node.kind === 'scalar') return [{ kind: 'text', text: words.text(node) }];
  if (node.kind === 'list') {
    return layOut(
      node.items.map(item => ({ kind: 'item', node: item })),
      'facts',
      () => undefined,
      words,
    );
  }
  const entries: Entry[] = [...node.fields].map(([key, value]) => ({ kind: 'field', key, node: value }));
  return layOut(entries, 'facts', () => undefined, words);
}

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
  const prose: Prose[] = [];
  const title = titlesOf(block, words);
  for (const entry of block.entries) {
    if (entry.kind === 'field' && entry.node.kind === 'object') {
      prose.push({
        kind: 'group',
        key: entry.key,
        title: title(entry.key) ?? words.name(titleOf(entry.key), entry.node),
        content: example(entry.node.fields, words),
      });
    } else prose.push(...layOut([entry], 'facts', title, words));
  }
  return prose;
}

/** The parts of one example; fields other than description, input and output follow as facts. */
function example(fields: ReadonlyMap<string, Node>, words: TextBuilder): Prose[] {
  const prose: Prose[] = [];
  const description = fields.get('description');
  if (description?.kind === 'scalar') prose.push({ kind: 'text', text: words.text(description) });
  for (const [key, label] of [
    ['input', 'Input:'],
    ['output', 'Output:'],
  ] as const) {
    const node = fields.get(key);
    if (node?.kind !== 'scalar') continue;
    prose.push(
      { kind: 'text', text: words.name(label, node) },
      { kind: 'code', language: '', text: words.text(node) },
    );
  }
  const shown = new Set(['description', 'input', 'output']);
  const rest = [...fields].filter(([key, node]) => !shown.has(key) || node.kind !== 'scalar');
  prose.push(
    ...layOut(
      rest.map(([key, node]) => ({ kind: 'field', key, node })),
      'facts',
      () => undefined,
      words,
    ),
  );
  return prose;
}

/** Lays out the parameters that no template uses: name, value, allowed values. */
export function parameterProse(parameters: readonly Parameter[], words: TextBuilder): Prose[] {
  const items = parameters.filter(parameter => !parameter.used).map(parameter => describe(parameter, words));
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

function describe({ name, value, type, optional }: Parameter, words: TextBuilder): ListItem {
  const allowed = type && allowedValues(type);
  const parts = [
    value === undefined ? (optional ? 'not set' : '') : words.text(value),
    allowed ? `(${allowed})` : '',
  ];
  const label = value ? words.name(name, value) : name;
  return {
    label,
    text: joinTexts(
      parts.filter(part => plainText(part) !== ''),
      ' ',
    ),
  };
}

function allowedValues(type: NonNullable<Parameter['type']>): string {
  if (type.name === 'enum') return `one of ${(type.options ?? []).join(', ')}`;
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
  const fields = new Map<string, Data>([
    ['name', name],
    ['title', plainText(title)],
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
