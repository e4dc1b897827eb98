import type { ImportedParameter } from '../../kinds/document/read/map.ts';
import { isDefaultTitle, type MappedBlock } from '../../kinds/document/read/map.ts';
import type { Data } from '../../model/model.ts';
import type { BlockDeclaration, BodyItem, Declaration, Field, Value } from '../../syntax/ast.ts';
import {
  block,
  documentOf,
  field,
  header,
  item,
  list,
  object,
  str,
  text,
  textItem,
  value,
} from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { newestSyntax } from '../../text/version.ts';

/** Identifiers can be section keys in `@header`; other keys are their own titles. */
const identifier = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Groups the parts of a file by block, in order of first appearance. */
function blocksOf(
  parts: readonly MappedBlock[],
  comments: Map<Declaration | BodyItem, string>,
): BlockDeclaration[] {
  const bodies = new Map<string, BodyItem[]>();
  for (const part of parts) {
    const body = bodies.get(part.block) ?? [];
    bodies.set(part.block, body);
    const items = itemsOf(part);
    if (part.review !== undefined && items[0])
      comments.set(
        items[0],
        part.review
          .split('\n')
          .map((line, index) => (index === 0 || line.startsWith('only in ') ? `REVIEW: ${line}` : line))
          .join('\n'),
      );
    body.push(...items);
  }
  return [...bodies].map(([name, items]) => block(name, items));
}

function itemsOf({ key, title, titlesBlock, blockTitle, content }: MappedBlock): BodyItem[] {
  const items: BodyItem[] = [];
  if (content.kind === 'fields') return [entryField(key ?? '', content.fields)];
  if (content.kind === 'parameters') return content.parameters.map(parameterField);
  if (blockTitle !== undefined) items.push(header(blockTitle));
  if (titlesBlock && title !== undefined) items.push(header(title));
  if (key !== undefined) {
    if (title !== undefined && identifier.test(key) && !isDefaultTitle(key, title))
      items.push(header(title, key));
    if (content.kind === 'text') items.push(field(key, text(content.text)));
    else if (content.kind === 'items') items.push(field(key, list(content.items.map(str))));
    else items.push(field(key, object(content.pairs.map(([name, words]) => [name, str(words)]))));
    return items;
  }
  if (content.kind === 'text') return content.text.trim() === '' ? items : [...items, textItem(content.text)];
  if (content.kind === 'items') return [...items, ...content.items.map(entry => item(str(entry)))];
  return [
    ...items,
    ...content.pairs.map(([name, words]) => field(name, content.listed ? listedCommand(words) : str(words))),
  ];
}

/** A command in a list has no file of its own: it stays in the list. */
const listedCommand = (text: string): Value =>
  object([
    ['prompt', value(false)],
    ['description', str(text)],
  ]);

const parameterField = ({ name, value: data, type }: ImportedParameter): BodyItem => ({
  ...field(name, value(data)),
  ...(type && { type }),
});

/** An entry with fields. Its content is a text, and comes last. */
export function entryField(key: string, fields: Iterable<readonly [string, Data]>): Field {
  const { content, ...others } = Object.fromEntries(fields);
  return field(
    key,
    object([
      ...Object.entries(others).map(([name, data]) => [name, value(data)] as const),
      ...(content === undefined ? [] : [['content', text(String(content))] as const]),
    ]),
  );
}

/** An entry for some tools only; other parts have no place for their names. */
export function forTools(part: MappedBlock, targets: readonly string[]): MappedBlock {
  if (part.content.kind !== 'fields') return part;
  const fields = new Map<string, Data>([...part.content.fields, ['targets', [...targets]]]);
  return { ...part, content: { kind: 'fields', fields } };
}

/** The text of a `.prs` file: `@meta`, and the parts as blocks. */
export function printParts(id: string, parts: readonly MappedBlock[]): string {
  const comments = new Map<Declaration | BodyItem, string>();
  return printDocument(documentOf([metaBlock(id), ...blocksOf(parts, comments)]), comments);
}

/** The `@meta` of a new source. */
export const metaBlock = (id: string): BlockDeclaration =>
  block('meta', [field('id', str(id)), field('syntax', str(newestSyntax))]);
