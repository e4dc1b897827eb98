import { trees } from '../generated/template-trees.ts';
import type { Data, Fields } from '../model/model.ts';
import {
  type Block,
  type Expression,
  fieldName,
  isCondition,
  isField,
  type Mustache,
  type Program,
  type Statement,
  subjectOf,
} from './template-tree.ts';

/** The syntax tree of a built-in template, by the key of `builtinTemplate`. */
export const templateTree = (key: string): Program | undefined =>
  Object.hasOwn(trees, key) ? (JSON.parse(trees[key]!) as Program) : undefined;

type ReadBack = Readonly<Record<string, Data>>;

interface Reading {
  /** Whether a text can be the value of a field; otherwise the reader tries the next possible end. */
  readonly accept?: (field: string, text: string) => boolean;
  /** Parses a complete run of lines as the output of the helper `fields`; `undefined` for anything else. */
  readonly fields?: (lines: string) => Data | undefined;
}

/**
 * The state of the reader. Continuations implement backtracking: the next possibility is tried when the rest
 * does not match.
 */
interface Position {
  readonly at: number;
  /** Values found so far. */
  readonly found: Fields;
  /** The end of the last lines that the helper `fields` wrote. */
  readonly listEnd?: number;
}

type Next = (place: Position) => Fields | undefined;

/**
 * Parses a text that a template rendered. Returns the values of its fields, or `undefined` when the template
 * cannot have rendered the text. A last field without words before it is only recognised after lines of the
 * helper `fields`; after anything else it could belong to the text before it. Of several parses the one with
 * the shortest values wins. Additional blank lines are accepted, and white space at both ends is ignored, as
 * in rendering.
 */
export function parseRendered({ body }: Program, text: string, reading: Reading = {}): ReadBack | undefined {
  const reader = new Reader(text.replace(/\s+$/, ''), reading);
  const all = trimEnds(body);
  const last = wordlessEnd(all);
  const content = last === undefined ? all : all.slice(0, -1);
  const found = reader.read(content, { at: reader.start, found: new Map() }, undefined, place => {
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

  /** The paragraphs after the last list. */
  behindList({ at, listEnd }: Position): string | undefined {
    if (listEnd === undefined || this.text.slice(listEnd, at).trim() !== '') return undefined;
    return /^[ \t]*\n(?:[ \t]*\n)+([\s\S]+)$/.exec(this.text.slice(listEnd))?.[1];
  }

  read(
    parts: readonly Statement[],
    place: Position,
    isLast: boolean | undefined,
    next: Next,
  ): Fields | undefined {
    const [part, ...rest] = parts;
    if (part === undefined) return next(place);
    const go: Next = after => this.read(rest, after, isLast, next);
    if (part.type === 'ContentStatement') return this.literal(part.value, place, go);
    if (part.type === 'MustacheStatement')
      return part.path.original === 'fields'
        ? this.list(part.params[0]!, place, go)
        : this.show(part, rest, place, go);
    switch (part.path.original) {
      case 'if':
      case 'unless':
        return this.branch(part, place, isLast, go);
      case 'each':
        return this.loop(part, place, go);
      case 'bullet':
        return this.literal('- ', place, inner => this.read(part.program.body, inner, isLast, go));
      default:
        return undefined;
    }
  }

  private literal(words: string, place: Position, go: Next): Fields | undefined {
    const at = this.words(words, place.at);
    return at === undefined ? undefined : go({ ...place, at });
  }

  /** Matches literal text of the template exactly, except for the number of line ends. */
  private words(words: string, from: number): number | undefined {
    let at = from;
    for (const piece of words.split(/(\n+)/)) {
      if (piece === '') continue;
      if (piece[0] === '\n') {
        // The previous part may have consumed these line ends.
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

  private show(part: Mustache, rest: readonly Statement[], place: Position, go: Next): Fields | undefined {
    if (!isField(part)) return undefined;
    const name = fieldName(part.path);
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

  /**
   * Possible ends of a value: within its line, or at the end of any line when the value has lines of its own.
   */
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

  private branch(part: Block, place: Position, isLast: boolean | undefined, go: Next): Fields | undefined {
    const subject = subjectOf(part);
    const [body, other] = [part.program.body, part.inverse?.body ?? []];
    const [there, gone] = part.path.original === 'if' ? [body, other] : [other, body];
    if (subject.type === 'PathExpression' && subject.data) {
      // A fact about a loop, such as `@last`, is known from the position.
      const holds = subject.parts[0] === 'last' && isLast === true;
      return this.read(holds ? there : gone, place, isLast, go);
    }
    const name = fieldName(subject);
    const found = this.read(there, place, isLast, after => (after.found.has(name) ? go(after) : undefined));
    if (found) return found;
    return this.read(gone, place, isLast, after => (after.found.has(name) ? undefined : go(after)));
  }

  /** Parses a list: the body of the loop for each element, with `@last` for the last one. */
  private loop(part: Block, place: Position, go: Next): Fields | undefined {
    const name = fieldName(subjectOf(part));
    const { body } = part.program;
    const element = (at: number, items: readonly Data[]): Fields | undefined => {
      for (const last of [false, true]) {
        const found = this.read(body, { at, found: new Map() }, last, inner => {
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

  private list(of: Expression, place: Position, go: Next): Fields | undefined {
    const lines = /^(?: *- [^\n]+(?:\n|$))+/.exec(this.text.slice(place.at))?.[0];
    if (lines === undefined) return undefined;
    const data = this.reading.fields?.(lines.trimEnd());
    if (data === undefined) return undefined;
    const at = place.at + lines.trimEnd().length;
    return go({ at, found: new Map([...place.found, [fieldName(of), data]]), listEnd: at });
  }
}

/**
 * The template of the parts below each title in a list of titled parts, such as the sections of a document.
 */
export function titledBody({ body }: Program): Program | undefined {
  for (const part of body) {
    if (part.type !== 'BlockStatement' || part.path.original !== 'each') continue;
    for (const inner of part.program.body)
      if (inner.type === 'BlockStatement' && inner.path.original === 'part') return inner.program;
  }
  return undefined;
}

function wordlessEnd(body: readonly Statement[]): string | undefined {
  const end = body.at(-1);
  const isEnd =
    end && isCondition(end) && !end.inverse && !hasLiteralWords({ body: [end] }) && hasLists(body);
  return isEnd ? fieldName(subjectOf(end)) : undefined;
}

const hasLists = (body: readonly Statement[]): boolean =>
  body.some(
    part =>
      (part.type === 'MustacheStatement' && part.path.original === 'fields') ||
      (part.type === 'BlockStatement' && hasLists(part.program.body)),
  );

/** Whether an optional field directly precedes another one, so that nothing marks where the second begins. */
export function directlyPrecedes({ body }: Program, field: string, other: string): boolean {
  const shows = (part: Statement | undefined, name: string) => part !== undefined && shownBy(part) === name;
  const visible = body.filter(part => part.type !== 'ContentStatement' || part.value.trim() !== '');
  return visible.some((part, index) => {
    if (!shows(part, field)) return false;
    // An optional part does not separate fields.
    const next = visible.slice(index + 1).find(one => !isCondition(one) || shows(one, other));
    return shows(next, other);
  });
}

function shownBy(part: Statement): string | undefined {
  if (isCondition(part)) return fieldName(subjectOf(part));
  return part.type !== 'ContentStatement' && isField(part as Mustache) ? fieldName(part.path) : undefined;
}

/** Whether a template has literal words, by which its output can be recognised. */
export function hasLiteralWords({ body }: Program): boolean {
  return body.some(part => {
    if (part.type === 'ContentStatement') return /[\p{L}\p{N}]/u.test(part.value);
    if (part.type === 'MustacheStatement') return false;
    return hasLiteralWords(part.program) || (part.inverse !== undefined && hasLiteralWords(part.inverse));
  });
}

function startsLine([part]: readonly Statement[]): boolean {
  if (part === undefined) return true;
  if (part.type === 'ContentStatement') return part.value.startsWith('\n');
  return isCondition(part) && startsLine(part.program.body);
}

/** Removes line ends at both ends, which have no meaning there. */
function trimEnds(body: readonly Statement[]): readonly Statement[] {
  return body.flatMap((part, index): Statement[] => {
    if (part.type !== 'ContentStatement') return [part];
    const begun = index === 0 ? part.value.replace(/^\s+/, '') : part.value;
    const value = index === body.length - 1 ? begun.replace(/\s+$/, '') : begun;
    return value === '' ? [] : [{ ...part, value }];
  });
}
