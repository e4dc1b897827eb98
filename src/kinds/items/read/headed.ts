import type { ItemFiles } from '../../../generated/types/target.ts';
import type { Data } from '../../../model/model.ts';
import { freeName } from '../../../text/free-name.ts';
import { sectionsOf } from '../../../text/sections.ts';
import { slugOf, titleOf } from '../../../text/title.ts';
import type { MappedBlock } from '../../document/read/map.ts';
import type { Reading } from '../../kind.ts';
import type { ImportedItem } from '../../read/items.ts';
import { type MarkdownFile, trimLines } from '../../read/markdown-file.ts';
import { wholeFile } from '../../read/parts.ts';
import { readAs } from './guard-file.ts';

/** A part of a file that holds several items. */
interface Part {
  readonly name: string;
  readonly title?: string;
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The items of one file, each below a heading; a file that has anything above the first one, or other headings, is one item. */
export function readHeaded(file: MarkdownFile, place: ItemFiles, reading: Reading): readonly MappedBlock[] {
  return partsIn(file, place, reading).map(({ name, title, text, startLine, endLine }, index) => {
    const front = index === 0 ? file.front : { ...file.front, fields: new Map(), written: new Map() };
    const item = readAs(place.of, { ...file, front, body: text }, place, { ...reading, name });
    const fields = new Map<string, Data>([...(title === undefined ? [] : [['title', title] as const])]);
    if (reading.scope !== '' && !item.fields.has('applyTo')) fields.set('applyTo', [`${reading.scope}/**`]);
    const whole: ImportedItem = { ...item, fields: new Map([...fields, ...item.fields]) };
    return { ...wholeFile(whole, file.source, reading.report), startLine, endLine };
  });
}

function partsIn({ front, body, source }: MarkdownFile, { headed }: ItemFiles, { name }: Reading): Part[] {
  const lines = body.split('\n');
  const all = source.text.split(/\r\n?|\n/);
  const first = all.findIndex((line, index) => index >= front.lines && line.trim() !== '') + 1;
  const top = sectionsOf(lines).filter(({ depth }) => depth <= headed!);
  if (top[0]?.start !== 0 || top.some(({ depth }) => depth !== headed))
    return [{ name: slugOf(name) || name, text: body, startLine: first, endLine: first + lines.length - 1 }];
  const taken = new Set<string>();
  return top.map(({ title, start, body: from, end }) => {
    const key = freeName(slugOf(title) || name, key => taken.has(key));
    taken.add(key);
    return {
      name: key,
      ...(titleOf(key) !== title && { title }),
      text: trimLines(lines.slice(from, end).join('\n')),
      startLine: first + start,
      endLine: first + end - 1,
    };
  });
}
