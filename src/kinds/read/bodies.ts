import type { ItemFiles } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import { isBefore, labelledOrder, readLaidOut, templateTree } from '../../spec/template-read.ts';
import { fieldsIn, inFieldOrder, type Program } from '../../spec/template-tree.ts';

/** Fields that a body shows behind or before the content, read back; what is left is the content. */
export interface BodyRead {
  readonly content: string;
  readonly fields: ReadonlyMap<string, Data>;
}

/** Undoes the body of an item file. `has` is what its keys gave already: a body that says something else is content. */
export function readBody(
  body: string,
  file: ItemFiles | undefined,
  of: string,
  has: ReadonlyMap<string, Data>,
): BodyRead {
  const name = file?.body ?? (of === 'skills' ? 'skill' : 'content');
  const template = templateTree(`body:${name}`);
  const whole: BodyRead = { content: body, fields: new Map() };
  if (!template) return whole;
  // One line is both what a command does and all that it says.
  const line = of === 'commands' ? /^([^\n]+)\n*$/.exec(body)?.[1] : undefined;
  if (line !== undefined && fieldsIn(template).includes('description') && !has.has('description'))
    return { content: '', fields: new Map([['description', line]]) };
  const read = readText(template, body);
  const repeats = ([field, value]: [string, Data]) =>
    !has.has(field) || JSON.stringify(has.get(field)) === JSON.stringify(value);
  return [...read.fields].every(repeats) ? read : whole;
}

/** Undoes a template that shows fields around a content; a text that it did not lay out is all content. */
export function readText(template: Program, text: string): BodyRead {
  const labels = isBefore(template, 'description', 'content');
  const readAs = (tree: Program) =>
    readLaidOut(tree, text, {
      accept: (field, value) =>
        field === 'content' || (labels && field === 'description' ? isLabel(value) : isOneLine(value)),
      fields: lines => readList(lines.split('\n'), 0),
    });
  const usual = readAs(template);
  const sizeOf = (one: typeof usual) => (one === undefined ? 0 : Object.keys(one).length);
  // Labelled parts follow the order of the source.
  const reordered = inFieldOrder(template, labelledOrder(template, text));
  const other = reordered === template ? undefined : readAs(reordered);
  const read = other && sizeOf(other) >= sizeOf(usual) ? other : usual;
  if (read === undefined || Object.keys(read).length < 2) return { content: text, fields: new Map() };
  const { content, ...fields } = read;
  return { content: typeof content === 'string' ? content : '', fields: new Map(Object.entries(fields)) };
}

const isOneLine = (value: string): boolean => !value.includes('\n');

/**
 * A line above the text that is no sentence describes it. Anything else is part of the text: whoever wrote it by hand
 * meant it to be followed, and descriptions are not always read.
 */
const isLabel = (value: string): boolean =>
  /^[^\n#>|`*\-\d\s][^\n]{0,250}[^\n.!?:;,\s]$/.test(value) && !/<|@|\$/.test(value);

/** A list whose items are `key: value`, or `key:` with such a list below it. */
function readList(all: readonly string[], depth: number): Data | undefined {
  const data: Record<string, Data> = Object.create(null);
  for (let at = 0; at < all.length; ) {
    const match = /^( *)- ([A-Za-z_][\w.-]*):(?: (.+))?$/.exec(all[at]!);
    if (!match || match[1]!.length !== depth || Object.hasOwn(data, match[2]!)) return undefined;
    let next = at + 1;
    while (next < all.length && /^ */.exec(all[next]!)![0].length > depth) next++;
    if (match[3] !== undefined) {
      if (next > at + 1) return undefined;
      data[match[2]!] = match[3];
    } else {
      const below = readList(all.slice(at + 1, next), depth + 2);
      if (below === undefined || next === at + 1) return undefined;
      data[match[2]!] = below;
    }
    at = next;
  }
  return data;
}
