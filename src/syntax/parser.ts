import nearley from 'nearley';
import grammar from '../generated/grammar.ts';
import { once } from '../text/memo.ts';
import type { Token } from './lexer.ts';
import type { DeclarationTree } from './tree.ts';

/** What the grammar could have gone on with where it stopped. */
export interface Expectation {
  /** Token types that fit. */
  readonly tokens: ReadonlySet<string>;
  /** Rules that may start here: `value`, `key`, `item` … */
  readonly rules: ReadonlySet<string>;
}

/** What parsing the tokens of a declaration gave: its tree, or the token that does not fit and what would fit. */
export type Outcome =
  /** `readings` is one unless the grammar is ambiguous; then `tree` is its first reading. */
  | { readonly ok: true; readonly tree: DeclarationTree; readonly readings: number }
  /** `at` is the index of the token that does not fit; the number of tokens when there should be more. */
  | { readonly ok: false; readonly at: number; readonly expected: Expectation };

// The parts of nearley's parse table that its types leave out.
interface Column {
  readonly scannable: readonly {
    readonly rule: {
      readonly symbols: readonly (string | { readonly type?: string; readonly types?: string[] })[];
    };
    readonly dot: number;
  }[];
  readonly wants: Readonly<Record<string, unknown>>;
}

/** nearley's own message would list its whole parse table. */
class Parser extends nearley.Parser {
  declare readonly table: readonly Column[];
  reportError = () => '';
}

/** nearley reads tokens from what it takes for a lexer: here the list of tokens that it is fed. */
class TokenReader {
  #tokens: readonly Token[] = [];
  #at = 0;
  reset(tokens: readonly Token[]): void {
    this.#tokens = tokens;
    this.#at = 0;
  }
  next = () => this.#tokens[this.#at++];
  save = () => undefined;
  formatError = () => '';
  has = () => true;
}

const makeParser = once(() => {
  const rules = nearley.Grammar.fromCompiled(grammar as unknown as nearley.CompiledRules);
  const parser = new Parser(rules, { lexer: new TokenReader() as unknown as nearley.Lexer });
  return { parser, start: parser.save() };
});

/**
 * Parses the tokens of one declaration. This is the only place that knows nearley: it counts errors in tokens, has no
 * error at the end of input, and could find more than one tree. The grammar has one reading for every text; the tests
 * of this folder check that.
 */
export function parseTokens(tokens: readonly Token[]): Outcome {
  const { parser, start } = makeParser();
  parser.restore(start);
  try {
    parser.feed(tokens as unknown as string);
  } catch (error) {
    const { token, offset } = error as { token?: unknown; offset: number };
    if (token === undefined) throw error;
    return { ok: false, at: offset, expected: expectation(parser.table[offset]!) };
  }
  const tree = parser.results[0] as DeclarationTree | undefined;
  if (tree) return { ok: true, tree, readings: parser.results.length };
  return { ok: false, at: tokens.length, expected: expectation(parser.table[tokens.length]!) };
}

function expectation({ scannable, wants }: Column): Expectation {
  const symbols = scannable.map(({ rule, dot }) => rule.symbols[dot]!);
  const tokens = symbols.flatMap(symbol =>
    typeof symbol === 'string' ? [] : (symbol.types ?? [symbol.type!]),
  );
  return { tokens: new Set(tokens), rules: new Set(Object.keys(wants)) };
}
