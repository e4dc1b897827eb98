import { isPlainScalar } from './yaml-scalar.ts';

/** Where something stands in a text: the offsets of its first character and of the one after its last. */
export type Range = readonly [start: number, end: number];

/** Where a value and its key stand. */
interface Place {
  readonly key: Range | undefined;
  /** Absent for what goes over several lines. */
  readonly value: Range | undefined;
}

export interface PlainYaml {
  /** Objects have no prototype. */
  readonly data: unknown;
  /** The place of the value at a path, in which items have numbers; `undefined` when nothing is there. */
  placeOf(path: readonly (string | number)[]): Place | undefined;
}

/** Configurations have five levels. */
const deepest = 20;

/** In characters. The place of each value is found by the names of all that it stands in, which takes their square. */
const longest = 16_384;

/**
 * Reads what most configurations are: keys with words, whole numbers, texts in quotes, and lists and objects of these, on
 * lines below each other or in brackets, without starting the YAML parser, which takes longer than the rest of the
 * reading. `undefined` for everything that is more than this, or that might be wrong: the parser decides.
 */
export function readPlainYaml(text: string): PlainYaml | undefined {
  if (text.length > longest || !/^[\n -~]+$/.test(text)) return undefined;
  const reader = new Reader(text);
  const data = reader.object(0, '', 0);
  if (data === undefined || !reader.isDone) return undefined;
  return { data, placeOf: path => reader.places.get(path.map(step => `\0${step}`).join('')) };
}

/** A line with something on it. */
interface Line {
  /** Offset of its first character that is no blank. */
  readonly start: number;
  /** Offset behind its last one. */
  readonly end: number;
  /** Number of blanks before it. */
  readonly lead: number;
}

class Reader {
  /** By what `placeOf` makes of a path. */
  readonly places = new Map<string, Place>();
  private readonly lines: Line[] = [];
  private at = 0;

  constructor(private readonly text: string) {
    for (let from = 0; from < text.length; ) {
      const feed = text.indexOf('\n', from);
      const stop = feed === -1 ? text.length : feed;
      const comment = text.slice(from, stop).indexOf(' #');
      // A text in quotes that it is a part of is not closed then.
      const [start, end] = this.trimmed(from, comment === -1 ? stop : from + comment);
      if (start < end && text[start] !== '#') this.lines.push({ start, end, lead: start - from });
      from = stop + 1;
    }
  }

  /** A piece of the text without the blanks at its ends. */
  private trimmed(from: number, to: number): Range {
    let [start, end] = [from, to];
    while (start < end && this.text[start] === ' ') start += 1;
    while (end > start && this.text[end - 1] === ' ') end -= 1;
    return [start, end];
  }

  get isDone(): boolean {
    return this.at === this.lines.length;
  }

  object(lead: number, path: string, depth: number): Record<string, unknown> | undefined {
    const object: Record<string, unknown> = Object.create(null);
    for (let line = this.lines[this.at]; line && line.lead >= lead; line = this.lines[this.at]) {
      const colon = this.text.indexOf(':', line.start);
      const name = this.text.slice(line.start, colon);
      if (line.lead > lead || colon < 0 || colon >= line.end || !isKey(name) || name in object)
        return undefined;
      this.at += 1;
      const key: Range = [line.start, colon];
      const below = `${path}\0${name}`;
      const value =
        colon + 1 === line.end
          ? this.below(lead, below, key, depth)
          : this.text[colon + 1] === ' '
            ? this.value(colon + 1, line.end, below, key)
            : undefined;
      if (value === undefined) return undefined;
      object[name] = value;
    }
    return this.at === 0 ? undefined : object;
  }

  /** What stands on the lines below a key. */
  private below(lead: number, path: string, key: Range, depth: number): unknown {
    const line = this.lines[this.at];
    if (!line || depth === deepest) return undefined;
    this.places.set(path, { key, value: undefined });
    if (this.isItem(line)) return line.lead < lead ? undefined : this.items(line.lead, path);
    return line.lead > lead ? this.object(line.lead, path, depth + 1) : undefined;
  }

  private isItem({ start }: Line): boolean {
    return this.text.startsWith('- ', start);
  }

  private items(lead: number, path: string): unknown {
    const items: unknown[] = [];
    for (let line = this.lines[this.at]; line; line = this.lines[this.at]) {
      if (line.lead !== lead || !this.isItem(line)) break;
      const item = this.value(line.start + 1, line.end, `${path}\0${items.length}`, undefined);
      if (item === undefined) return undefined;
      items.push(item);
      this.at += 1;
    }
    return items;
  }

  /** A value that stands on one line. */
  private value(from: number, end: number, path: string, key: Range | undefined): unknown {
    const [start] = this.trimmed(from, end);
    const [open, close] = [this.text[start], this.text[end - 1]];
    if (open === '[' && close === ']') return this.list(start, end, path, key);
    return open === '{' && close === '}'
      ? this.pairs(start, end, path, key)
      : this.scalar(start, end, path, key);
  }

  private list(start: number, end: number, path: string, key: Range | undefined): unknown {
    this.places.set(path, { key, value: [start, end] });
    const items: unknown[] = [];
    for (const [first, last] of this.partsIn(start, end)) {
      const item = this.scalar(first, last, `${path}\0${items.length}`, undefined);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  private pairs(start: number, end: number, path: string, key: Range | undefined): unknown {
    this.places.set(path, { key, value: [start, end] });
    const object: Record<string, unknown> = Object.create(null);
    for (const [first, last] of this.partsIn(start, end)) {
      const colon = this.text.indexOf(': ', first);
      const name = this.text.slice(first, colon);
      if (colon === -1 || colon >= last || !isKey(name) || name in object) return undefined;
      const [from] = this.trimmed(colon + 1, last);
      const value = this.scalar(from, last, `${path}\0${name}`, [first, colon]);
      if (value === undefined) return undefined;
      object[name] = value;
    }
    return object;
  }

  /** What stands between brackets, apart by commas; a comma without a text beside it is an empty part. */
  private partsIn(start: number, end: number): Range[] {
    const { text } = this;
    const parts: Range[] = [];
    for (let at = start + 1; at < end; ) {
      const comma = text.indexOf(',', at);
      const stop = comma === -1 || comma > end ? end - 1 : comma;
      const part = this.trimmed(at, stop);
      if (part[0] === part[1] && stop === end - 1) break;
      parts.push(part);
      at = stop + 1;
    }
    return parts;
  }

  private scalar(start: number, end: number, path: string, key: Range | undefined): unknown {
    const written = this.text.slice(start, end);
    this.places.set(path, { key, value: [start, end] });
    const quote = written[0];
    if (quote === '"' || quote === "'") {
      const isWhole = written.length > 1 && written.indexOf(quote, 1) === written.length - 1;
      return isWhole && !(quote === '"' && written.includes('\\')) ? written.slice(1, -1) : undefined;
    }
    if (written === 'true') return true;
    if (written === 'false') return false;
    if (isPlainScalar(written) && !/[[\]{}]/.test(written)) return written;
    return /^(?:0|[1-9]\d{0,8})$/.test(written) ? Number(written) : undefined;
  }
}

const isKey = (text: string): boolean => /^[A-Za-z_][\w-]{0,99}$/.test(text) && isPlainScalar(text);
