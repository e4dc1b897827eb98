import { type MarkedProgram, pathSegment, readMarks, type WrittenLine } from '../../resolve/marks.ts';
import type { Program } from '../../resolve/program.ts';
import { positionAt } from '../../text/source.ts';
import { labelOf, titleOf } from '../../text/title.ts';

/** What a line of an output is traced with: the program it was made of, and the same output of the marked program. */
export interface Traced {
  readonly marked: MarkedProgram;
  readonly program: Program;
  readonly markedText: string;
}

/** The marks in a line; where there are none, the lines of the same part of the program that say what it says. */
export async function sourcesOf(
  planned: readonly string[],
  at: number,
  made: Traced,
): Promise<WrittenLine[]> {
  const { lines } = made.marked;
  const marks = await alignMarks(planned, made.markedText);
  const own = marks[at] ?? [];
  if (own.length > 0) return own.flatMap(mark => lines[mark] ?? []);
  const below = marks.findIndex((found, index) => index > at && found.length > 0);
  const above = marks.findLastIndex((found, index) => index < at && found.length > 0);
  const near = [below, above].flatMap(index => (marks[index] ?? []).flatMap(mark => lines[mark]?.path ?? []));
  const parts = near.map(partOf);
  const text = planned[at]!;
  const sameLine = lines.filter(
    written => written.text === text.trim() && parts.includes(partOf(written.path)),
  );
  if (sameLine.length > 0) return [closest(sameLine, lines, marks[above]?.at(-1))];
  const named = keysIn(text, near, made.program);
  if (named.length > 0) return named;
  const wrapped = partOfNext(text, lines, marks[below]?.[0]);
  if (wrapped) return [wrapped];
  const said = wordsIn(text, lines);
  const close = said.filter(({ path }) => parts.includes(partOf(path)));
  if (close.length > 0) return close;
  const blocks = near.map(blockOf);
  if (blocks.length > 0) return said.filter(({ path }) => blocks.includes(blockOf(path)));
  // Nothing around it says where the file is from: only what makes up the whole line is no coincidence.
  const alone = /^(?:\s*- |[\w-]+: )?["']?(.*?)["']?$/.exec(text)![1]!;
  return partsIn(text, lines).filter(one => one.text === alone || /^\s*["{[]/.test(text));
}

/** `skills.review.content` is part of `skills.review`. */
const partOf = (path: string): string =>
  /^[^.[]+(?:\.(?:"(?:[^"\\]|\\.)*"|[^.[]+)|\[\d+\])?/.exec(path)?.[0] ?? path;

const blockOf = (path: string): string => /^[^.[]+/.exec(path)![0];

/** Of equal lines, the first behind the last marked one. */
function closest(
  found: readonly WrittenLine[],
  lines: readonly WrittenLine[],
  mark: number | undefined,
): WrittenLine {
  const before = mark ?? -1;
  return found.find(one => lines.indexOf(one) > before) ?? found[0]!;
}

/** A mark stands at the end of what it marks: lines that the formatter wrapped before its last one have none. */
function partOfNext(
  text: string,
  lines: readonly WrittenLine[],
  mark: number | undefined,
): WrittenLine | undefined {
  const next = mark === undefined ? undefined : lines[mark];
  const words = text.replace(/^[\s>]*(?:(?:[-*+]|\d+[.)]) +)?/, '').trimEnd();
  return next && words !== '' && wholeWord(next.text, words) !== -1 ? next : undefined;
}

/** Marks may change how a line is quoted or wrapped; then the lines that stayed the same are matched first. */
async function alignMarks(planned: readonly string[], markedText: string): Promise<(readonly number[])[]> {
  const read = markedText.split('\n').map(readMarks);
  if (read.length === planned.length) return read.map(({ marks }) => marks);
  const { diffArrays } = await import('diff');
  const marks: (readonly number[])[] = [];
  let at = 0;
  for (const { added, removed, count } of diffArrays(
    [...planned],
    read.map(({ text }) => text),
  )) {
    if (added) at += count;
    else if (removed) for (let n = 0; n < count; n++) marks.push([]);
    else for (let n = 0; n < count; n++) marks.push(read[at++]!.marks);
  }
  return marks;
}

/** A heading, label or name that was made of a key stands for the declaration of that key; a title, for its block. */
function keysIn(text: string, near: readonly string[], program: Program): WrittenLine[] {
  const words = text.replace(/^[\s#>*<-]+|[\s:*>]+$/g, '').replace(/^name: */, '');
  const blocks = [...new Set(near.map(blockOf))];
  for (const name of blocks) {
    for (const entry of program.blocks.get(name)?.entries ?? []) {
      const step = entry.node.steps[0];
      if (entry.kind !== 'field' || !step) continue;
      if (![entry.key, titleOf(entry.key), labelOf(entry.key)].includes(words)) continue;
      return [keyLine(`${name}.${pathSegment(entry.key)}`, entry.key, step)];
    }
  }
  const titled = /^(?:## |<[\w-]+>$)/.test(text) ? blocks[0] : undefined;
  const step = titled === undefined ? undefined : program.blocks.get(titled)?.steps[0];
  return step ? [keyLine(titled!, `@${titled}`, step)] : [];
}

const keyLine = (path: string, text: string, step: WrittenLine['step']): WrittenLine => ({
  path,
  text,
  step,
  ...positionAt(step.span.source, step.span.start),
});

/** The texts that stand in a line as whole words: longer ones first, and nothing that lies within those. */
function wordsIn(line: string, lines: readonly WrittenLine[]): WrittenLine[] {
  const byText = new Map<string, WrittenLine[]>();
  for (const one of lines) {
    if (!line.includes(one.text) || !/[\p{L}\p{N}]/u.test(one.text)) continue;
    const known = byText.get(one.text);
    if (known) known.push(one);
    else byText.set(one.text, [one]);
  }
  const found: { readonly at: number; readonly lines: readonly WrittenLine[] }[] = [];
  let rest = line;
  const texts = [...byText.keys()].sort((a, b) => b.length - a.length);
  for (const text of texts) {
    const at = wholeWord(rest, text);
    if (at === -1) continue;
    found.push({ at, lines: byText.get(text)! });
    rest = `${rest.slice(0, at)}${'\0'.repeat(text.length)}${rest.slice(at + text.length)}`;
  }
  return found.sort((a, b) => a.at - b.at).flatMap(one => one.lines);
}

/** What a line of a settings file says, from the one part of the program that its longest text belongs to. */
export function partsIn(line: string, lines: readonly WrittenLine[]): WrittenLine[] {
  const said = wordsIn(line, lines);
  const longest = Math.max(0, ...said.map(({ text }) => text.length));
  const parts = said.flatMap(({ path, text }) => (text.length === longest ? [partOf(path)] : []));
  return said.filter(({ path }) => parts.includes(partOf(path)));
}

function wholeWord(line: string, text: string): number {
  const inWord = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_\0]/u.test(character);
  for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + 1)) {
    if (!inWord(line[at - 1]) && !inWord(line[at + text.length])) return at;
  }
  return -1;
}
