import { actions, columns, gotos, lengths, makes, names, start } from '../generated/parse-table.ts';
import type { Token } from './lexer.ts';
import { type Outcome, parseTokens } from './nearley.ts';
import type { DeclarationTree } from './tree.ts';

/** What a rule is given, by their number: tree.ts takes from it and does not keep it. */
const scratch: readonly unknown[][] = [0, 1, 2, 3, 4, 5].map(count =>
  new Array<unknown>(count).fill(undefined),
);

/**
 * Parses the tokens of one declaration by a table that the build makes of the grammar: of each token it knows what to
 * do. nearley, which carries every alternative along and takes ten times as long, is asked what is wrong with tokens
 * that fit nowhere, and about the few places where one token does not decide.
 */
export function parseByTable(tokens: readonly Token[]): Outcome {
  const tree = treeOf(tokens);
  return tree ? { ok: true, tree, readings: 1 } : parseTokens(tokens);
}

/** What lies above `top` on both stacks is left over: a run is over before V8 has made arrays that grow and shrink fast. */
function treeOf(tokens: readonly Token[]): DeclarationTree | undefined {
  const states = [0];
  const values: unknown[] = [undefined];
  let top = 0;
  let at = 0;
  for (;;) {
    const token = tokens[at];
    const action = cell(actions, states[top]!, (token && columns[token.type]) ?? 0);
    if (action === 0) return undefined;
    if (action > 0) {
      states[++top] = action;
      values[top] = token;
      at++;
      continue;
    }
    const name = names[~action]!;
    const length = lengths[~action]!;
    const make = makes[~action];
    const below = top - length;
    const matched = make ? scratch[length]! : new Array<unknown>(length);
    for (let index = 0; index < length; index++) matched[index] = values[below + 1 + index];
    const value = make ? make(matched as never) : matched;
    if (below === 0 && name === start) return at === tokens.length ? (value as DeclarationTree) : undefined;
    top = below + 1;
    states[top] = cell(gotos, states[below]!, name);
    values[top] = value;
  }
}

/** What a table has for a state in a column. */
const cell = ({ width, shift, first, rows, cells }: typeof actions, state: number, column: number): number =>
  cells.charCodeAt((rows.charCodeAt(state) - first) * width + column) - shift;
