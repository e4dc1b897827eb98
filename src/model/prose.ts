import type { Entry, Node, ResolvedBlock, ScalarNode } from '../resolve/program.ts';
import { sectionTitles } from '../resolve/section-titles.ts';
import { leadingHeading, rewordHeadings } from '../text/headings.ts';
import { labelOf, titleOf } from '../text/title.ts';
import { joinTexts } from '../text/traced.ts';
import { scalarText } from './data.ts';
import type { ListItem, Prose } from './model.ts';
import type { Text } from './origin.ts';
import type { Wording } from './wording.ts';

/**
 * How the fields of a block are laid out: `topics` gives each list and each text a heading of its own,
 * `facts` prefers labelled list items.
 */
export type Layout = 'topics' | 'facts';

/** A string that needs lines of its own: a list item or table cell would break it. */
const isBlockText = (node: Node): boolean =>
  node.kind === 'scalar' && typeof node.value === 'string' && node.value.includes('\n');

const isShort = (node: Node): boolean =>
  node.kind === 'scalar' &&
  !isBlockText(node) &&
  !/[,;]|\s\S+\s/.test(scalarText(node)) &&
  scalarText(node).length <= 40;

/** Entries of a block in order; neighbours that make list items share one list. */
export function proseOf(
  block: Pick<ResolvedBlock, 'entries' | 'headers'>,
  layout: Layout,
  words: Wording,
): Prose[] {
  return layOut(block.entries, layout, titlesOf(block, words), words);
}

/** The wording that `@header` gives to the sections of a block, by field key or heading. */
export function titlesOf(
  block: Pick<ResolvedBlock, 'entries' | 'headers'>,
  words: Wording,
): (name: string) => Text | undefined {
  const { titles } = sectionTitles(block);
  return name => {
    const title = titles.get(name);
    return title && words.text(title);
  };
}

/** `title` gives the wording of a field, or of a heading in a text, when the user set one. */
export function layOut(
  entries: readonly Entry[],
  layout: Layout,
  title: (key: string) => Text | undefined,
  words: Wording,
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
 * A heading takes everything below it, so what has none moves above the first field that gets one. A text that begins
 * with a heading of its own stays where it is.
 */
function headedLast(entries: readonly Entry[], layout: Layout): readonly Entry[] {
  const isField = (entry: Entry) => entry.kind === 'field' && needsGroup(entry.node, layout);
  const first = entries.findIndex(isField);
  if (first === -1) return entries;
  const isHeaded = (entry: Entry) =>
    isField(entry) || (entry.kind === 'text' && leadingHeading(scalarText(entry.node)) > 0);
  const later = entries.slice(first);
  if (later.every(isHeaded)) return entries;
  return [...entries.slice(0, first), ...later.filter(entry => !isHeaded(entry)), ...later.filter(isHeaded)];
}

/** Nothing to show: an empty list, an empty object, `null` or blank text. */
function isEmpty(node: Node): boolean {
  if (node.kind === 'scalar') return scalarText(node).trim() === '';
  return node.kind === 'list' ? node.items.every(isEmpty) : [...node.fields.values()].every(isEmpty);
}

function needsGroup(node: Node, layout: Layout): boolean {
  if (isBlockText(node)) return true;
  // A text between triple quotes is a text, also when it has one line.
  if (node.kind === 'scalar') return layout === 'topics' && node.text;
  if (layout === 'topics') return true;
  return containsBlockText(node);
}

function containsBlockText(node: Node): boolean {
  if (node.kind === 'scalar') return isBlockText(node);
  if (node.kind === 'list') return node.items.some(containsBlockText);
  return [...node.fields.values()].some(containsBlockText);
}

/** The content below the heading of a field. */
function groupContent(node: Node, words: Wording): Prose[] {
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

function itemsOf(node: Node, words: Wording): ListItem[] {
  if (node.kind === 'scalar') return [{ text: words.text(node) }];
  if (node.kind === 'list') return node.items.flatMap(item => itemsOf(item, words));
  return [...node.fields].map(([key, value]) => labelled(key, value, words));
}

function labelled(key: string, node: Node, words: Wording, label = words.name(labelOf(key), node)): ListItem {
  if (node.kind === 'scalar') return { label, text: words.text(node) };
  if (node.kind === 'list' && node.items.every(isShort)) {
    const texts = node.items.map(item => words.text(item as ScalarNode));
    return { label, text: joinTexts(texts, ', ') };
  }
  return { label, items: itemsOf(node, words) };
}
