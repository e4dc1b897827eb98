import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import type { Chunk } from './cut.ts';
import { cutSegments, isOwnItem, trackBrackets } from './cut.ts';
import { explainFailure } from './explain.ts';
import { isFirstColumn, type Token } from './lexer.ts';
import { type ParseOutcome, parseTokens } from './parser.ts';
import type { BodyTree, DeclarationTree, ErrorTree, FieldTree, ItemTree, ObjectTree } from './tree.ts';

/** The valid items of a broken declaration, and further errors after the first. */
export interface Recovered {
  readonly tree: DeclarationTree;
  readonly problems: readonly Diagnostic[];
}

/** The content of a pair of braces. */
interface BraceContent {
  readonly chunk: Chunk;
  /** The tokens from the start of the declaration to this content, including every open brace. */
  readonly prefix: readonly Token[];
  readonly tokens: readonly Token[];
  /** The closing brace after `tokens`, if there is one. */
  readonly close: Token | undefined;
  /** How many entries enclose this content; inside an entry only fields are allowed. */
  readonly depth: number;
  readonly problems: Diagnostic[];
}

/**
 * How many segments are parsed at once: few parses for a long body, and little repeated work for a broken
 * one.
 */
const window = 64;

/**
 * Parses a broken declaration item by item: valid items are kept, the others become error trees. Entries of a
 * block are parsed field by field in the same way. Returns `undefined` when the head of the declaration is
 * invalid.
 */
export function recoverDeclaration(chunk: Chunk): Recovered | undefined {
  const { tokens } = chunk;
  const opening = tokens.findIndex(token => token.type === 'lbrace');
  const empty = opening === -1 ? undefined : parseHead(tokens.slice(0, opening + 1));
  if (!empty) return undefined;
  const head = tokens[0]!;
  const open = tokens[opening]!;
  const last = tokens.at(-1)!;
  // With a brace missing, the last brace closes the declaration only when it is indented no deeper than the
  // declaration.
  const closed =
    last.type === 'rbrace' && last !== open && (chunk.unclosed.length === 0 || isFirstColumn(last));
  const close = closed ? last : undefined;
  const inner = tokens.slice(opening + 1, closed ? -1 : undefined);
  const prefix: readonly Token[] = [{ ...head, type: 'at', text: '@x' }, open];
  const problems: Diagnostic[] = [];
  const items = readItems({ chunk, prefix, tokens: inner, close, depth: 0, problems });
  const body: BodyTree = { open, items: items, close: close ?? closeBehind(last) };
  const tree =
    empty.kind === 'override'
      ? { ...empty, body, close: body.close }
      : ({ ...empty, body } as DeclarationTree);
  // After an unbalanced bracket later errors may be consequences of it, so only the first is reported.
  const certain = chunk.unclosed.length === 0 && !chunk.overclosed;
  return { tree, problems: certain ? problems.slice(1) : [] };
}

type Head = Extract<DeclarationTree, { body?: BodyTree }>;

/** Parses the head of a declaration as if its body were empty. */
function parseHead(tokens: readonly Token[]): Head | undefined {
  const outcome = parseTokens([...tokens, closeBehind(tokens.at(-1)!)]);
  return outcome.ok && 'body' in outcome.tree ? outcome.tree : undefined;
}

const closeBehind = ({ source, end }: Token): Token => ({
  type: 'rbrace',
  text: '}',
  source,
  start: end,
  end,
  newLine: false,
});

function readItems(inside: BraceContent): ItemTree[] {
  const segments = cutSegments(inside.tokens, inside.chunk.unclosed.length > 0);
  const items: ItemTree[] = [];
  let at = 0;
  while (at < segments.length) {
    const tried = segments.slice(at, at + window);
    const outcome = parseIn(inside, tried.flat());
    const good = outcome.ok ? tried.length : goodCount(inside, tried, outcome.at);
    items.push(...(outcome.ok ? itemsIn(outcome, inside) : parsedItems(inside, tried.slice(0, good))));
    at += good;
    if (good === tried.length) continue;
    addBroken(items, segments[at]!, segments[at + 1]?.[0] ?? inside.close ?? inside.chunk.next, inside);
    at += 1;
  }
  return items;
}

/** The number of valid segments before the one that contains the failing token `failed`. */
function goodCount(inside: BraceContent, segments: readonly (readonly Token[])[], failed: number): number {
  let end = inside.prefix.length;
  let index = 0;
  while (index < segments.length && end + segments[index]!.length <= failed) {
    end += segments[index]!.length;
    index += 1;
  }
  // A failure at the start of a segment is often caused by the segment before it.
  while (index > 0 && !parseIn(inside, segments.slice(0, index).flat()).ok) index -= 1;
  return Math.min(index, segments.length - 1);
}

function parsedItems(inside: BraceContent, segments: readonly (readonly Token[])[]): readonly ItemTree[] {
  if (segments.length === 0) return [];
  const outcome = parseIn(inside, segments.flat());
  return outcome.ok ? itemsIn(outcome, inside) : [];
}

/** Parses tokens in their context, with every open brace closed after them. */
function parseIn({ prefix, depth }: BraceContent, tokens: readonly Token[]): ParseOutcome {
  const close = closeBehind(tokens.at(-1) ?? prefix.at(-1)!);
  return parseTokens([...prefix, ...tokens, ...new Array<Token>(depth + 1).fill(close)]);
}

/** The items of the innermost brace of a parse in context. */
function itemsIn(outcome: Extract<ParseOutcome, { ok: true }>, { depth }: BraceContent): readonly ItemTree[] {
  let { items } = (outcome.tree as Head).body!;
  for (let level = 0; level < depth; level++) ({ items } = (items[0] as FieldTree).value as ObjectTree);
  return items;
}

function addBroken(
  items: ItemTree[],
  segment: readonly Token[],
  next: Token | undefined,
  inside: BraceContent,
): void {
  const entry = readEntry(segment, inside);
  if (entry) {
    items.push(entry);
    return;
  }
  const error: ErrorTree = { kind: 'error', from: segment[0]!, to: segment.at(-1)! };
  const before = items.at(-1);
  if (before?.kind === 'error' && !isOwnItem(segment)) {
    items[items.length - 1] = { ...before, to: error.to };
    return;
  }
  items.push(error);
  const outcome = parseIn(inside, segment);
  if (outcome.ok) return;
  const whole = [...inside.prefix, ...segment];
  const tokens = outcome.at >= whole.length && next ? [...whole, next] : whole;
  const open: Token[] = [];
  for (const token of segment) trackBrackets(open, token);
  const chunk: Chunk = { ...inside.chunk, tokens, end: error.to.end, next, unclosed: open, doubt: undefined };
  inside.problems.push(
    explainFailure({ chunk, at: Math.min(outcome.at, whole.length), expected: outcome.expected }),
  );
}

/** Parses `key: { … }` with an invalid content field by field. */
function readEntry(segment: readonly Token[], inside: BraceContent): FieldTree | undefined {
  const [key] = segment;
  const colon = segment[1]?.type === 'colon' ? 1 : 2;
  const open = segment[colon + 1];
  if (key?.type !== 'name' && key?.type !== 'string') return undefined;
  if (segment[colon]?.type !== 'colon' || open?.type !== 'lbrace') return undefined;
  const trailing = segment.at(-1)!.type === 'comma' ? 1 : 0;
  const last = segment[segment.length - 1 - trailing]!;
  const brackets: Token[] = [];
  for (const token of segment.slice(colon + 1)) {
    // Tokens after the closing brace of the entry mean that the error is not inside it.
    if (token !== open && brackets.length === 0 && token.type !== 'comma') return undefined;
    trackBrackets(brackets, token);
  }
  const closed = brackets.length === 0;
  const tokens = segment.slice(colon + 2, segment.length - trailing - (closed ? 1 : 0));
  if (tokens.length === 0 && closed) return undefined;
  const items = readItems({
    ...inside,
    prefix: [...inside.prefix, key, segment[colon]!, open],
    tokens,
    close: closed ? last : undefined,
    depth: inside.depth + 1,
  });
  const close = closed ? last : closeBehind(last);
  const value: ObjectTree = { kind: 'object', open, items: items as FieldTree[], close };
  return { kind: 'field', key, mark: colon === 2 ? segment[1] : undefined, value };
}
