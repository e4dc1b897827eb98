import type { ImportedParameter } from '../../kinds/document/read/contents.ts';
import { isDefaultTitle, type MappedBlock } from '../../kinds/document/read/map.ts';
import type { Data } from '../../model/model.ts';
import type { BlockDeclaration, BodyItem, Declaration, Document, Value } from '../../syntax/ast.ts';
import {
  block,
  documentOf,
  emptySpan,
  field,
  header,
  item,
  list,
  object,
  str,
  text,
  textItem,
  withReferences,
} from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import type { Comments } from '../../syntax/print-notes.ts';
import { hasReference } from '../../text/variables.ts';
import { newestSyntax } from '../../text/version.ts';

export interface ImportedDocument {
  readonly document: Document;
  readonly comments: Comments;
}

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
  if (content.kind === 'fields') return [field(key ?? '', fieldsValue(content.fields))];
  if (content.kind === 'parameters') return content.parameters.map(parameterField);
  if (blockTitle !== undefined) items.push(header(blockTitle));
  if (titlesBlock && title !== undefined) items.push(header(title));
  if (key !== undefined) {
    if (title !== undefined && identifier.test(key) && !isDefaultTitle(key, title))
      items.push(header(title, key));
    if (content.kind === 'text') items.push(field(key, text(content.text)));
    else if (content.kind === 'items') items.push(field(key, list(content.items.map(str))));
    else items.push(field(key, object(content.pairs.map(([name, value]) => [name, str(value)]))));
    return items;
  }
  if (content.kind === 'text') return content.text.trim() === '' ? items : [...items, textItem(content.text)];
  if (content.kind === 'items') return [...items, ...content.items.map(entry => item(str(entry)))];
  return [
    ...items,
    ...content.pairs.map(([name, value]) => field(name, content.listed ? listedCommand(value) : str(value))),
  ];
}

/** A command in a list has no file of its own: it stays in the list. */
const listedCommand = (text: string): Value =>
  object([
    ['prompt', { kind: 'boolean', value: false, span: emptySpan }],
    ['description', str(text)],
  ]);

const parameterField = ({ name, value, type }: ImportedParameter): BodyItem => ({
  ...field(name, valueFrom(value)),
  ...(type && { type }),
});

const fieldsValue = (fields: ReadonlyMap<string, Data>): Value =>
  object(
    [...fields].map(([name, data]) => [name, name === 'content' ? text(String(data)) : valueFrom(data)]),
  );

/** Data as a value. A string in which variables would be expanded is written as text. */
function valueFrom(data: Data): Value {
  if (data === null) return { kind: 'null', span: emptySpan };
  if (typeof data === 'string' && hasReference(data)) return withReferences(data);
  if (typeof data === 'string') return data.includes('\n') || data.includes('${') ? text(data) : str(data);
  if (typeof data === 'boolean') return { kind: 'boolean', value: data, span: emptySpan };
  if (typeof data === 'number') return { kind: 'number', value: data, raw: String(data), span: emptySpan };
  if (Array.isArray(data)) return list(data.map(valueFrom));
  return object(Object.entries(data).map(([key, value]) => [key, valueFrom(value)]));
}

/** A separate file: `@meta` and the blocks. */
export function toDocument(id: string, parts: readonly MappedBlock[]): ImportedDocument {
  const comments = new Map<Declaration | BodyItem, string>();
  return { document: documentOf([metaBlock(id), ...blocksOf(parts, comments)]), comments };
}

/** The `@meta` of a new source. */
export const metaBlock = (id: string): BlockDeclaration =>
  block('meta', [field('id', str(id)), field('syntax', str(newestSyntax))]);

/** The text of the `.prs` file. */
export const printImported = ({ document, comments }: ImportedDocument): string =>
  printDocument(document, comments);
