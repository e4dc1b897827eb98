import type { Chunk } from './cut.ts';
import { cutSegments, trackBrackets } from './cut.ts';
import { isFirstColumn, type Token } from './lexer.ts';
import { parseTokens } from './parser.ts';
import type { BodyTree, DeclarationTree, FieldTree, ItemTree, ObjectTree } from './tree.ts';

/** The place of items in braces. */
interface Place {
  /** Tokens that open a declaration up to the items: a block, or an entry of a block. */
  readonly prefix: readonly Token[];
  /** Whether the items are in an entry, where only fields are allowed. */
  readonly inEntry: boolean;
  /** Whether brackets are missing somewhere. */
  readonly unclosed: boolean;
}

type Head = Extract<DeclarationTree, { body?: BodyTree }>;

/**
 * Parses a broken declaration item by item: valid items are kept, the others left out. Entries of a
 * block are parsed field by field in the same way. Returns `undefined` when the head of the declaration is
 * invalid or something is nested too deep.
 */
export function recoverDeclaration({ tokens, unclosed, tooDeep }: Chunk): DeclarationTree | undefined {
  if (tooDeep) return undefined;
  const opening = tokens.findIndex(token => token.type === 'lbrace');
  const head = opening === -1 ? undefined : parseHead(tokens.slice(0, opening + 1));
  if (!head) return undefined;
  const open = tokens[opening]!;
  const last = tokens.at(-1)!;
  // With a brace missing, the last brace closes the declaration only when it is indented no deeper than the
  // declaration.
  const closed = last.type === 'rbrace' && last !== open && (unclosed.length === 0 || isFirstColumn(last));
  const prefix: readonly Token[] = [{ ...tokens[0]!, type: 'at', text: '@x' }, open];
  const inner = tokens.slice(opening + 1, closed ? -1 : undefined);
  const items = readItems(inner, { prefix, inEntry: false, unclosed: unclosed.length > 0 });
  const body: BodyTree = { open, items, close: closed ? last : closeBehind(last) };
  return head.kind === 'override'
    ? { ...head, body, close: body.close }
    : ({ ...head, body } as DeclarationTree);
}

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

const readItems = (tokens: readonly Token[], place: Place): ItemTree[] =>
  cutSegments(tokens, place.unclosed).flatMap(segment => readSegment(segment, place));

/** The items of a segment, parsed in their context with its braces closed after them. */
function readSegment(segment: readonly Token[], place: Place): readonly ItemTree[] {
  const { prefix, inEntry } = place;
  const last = segment.at(-1)!;
  const close = closeBehind(last);
  const outcome = parseTokens([...prefix, ...segment, close, ...(inEntry ? [close] : [])]);
  if (!outcome.ok) return readEntry(segment, place);
  const { items } = (outcome.tree as Head).body!;
  return inEntry ? ((items[0] as FieldTree).value as ObjectTree).items : items;
}

/** Parses `key: { … }` with an invalid content field by field. */
function readEntry(segment: readonly Token[], { prefix, inEntry, unclosed }: Place): readonly FieldTree[] {
  const [key] = segment;
  const colon = segment[1]?.type === 'colon' ? 1 : 2;
  const open = segment[colon + 1];
  if (key?.type !== 'name' && key?.type !== 'string') return [];
  if (segment[colon]?.type !== 'colon' || open?.type !== 'lbrace') return [];
  const trailing = segment.at(-1)!.type === 'comma' ? 1 : 0;
  const last = segment[segment.length - 1 - trailing]!;
  const brackets: Token[] = [];
  for (const token of segment.slice(colon + 1)) {
    // Tokens after the closing brace of the entry mean that the error is not inside it.
    if (token !== open && brackets.length === 0 && token.type !== 'comma') return [];
    trackBrackets(brackets, token);
  }
  const closed = brackets.length === 0;
  const tokens = segment.slice(colon + 2, segment.length - trailing - (closed ? 1 : 0));
  if (tokens.length === 0 && closed) return [];
  const below = inEntry ? prefix : [...prefix, key, segment[colon]!, open];
  const items = readItems(tokens, { prefix: below, inEntry: true, unclosed });
  const close = closed ? last : closeBehind(last);
  const value: ObjectTree = { kind: 'object', open, items: items as FieldTree[], close };
  return [{ kind: 'field', key, mark: colon === 2 ? segment[1] : undefined, value }];
}
