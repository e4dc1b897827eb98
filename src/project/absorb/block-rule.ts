import { isOwnField } from '../../model/own-guard.ts';
import { sourceName } from '../../resolve/catalogue.ts';
import type { BlockDeclaration, BodyItem, StringValue, Value } from '../../syntax/ast.ts';
import { field as fieldOf, object, text as textOf } from '../../syntax/build.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printField } from '../../syntax/print-values.ts';
import { readTrivia } from '../../syntax/trivia.ts';
import { withoutSpan } from './prs-source.ts';

type Part = BodyItem & { readonly value: Value };

/**
 * A `.prs` source in which the rule that a block holds directly (fields and texts of the block itself) is an entry with
 * the name of the block, which compiles to the same. Comments stay. `undefined` where there is no such rule, or the
 * name is taken.
 */
export function nameBlockRule(text: string, file: string, block: string): string | undefined {
  const document = parseDocument({ name: file, text }, () => {});
  const blocks = document.declarations.filter(one => one.kind === 'block' && one.name === block);
  const items = (blocks as BlockDeclaration[]).flatMap(({ body }) => body.items);
  const holders = (blocks as BlockDeclaration[]).map(({ body }) => body.items.filter(isPartOf(block)));
  const [parts, ...others] = holders.filter(own => own.length > 0);
  const isTaken = items.some(item => item.kind === 'field' && item.key === block);
  const fields = parts && others.length === 0 && !isTaken ? fieldsOf(parts, block) : undefined;
  if (!fields) return undefined;
  const notes = { trivia: readTrivia(document), comments: new Map() };
  let next = text;
  for (const part of parts!.toReversed()) {
    const { start, end } = part.span;
    const indent = /^\s*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))![0];
    const hasComment = /^[^\S\n]*#/.test(text.slice(end));
    if (part === parts![0])
      next =
        next.slice(0, start) + printField(fieldOf(block, object(fields)), indent, notes) + next.slice(end);
    else if (hasComment) next = next.slice(0, start) + next.slice(end).trimStart();
    else next = withoutSpan(next, part.span);
  }
  return next;
}

const isPartOf =
  (block: string) =>
  (item: BodyItem): item is Part =>
    item.kind === 'text' ||
    (item.kind === 'field' &&
      item.value !== undefined &&
      item.value.kind !== 'object' &&
      isOwnField(block, item.key));

/** The fields of the entry; several texts become one. */
function fieldsOf(parts: readonly Part[], block: string): (readonly [string, Value])[] | undefined {
  const fields: (readonly [string, Value])[] = [];
  const texts: Value[] = [];
  for (const part of parts)
    if (part.kind === 'field' && part.key !== 'content')
      fields.push([sourceName(block, part.key), part.value]);
    else texts.push(part.value);
  const isString = (value: Value): value is StringValue => value.kind === 'string';
  if (!texts.every(isString)) return undefined;
  if (texts.length === 1) fields.push(['content', texts[0]!]);
  else if (texts.length > 1) fields.push(['content', textOf(texts.map(({ value }) => value).join('\n\n'))]);
  return fields;
}
