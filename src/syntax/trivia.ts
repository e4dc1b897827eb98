import type { Span } from '../text/source.ts';
import type {
  ArrayValue,
  Body,
  BodyItem,
  Declaration,
  Document,
  ErrorNode,
  ObjectValue,
  Value,
} from './ast.ts';
import { tokensOf } from './lexer.ts';

/** A node that a comment or a blank line can be attached to. */
export type Anchor = Declaration | BodyItem | Value | ErrorNode;

/**
 * A node that can contain comments and blank lines. An `@override` with a value has no body, so the
 * declaration itself is its container.
 */
export type Container = Document | Body | ObjectValue | ArrayValue | Declaration;

/**
 * Comments and blank lines of a document by the node they belong to. A line is a comment with its `#`, or
 * empty.
 */
export interface Trivia {
  /** Lines above a node. */
  readonly leading: ReadonlyMap<Anchor, readonly string[]>;
  /** The trailing comment on the last line of a node. */
  readonly trailing: ReadonlyMap<Anchor, string>;
  /** The comment after an opening bracket. */
  readonly opening: ReadonlyMap<Container, string>;
  /** Lines before a closing bracket, or at the end of the file. */
  readonly closing: ReadonlyMap<Container, readonly string[]>;
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
  const leading = new Map<Anchor, readonly string[]>();
  const trailing = new Map<Anchor, string>();
  const opening = new Map<Container, string>();
  const closing = new Map<Container, readonly string[]>();
  // Built nodes have an empty span in a source without text.
  const isRead = ({ span }: Pick<Anchor, 'span'>) => span.source === source && span.end > span.start;
  const comments = commentsOf(document);
  attachIn(document, sorted([...document.declarations, ...(document.errors ?? [])]), 0, text.length);
  return { leading, trailing, opening, closing, isRead };

  function attachIn(container: Container, children: readonly Anchor[], from: number, to: number): void {
    let at = from;
    let previous: Anchor | undefined;
    for (const child of children) {
      const lines = linesIn(at, child.span.start, container, previous);
      const inside = gapsOf(child).flatMap(gap => between(gap.start, gap.end));
      lines.push(...inside.map(textOf));
      if (lines.length > 0) leading.set(child, lines);
      attachBelow(child);
      at = child.span.end;
      previous = child;
    }
    const lines = linesIn(at, to, container, previous);
    while (lines.at(-1) === '') lines.pop();
    if (lines.length > 0) closing.set(container, lines);
  }

  /**
   * The comments of a gap, and one empty line for each group of empty lines; at the beginning only after a
   * sibling. The comment on the line where the gap starts is attached to the node or bracket before it.
   */
  function linesIn(from: number, to: number, container: Container, previous: Anchor | undefined): string[] {
    let comments = between(from, to);
    const [first] = comments;
    const isAtTop = previous === undefined && container === document;
    if (first && !isAtTop && /^[^\S\r\n]*,?[^\S\r\n]*$/.test(text.slice(from, first.start))) {
      if (previous) trailing.set(previous, textOf(first));
      else opening.set(container, textOf(first));
      comments = comments.slice(1);
    }
    const lines: string[] = [];
    const addBlank = (offset: number) => {
      if ((lines.length > 0 || previous) && isBelowBlank(text, offset)) lines.push('');
    };
    for (const comment of comments) {
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
    if (node.kind === 'array' || node.kind === 'object') attachInside(node);
    else if ('body' in node && node.body) attachInside(node.body);
    else if (node.kind === 'override' && node.value)
      attachIn(node, sorted([node.value]), bodyStart(node) + 1, node.span.end - 1);
    else if ((node.kind === 'field' || node.kind === 'item') && node.value) attachBelow(node.value);
  }

  function attachInside(node: Body | ObjectValue | ArrayValue): void {
    const nodes: readonly Anchor[] = 'fields' in node ? node.fields : node.items;
    const errors = 'errors' in node ? (node.errors ?? []) : [];
    if (isRead(node)) attachIn(node, sorted([...nodes, ...errors]), node.span.start + 1, node.span.end - 1);
  }

  /** Nodes parsed from this text, in source order. */
  function sorted(nodes: readonly Anchor[]): readonly Anchor[] {
    return nodes.filter(isRead).sort((a, b) => a.span.start - b.span.start);
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
  return path.span.end + (blank.exec(span.source.text)?.[0].length ?? 0);
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

/** All comments before, between and inside the valid declarations, in source order. */
function commentsOf({ source, declarations, errors = [] }: Document): readonly Span[] {
  const nodes = [...declarations, ...errors]
    .filter(({ span }) => span.source === source)
    .sort((a, b) => a.span.start - b.span.start);
  const comments: Span[] = [];
  let at = 0;
  for (const node of nodes) {
    addFrom(at, node.span.start);
    if (node.kind !== 'error' && node.kind !== 'overwritten') addFrom(node.span.start, node.span.end);
    at = node.span.end;
  }
  addFrom(at, source.text.length);
  return comments;

  function addFrom(from: number, to: number): void {
    if (!source.text.slice(from, to).includes('#')) return;
    const onComment = (start: number, end: number) => {
      if (start < to) comments.push({ source, start, end });
    };
    for (const token of tokensOf(source, { from, onComment })) if (token.end >= to) break;
  }
}
