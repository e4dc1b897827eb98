import { lineText, positionAt } from '../text/source.ts';
import type { Entry, Node, Program, ResolvedBlock, ScalarNode, Step } from './program.ts';

/** A line of a text of the program, and where it was written. */
export interface WrittenLine {
  /** Path of the value it belongs to: `standards.code[0]`. */
  readonly path: string;
  /** What it says, without the blanks around it. */
  readonly text: string;
  readonly step: Step;
  readonly line: number;
  readonly column: number;
}

export interface MarkedProgram {
  /** The program with an invisible mark behind each line of prose. */
  readonly program: Program;
  /** Every line of every text. A mark is an index into this list. */
  readonly lines: readonly WrittenLine[];
}

/**
 * A program whose prose carries its origin, so that it can be read off whatever is made of it. Only lines with blanks
 * in them are marked: a single word may be a name that other things are looked up by. Neither are lines marked whose
 * end has a meaning in Markdown.
 */
export function markLines(program: Program): MarkedProgram {
  const lines: WrittenLine[] = [];
  const blocks = new Map([...program.blocks].map(([name, block]) => [name, markBlock(block, lines)]));
  const meta = new Map([...program.meta].map(([key, node]) => [key, markNode(node, `meta.${key}`, lines)]));
  return { program: { ...program, meta, blocks }, lines };
}

function markBlock(block: ResolvedBlock, lines: WrittenLine[]): ResolvedBlock {
  let loose = 0;
  const entries = block.entries.map((entry): Entry => {
    const path =
      entry.kind === 'field' ? `${block.name}.${pathSegment(entry.key)}` : `${block.name}[${loose++}]`;
    return { ...entry, node: markNode(entry.node, path, lines) } as Entry;
  });
  const headers = new Map(
    [...block.headers].map(([key, title]) => [key, markText(title, block.name, lines)]),
  );
  return { ...block, entries, headers };
}

/** A key as it stands in a path, in quotes where it needs them. */
export const pathSegment = (key: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? key : JSON.stringify(key);

function markNode(node: Node, path: string, lines: WrittenLine[]): Node {
  if (node.kind === 'scalar') return markText(node, path, lines);
  if (node.kind === 'list') {
    return { ...node, items: node.items.map((item, index) => markNode(item, `${path}[${index}]`, lines)) };
  }
  const fields = new Map(
    [...node.fields].map(([key, value]) => [key, markNode(value, `${path}.${pathSegment(key)}`, lines)]),
  );
  return { ...node, fields };
}

function markText(node: ScalarNode, path: string, lines: WrittenLine[]): ScalarNode {
  if (node.value === null) return node;
  const place = placesOf(node);
  const marked = String(node.value)
    .split('\n')
    .map(line => {
      const text = line.trim();
      if (text === '') return line;
      lines.push({ path, text, ...place(text) });
      if (typeof node.value !== 'string' || !/\s/.test(text) || unmarkable.test(text)) return line;
      const blanks = line.slice(line.trimEnd().length);
      return line.trimEnd() + markOf(lines.length - 1) + blanks;
    });
  return typeof node.value === 'string' ? { ...node, value: marked.join('\n') } : node;
}

/** Fences, table rows and rules; and lines that hold characters that marks are made of. */
const unmarkable = /^(?:`{3}|~{3}|\||[-=*_\s]+$)|[\u{F0000}-\u{10FFFF}]/u;

type Place = Pick<WrittenLine, 'step' | 'line' | 'column'>;

/** Where the lines of a text were written. They are asked for in order. */
function placesOf(node: ScalarNode): (text: string) => Place {
  const steps = node.steps.filter(({ operation }) => operation !== 'parameter');
  const last = steps.at(-1)!;
  if (!String(node.value).includes('\n')) {
    const place = { step: last, ...positionAt(last.span.source, last.span.start) };
    return () => place;
  }
  const written = steps.flatMap(writtenLines);
  const byText = new Map<string, number[]>();
  for (const [index, { text }] of written.entries()) {
    const known = byText.get(text);
    if (known) known.push(index);
    else byText.set(text, [index]);
  }
  let next = 0;
  return text => {
    const found = byText.get(text) ?? [];
    // A line that parameters changed is the one behind the line before it.
    const at = found.find(index => index >= next) ?? found[0] ?? Math.min(next, written.length - 1);
    next = at + 1;
    const { step, line, column } = written[at] ?? {
      step: last,
      ...positionAt(last.span.source, last.span.start),
    };
    return { step, line, column };
  };
}

function writtenLines(step: Step): (Place & { readonly text: string })[] {
  const { source, start, end } = step.span;
  const first = positionAt(source, start).line;
  const found: (Place & { readonly text: string })[] = [];
  for (let line = first; line <= positionAt(source, end).line; line++) {
    const whole = lineText(source, line);
    const text = whole.trim();
    // The line that only opens a text is none of it.
    if (text === '' || /^[^"]*"""$/.test(text)) continue;
    found.push({ step, line, column: whole.length - whole.trimStart().length + 1, text });
  }
  return found;
}

const digits = 0xfffe;

/** A mark is one or two characters for private use, which no template, quoting rule or Markdown construct knows. */
function markOf(index: number): string {
  const low = String.fromCodePoint(0xf0000 + (index % digits));
  return index < digits ? low : String.fromCodePoint(0x100000 + Math.floor(index / digits) - 1) + low;
}

/** A text without its marks, and the marks in order, each once. */
export function readMarks(text: string): { readonly text: string; readonly marks: readonly number[] } {
  const marks = new Set<number>();
  const plain = text.replace(
    /([\u{100000}-\u{10FFFD}]?)([\u{F0000}-\u{FFFFD}])/gu,
    (_, high: string, low: string) => {
      const more = high === '' ? 0 : (high.codePointAt(0)! - 0x100000 + 1) * digits;
      marks.add(more + low.codePointAt(0)! - 0xf0000);
      return '';
    },
  );
  return { text: plain, marks: [...marks] };
}
