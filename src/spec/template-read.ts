import type { Data, Fields } from '../model/model.ts';
import type { Operand, TemplatePart } from './template.ts';

/** What a template read out of a text: values by the names it mentions. */
export type ReadBack = Readonly<Record<string, Data>>;

/** How texts are read back with a template. */
export interface Reading {
  /** Whether a text can be the value of a field; the place is tried further on when it cannot. */
  readonly accept?: (field: string, text: string) => boolean;
  /** Reads what the helper `fields` lays out, the whole of a run of lines; `undefined` when it is something else. */
  readonly fields?: (lines: string) => Data | undefined;
}

/** Where the reader stands. Continuations make it go back to the next possibility when what follows does not fit. */
interface Position {
  readonly at: number;
  /** Values found so far; names that are missing are free. */
  readonly found: Fields;
  /** Where the lines of the helper `fields` end that were read last. */
  readonly listEnd?: number;
}

type Next = (place: Position) => Fields | undefined;

interface Loop {
  readonly last: boolean;
}

/**
 * Reads a text back that a template laid out: the values of the fields it mentions, or `undefined` when the template
 * could not have made it. What may stand last, with no words that tell where it begins, is what is left behind lines of
 * the helper `fields`: behind anything else it may be of the text there. Of several readings the one with the shortest values before later words is taken. Blank
 * lines may be more than the template has, and nothing counts at the ends, as when it lays out.
 */
export function readLaidOut(
  parts: readonly TemplatePart[],
  text: string,
  reading: Reading = {},
): ReadBack | undefined {
  const reader = new Reader(text.replace(/\s+$/, ''), reading);
  const all = trimEnds(parts);
  const last = wordlessEnd(all);
  const told = last === undefined ? all : all.slice(0, -1);
  const found = reader.read(told, { at: reader.start, found: new Map() }, undefined, place => {
    if (reader.isAtEnd(place.at)) return place.found;
    const rest = last === undefined ? undefined : reader.behindList(place);
    return rest === undefined ? undefined : new Map([...place.found, [last!, rest]]);
  });
  return found && Object.fromEntries(found);
}

class Reader {
  readonly start: number;

  constructor(
    private readonly text: string,
    private readonly reading: Reading,
  ) {
    this.start = /^(?:[ \t]*\n)*/.exec(text)![0].length;
  }

  isAtEnd(at: number): boolean {
    return at >= this.text.length;
  }

  /** The paragraphs behind the lines of a list that was read last. */
  behindList({ at, listEnd }: Position): string | undefined {
    if (listEnd === undefined || this.text.slice(listEnd, at).trim() !== '') return undefined;
    return /^[ \t]*\n(?:[ \t]*\n)+([\s\S]+)$/.exec(this.text.slice(listEnd))?.[1];
  }

  read(
    parts: readonly TemplatePart[],
    place: Position,
    loop: Loop | undefined,
    next: Next,
  ): Fields | undefined {
    const [part, ...rest] = parts;
    if (part === undefined) return next(place);
    const go: Next = after => this.read(rest, after, loop, next);
    if (typeof part === 'string') {
      const at = this.words(part, place.at);
      return at === undefined ? undefined : go({ ...place, at });
    }
    switch (part.do) {
      case 'show':
        return this.show(part.of, rest, place, go);
      case 'if':
        return this.branch(part, place, loop, go);
      case 'each':
        return this.loop(part.of, part.body, place, go);
      case 'bullet':
        return this.read(['- ', ...part.body], place, loop, go);
      case 'fields':
        return this.list(part.of, place, go);
      default:
        return undefined;
    }
  }

  /** Compares literal text of the template letter by letter, but for runs of line ends. */
  private words(words: string, from: number): number | undefined {
    let at = from;
    for (const piece of words.split(/(\n+)/)) {
      if (piece === '') continue;
      if (piece[0] === '\n') {
        // An earlier part may have read these line ends.
        const before = /\n?[ \t]*\n?[ \t]*$/.exec(this.text.slice(Math.max(0, at - 200), at))![0];
        const run = /^[ \t]*(?:\n[ \t]*)*/.exec(this.text.slice(at, at + 1000))![0];
        const ends = (before + run).split('\n').length - 1;
        const atEdge = at === this.start || this.isAtEnd(at);
        if (!atEdge && ends < Math.min(piece.length, 2)) return undefined;
        at += run.lastIndexOf('\n') + 1;
      } else {
        if (!this.text.startsWith(piece, at)) return undefined;
        at += piece.length;
      }
    }
    return at;
  }

  private show(of: Operand, rest: readonly TemplatePart[], place: Position, go: Next): Fields | undefined {
    if ('value' in of) {
      const at = this.words(String(of.value), place.at);
      return at === undefined ? undefined : go({ ...place, at });
    }
    const name = nameOf(of);
    const alone = place.at === 0 || this.text[place.at - 1] === '\n';
    for (const end of this.ends(place.at, alone && startsLine(rest))) {
      const value = this.text.slice(place.at, end);
      if (value.trim() === '' || this.reading.accept?.(name, value) === false) continue;
      const known = place.found.get(name);
      if (known !== undefined && known !== value) continue;
      const found = go({ at: end, found: new Map([...place.found, [name, value]]) });
      if (found) return found;
    }
    return undefined;
  }

  /** Where a value may end: in its line, or at the end of any line where it has lines to itself. */
  private *ends(from: number, block: boolean): Generator<number> {
    const line = this.text.indexOf('\n', from);
    if (!block) {
      const end = line === -1 ? this.text.length : line;
      for (let at = from + 1; at <= end; at++) yield at;
      return;
    }
    for (let at = line; at !== -1; at = this.text.indexOf('\n', at + 1)) yield at;
    yield this.text.length;
  }

  private branch(
    part: Extract<TemplatePart, { do: 'if' }>,
    place: Position,
    loop: Loop | undefined,
    go: Next,
  ): Fields | undefined {
    const otherwise = part.else ?? [];
    if (!('value' in part.of) && part.of.data) {
      // A fact about a loop, such as `@last`, has its value from the position.
      const holds = part.of.path[0] === 'last' && loop?.last === true;
      return this.read(holds !== (part.not === true) ? part.body : otherwise, place, loop, go);
    }
    const name = 'value' in part.of ? '' : nameOf(part.of);
    const [there, gone] = part.not ? [otherwise, part.body] : [part.body, otherwise];
    const found = this.read(there, place, loop, after => (after.found.has(name) ? go(after) : undefined));
    if (found) return found;
    return this.read(gone, place, loop, after => (after.found.has(name) ? undefined : go(after)));
  }

  /** A list: every element but the last as the body lays it out inside, the last as at the end. */
  private loop(of: Operand, body: readonly TemplatePart[], place: Position, go: Next): Fields | undefined {
    if ('value' in of) return undefined;
    const name = nameOf(of);
    const element = (at: number, items: readonly Data[]): Fields | undefined => {
      for (const last of [false, true]) {
        const found = this.read(body, { at, found: new Map() }, { last }, inner => {
          if (inner.at === at) return undefined;
          const values = Object.fromEntries(inner.found);
          const all = [...items, Object.hasOwn(values, 'this') ? values.this! : values];
          return last
            ? go({ at: inner.at, found: new Map([...place.found, [name, all]]) })
            : element(inner.at, all);
        });
        if (found) return found;
      }
      return undefined;
    };
    return element(place.at, []);
  }

  private list(of: Operand, place: Position, go: Next): Fields | undefined {
    const lines = /^(?: *- [^\n]+(?:\n|$))+/.exec(this.text.slice(place.at))?.[0];
    if (lines === undefined || 'value' in of) return undefined;
    const data = this.reading.fields?.(lines.trimEnd());
    if (data === undefined) return undefined;
    const at = place.at + lines.trimEnd().length;
    return go({ at, found: new Map([...place.found, [nameOf(of), data]]), listEnd: at });
  }
}

const nameOf = (of: Exclude<Operand, { value: unknown }>): string => of.path.join('.') || 'this';

/** The parts below each title of a list of titled parts, as sections of a document have them. */
export function titledBody(parts: readonly TemplatePart[]): readonly TemplatePart[] | undefined {
  for (const part of parts) {
    if (typeof part === 'string' || part.do !== 'each') continue;
    for (const inner of part.body) if (typeof inner !== 'string' && inner.do === 'part') return inner.body;
  }
  return undefined;
}

/** The optional field that a template ends with, where lists are and nothing tells where it begins. */
function wordlessEnd(parts: readonly TemplatePart[]): string | undefined {
  const end = parts.at(-1);
  const isEnd =
    typeof end === 'object' && end.do === 'if' && !end.else && !hasWords([end]) && hasLists(parts);
  return isEnd ? nameOfPart(end) : undefined;
}

const hasLists = (parts: readonly TemplatePart[]): boolean =>
  parts.some(
    part => typeof part === 'object' && (part.do === 'fields' || ('body' in part && hasLists(part.body))),
  );

/** Whether an optional field stands right before another one, with nothing that tells where the second begins. */
export function standsBefore(parts: readonly TemplatePart[], field: string, other: string): boolean {
  const shows = (part: TemplatePart | undefined, name: string) =>
    typeof part === 'object' && (part.do === 'if' || part.do === 'show') && nameOfPart(part) === name;
  const told = parts.filter(part => typeof part !== 'string' || part.trim() !== '');
  return told.some((part, index) => {
    if (!shows(part, field)) return false;
    // What is not always there separates nothing.
    const next = told
      .slice(index + 1)
      .find(one => typeof one === 'string' || one.do !== 'if' || shows(one, other));
    return shows(next, other);
  });
}

const nameOfPart = ({ of }: Extract<TemplatePart, { do: 'if' | 'show' }>): string =>
  'value' in of ? '' : nameOf(of);

/** Whether a template has words of its own, by which its texts are told from others. */
export function hasWords(parts: readonly TemplatePart[]): boolean {
  return parts.some(part => {
    if (typeof part === 'string') return /[\p{L}\p{N}]/u.test(part);
    if (part.do === 'if') return hasWords(part.body) || hasWords(part.else ?? []);
    return 'body' in part && hasWords(part.body);
  });
}

/** Whether what follows a value begins on a line of its own, or not at all. */
function startsLine([part]: readonly TemplatePart[]): boolean {
  if (part === undefined) return true;
  if (typeof part === 'string') return part.startsWith('\n');
  if (part.do === 'if') return startsLine(part.body);
  return false;
}

/** The parts without line ends at both ends, which have no meaning there. */
function trimEnds(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  return parts.flatMap((part, index): TemplatePart[] => {
    if (typeof part !== 'string') return [part];
    const begun = index === 0 ? part.replace(/^\s+/, '') : part;
    const ended = index === parts.length - 1 ? begun.replace(/\s+$/, '') : begun;
    return ended === '' ? [] : [ended];
  });
}
