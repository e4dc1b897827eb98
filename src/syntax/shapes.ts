import type { Token } from './lexer.ts';
import { type Outcome, parseTokens } from './nearley.ts';
import type { DeclarationTree } from './tree.ts';

/** Longer declarations are seldom alike. */
const mostTokens = 40;
/** A project of thousands of different declarations is not worth the memory. */
const mostShapes = 500;

/** By the types of the tokens: the tree, with the places of tokens in the declaration instead of them. */
const shapes = new Map<string, unknown>();

/**
 * Parses the tokens of one declaration, which are all different. Its tree depends on their types alone, so a declaration
 * shaped like an earlier one takes over that tree with its own tokens: a thousand files have a few shapes.
 */
export function parseByShape(tokens: readonly Token[]): Outcome {
  if (tokens.length > mostTokens) return parseTokens(tokens);
  const types = tokens.map(({ type }) => type).join(' ');
  const shape = shapes.get(types);
  if (shape) return { ok: true, tree: fill(shape, tokens) as DeclarationTree, readings: 1 };
  const outcome = parseTokens(tokens);
  if (outcome.ok && outcome.readings === 1 && shapes.size < mostShapes)
    shapes.set(types, shapeOf(outcome.tree, new Map(tokens.map((token, at) => [token, at]))));
  return outcome;
}

const shapeOf = (part: unknown, places: ReadonlyMap<unknown, number>): unknown =>
  places.get(part) ?? mapParts(part, one => shapeOf(one, places));

const fill = (shape: unknown, tokens: readonly Token[]): unknown =>
  typeof shape === 'number' ? tokens[shape] : mapParts(shape, one => fill(one, tokens));

/** Trees hold objects, words and nothing else. */
function mapParts(part: unknown, change: (part: unknown) => unknown): unknown {
  if (typeof part !== 'object') return part;
  const made: Record<string, unknown> = {};
  for (const name in part) made[name] = change(part[name as never]);
  return made;
}
