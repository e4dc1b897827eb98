import type { Span } from '../text/source.ts';
import type { BodyItem, Declaration, ErrorNode } from './ast.ts';
import type { Anchor, Container, Trivia } from './trivia.ts';

/** Comments to print above a declaration or body item, without `#`. Each line becomes one comment. */
export type Comments = ReadonlyMap<Declaration | BodyItem, string>;

/** What the printer needs in addition to the nodes. */
export interface PrintContext {
  readonly trivia: Trivia;
  readonly comments: Comments;
}

/** Whether a node is text that could not be parsed. */
export const isError = (node: Anchor): node is ErrorNode =>
  node.kind === 'error' || node.kind === 'overwritten';

/** The source text of an error node. */
export const sourceTextOf = ({ span }: ErrorNode): string => span.source.text.slice(span.start, span.end);

/** Merges nodes and error nodes in source order. */
export function inSourceOrder<T extends { readonly span: Span }>(
  nodes: readonly T[],
  errors: readonly ErrorNode[] = [],
): readonly (T | ErrorNode)[] {
  if (errors.length === 0) return nodes;
  const left = [...errors];
  const ordered: (T | ErrorNode)[] = [];
  for (const node of nodes) {
    while (left[0] && left[0].span.source === node.span.source && left[0].span.start < node.span.start)
      ordered.push(left.shift()!);
    ordered.push(node);
  }
  return [...ordered, ...left];
}

/** Comments and blank lines above a node: those of its source, then those of the caller. */
export function leadingLines(
  node: Anchor,
  { trivia, comments }: PrintContext,
  indent: string,
): readonly string[] {
  const read = trivia.leading.get(node) ?? [];
  const given = comments.get(node as Declaration | BodyItem);
  if (read.length === 0 && given === undefined) return [];
  return [...read, ...(given === undefined ? [] : commentLines(given))].map(line => line && indent + line);
}

/** The trailing comment on the last line of a node, with a blank before it. */
export function trailingOf(node: Anchor, { trivia }: PrintContext): string {
  const comment = trivia.trailing.get(node);
  return comment === undefined ? '' : ` ${comment}`;
}

/** Lines between brackets, with the comments at both ends. */
export function inBraces(
  open: '{' | '[',
  container: Container,
  lines: readonly string[],
  indent: string,
  close: '}' | ']',
  { trivia }: PrintContext,
): string {
  const opening = trivia.opening.get(container);
  const closing = (trivia.closing.get(container) ?? []).map(line => line && `${indent}  ${line}`);
  if (lines.length === 0 && closing.length === 0 && opening === undefined) return open === '{' ? '{ }' : '[]';
  return [`${open}${opening === undefined ? '' : ` ${opening}`}`, ...lines, ...closing, indent + close].join(
    '\n',
  );
}

/** Comments from `text`, one `#` per line. */
const commentLines = (text: string): readonly string[] =>
  text.split(/\r?\n|\r/).map(line => `# ${line}`.trimEnd());
