import type { Source, Span } from '../text/source.ts';
import type { ArrayValue, Body, BodyItem, Declaration, Document, ObjectValue, Value } from './ast.ts';
import { tokensOf } from './lexer.ts';

/** A node that a comment or a blank line can be attached to. */
export type Anchor = Declaration | BodyItem | Value;

/**
 * A node that can contain comments and blank lines. An `@override` with a value has no body, so the
 * declaration itself is its container.
 */
export type Container = Document | Body | ObjectValue | ArrayValue | Declaration;

/** The comments and blank lines of a node. A line is a comment with its `#`, or empty. */
interface Notes {
  /** Lines above the node. */
  above?: readonly string[];
  /** The comment behind the node, on its last line. */
  behind?: string;
  /** The comment after the opening bracket. */
  opening?: string;
  /** Lines before the closing bracket, or at the end of the file. */
  closing?: readonly string[];
}

/** Comments and blank lines of a document by the node they belong to. */
export interface Trivia {
  readonly of: (node: Anchor | Container) => Readonly<Notes>;
  /** Whether a node was parsed from the text of the document, so that its blank lines are intentional. */
  readonly isRead: (node: Anchor) => boolean;
}

/**
 * Finds the comments and blank lines of a parsed document. They are computed on demand, because a compile
 * does not need them. A node that was built, or parsed from another text, has none.
 */
export function readTrivia(document: Document): Trivia {
  const { source } = document;
  const { text } = source;
  const notes = new Map<Anchor | Container, Notes>();
  // Built nodes have an empty span in a source without text.
  const isRead = ({ span }: Pick<Anchor, 'span'>) => span.source === source && span.end > span.start;
  const comments = commentsOf(source);
  attachIn(document, document.declarations, 0, text.length);
  return { of: node => notes.get(node) ?? {}, isRead };

  function note(node: Anchor | Container, more: Notes): void {
    notes.set(node, { ...notes.get(node), ...more });
  }

  function attachIn(container: Container, children: readonly Anchor[], from: number, to: number): void {
    let at = from;
    let previous: Anchor | undefined;
    for (const child of children.filter(isRead).sort((a, b) => a.span.start - b.span.start)) {
      const lines = linesIn(at, child.span.start, container, previous);
      const inside = gapsOf(child).flatMap(gap => between(gap.start, gap.end));
      note(child, { above: [...lines, ...inside.map(textOf)] });
      attachBelow(child);
      at = child.span.end;
      previous = child;
    }
    const lines = linesIn(at, to, container, previous);
    while (lines.at(-1) === '') lines.pop();
    if (lines.length > 0) note(container, { closing: lines });
  }

  /**
   * The comments of a gap, and one empty line for each group of empty lines; at the beginning only after a
   * sibling. The comment on the line where the gap starts is attached to the node or bracket before it.
   */
  function linesIn(from: number, to: number, container: Container, previous: Anchor | undefined): string[] {
    const [first, ...later] = between(from, to);
    const isAtTop = previous === undefined && container === document;
    const isBehind = first && !isAtTop && /^[^\S\r\n]*,?[^\S\r\n]*$/.test(text.slice(from, first.start));
    if (isBehind && previous) note(previous, { behind: textOf(first) });
    else if (isBehind) note(container, { opening: textOf(first) });
    const lines: string[] = [];
    const addBlank = (offset: number) => {
      if ((lines.length > 0 || previous) && isBelowBlank(text, offset)) lines.push('');
    };
    for (const comment of first && !isBehind ? [first, ...later] : later) {
      addBlank(comment.start);
      lines.push(textOf(comment));
    }
    addBlank(to);
    return lines;
  }

  function between(from: number, to: number): readonly Span[] {
    let low = 0;
    let high = comments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comments[middle]!.start < from) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < comments.length && comments[end]!.start < to) end += 1;
    return comments.slice(low, end);
  }

  function attachBelow(node: Anchor): void {
    if (node.kind === 'array') attachInside(node, node.items);
    else if (node.kind === 'object') attachInside(node, node.fields);
    else if ('body' in node && node.body) attachInside(node.body, node.body.items);
    else if (node.kind === 'override' && node.value)
      attachIn(node, [node.value], bodyStart(node) + 1, node.span.end - 1);
    else if ((node.kind === 'field' || node.kind === 'item') && node.value) attachBelow(node.value);
  }

  function attachInside(node: Body | ObjectValue | ArrayValue, children: readonly Anchor[]): void {
    if (isRead(node)) attachIn(node, children, node.span.start + 1, node.span.end - 1);
  }
}

/** Ranges of a node that none of its children prints; their comments go above the node. */
function gapsOf(node: Anchor): readonly Span[] {
  const { span } = node;
  switch (node.kind) {
    case 'block':
    case 'extend':
      return [{ ...span, end: node.body.span.start }];
    case 'override':
      return [{ ...span, end: node.body?.span.start ?? bodyStart(node) }];
    case 'field':
    case 'item': {
      const value = node.value;
      if (value?.kind !== 'array' && value?.kind !== 'object') return [span];
      return [
        { ...span, end: value.span.start },
        { ...span, start: value.span.end },
      ];
    }
    case 'use':
    case 'inherit':
    case 'header':
    case 'env':
      return [span];
    default:
      return [];
  }
}

/** The offset of the opening brace of an `@override` with a value. */
function bodyStart({ span, path }: Extract<Declaration, { kind: 'override' }>): number {
  const blank = /(?:\s|#[^\r\n]*)*/y;
  blank.lastIndex = path.span.end;
  return path.span.end + blank.exec(span.source.text)![0].length;
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end).trimEnd();

/** Whether the line before that of an offset is empty. */
function isBelowBlank(text: string, offset: number): boolean {
  let breaks = 0;
  for (let at = offset - 1; at >= 0 && breaks < 2; at--) {
    const unit = text[at]!;
    if (unit === '\n' || (unit === '\r' && text[at + 1] !== '\n')) breaks += 1;
    else if (!/\s/.test(unit)) break;
  }
  return breaks > 1;
}

function commentsOf(source: Source): readonly Span[] {
  const comments: Span[] = [];
  if (source.text.includes('#'))
    Array.from(tokensOf(source, { onComment: (start, end) => comments.push({ source, start, end }) }));
  return comments;
}
