import { isOwnField } from '../../model/own-guard.ts';
import { sourceName } from '../../resolve/catalogue.ts';
import type { BlockDeclaration, BodyItem, Document, Field, StringValue, Value } from '../../syntax/ast.ts';
import { field as fieldOf, object, text as textOf } from '../../syntax/build.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printField } from '../../syntax/print-values.ts';
import { readTrivia, type Trivia } from '../../syntax/trivia.ts';

/**
 * A `.prs` source whose block has its own rule (fields and texts that stand in the block itself) as an entry with the
 * name of the block, which may say more: the same for every tool. Comments stay. `undefined`: there is none, or it cannot
 * be told apart from the rest.
 */
export function withNamedOwn(text: string, file: string, block: string): string | undefined {
  const document = parseDocument({ name: file, text }, () => {});
  const found = document.declarations.flatMap(one =>
    one.kind === 'block' && one.name === block ? [{ one, parts: ownParts(one) }] : [],
  );
  const [own, ...others] = found.filter(({ parts }) => parts.length > 0);
  const isTaken = found.some(({ one }) =>
    one.body.items.some(item => item.kind === 'field' && item.key === block),
  );
  if (!own || others.length > 0 || isTaken) return undefined;
  return moved(document, own.parts, block);
}

const ownParts = ({ name, body }: BlockDeclaration): (BodyItem & { readonly value: Value })[] =>
  body.items.filter(
    (item): item is BodyItem & { readonly value: Value } =>
      item.kind === 'text' ||
      (item.kind === 'field' &&
        item.value !== undefined &&
        item.value.kind !== 'object' &&
        isOwnField(name, item.key)),
  );

/** The source with some parts of a block as one entry, in the place of the first of them. */
function moved(
  document: Document,
  parts: readonly (BodyItem & { readonly value: Value })[],
  name: string,
): string | undefined {
  const { text } = document.source;
  const trivia = readTrivia(document);
  const said = asFields(parts, name);
  if (!said) return undefined;
  let next = text;
  for (const part of parts.toReversed()) {
    const { start, end } = part.span;
    const indent = /^\s*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))![0];
    const entry =
      part === parts[0] ? printField(fieldOf(name, object(said)), indent, notesOf(trivia)) : undefined;
    next = replaced(next, { start, end }, trivia.beside.get(part), entry, indent);
  }
  return next;
}

const notesOf = (trivia: Trivia) => ({ trivia, comments: new Map() });

/** The fields of the entry; texts of the block are one. */
function asFields(
  parts: readonly (BodyItem & { readonly value: Value })[],
  block: string,
): (readonly [string, Value])[] | undefined {
  const isText = (part: BodyItem) =>
    part.kind === 'text' || (part.kind === 'field' && part.key === 'content');
  const fields = parts.flatMap(part =>
    part.kind === 'field' && !isText(part)
      ? [[sourceName(block, (part as Field).key), part.value] as const]
      : [],
  );
  const texts = parts.filter(isText).map(({ value }) => value);
  if (texts.length === 0) return fields;
  if (!texts.every((value): value is StringValue => value.kind === 'string')) return undefined;
  const [first, ...others] = texts;
  const content = others.length === 0 ? first! : textOf(texts.map(({ value }) => value).join('\n\n'));
  return [...fields, ['content', content]];
}

/** A source with an entry in the place of a part, or without the lines that the part had to itself. */
function replaced(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  comment: string | undefined,
  entry: string | undefined,
  indent: string,
): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end) === -1 ? text.length : text.indexOf('\n', end);
  const isAlone =
    text.slice(lineStart, start).trim() === '' && /^\s*(?:#.*)?$/.test(text.slice(end, lineEnd));
  if (!isAlone) return `${text.slice(0, start)}${entry ?? ''}${text.slice(end)}`;
  const lines = [...(comment === undefined ? [] : [comment]), ...(entry === undefined ? [] : [entry])];
  if (lines.length > 0)
    return text.slice(0, lineStart) + lines.map(line => indent + line).join('\n') + text.slice(lineEnd);
  return text.slice(0, lineStart).replace(/\n\n$/, '\n') + text.slice(lineEnd + 1);
}
