import nearley from 'nearley';
import grammar from '../generated/grammar.ts';
import { once } from '../text/memo.ts';
import type { Token } from './lexer.ts';
import type { DeclarationTree } from './tree.ts';

/** What the grammar accepts at the position of a failure. */
export interface Expectation {
  /** Accepted token types. */
  readonly tokens: ReadonlySet<string>;
  /** Rules that may start there: `value`, `key`, `item` … */
  readonly rules: ReadonlySet<string>;
}

/**
 * The result of parsing the tokens of a declaration: its tree, or the failing token and what is accepted
 * instead.
 */
export type ParseOutcome =
  /** `readings` is 1 unless the grammar is ambiguous; `tree` is the first reading. */
  | { readonly ok: true; readonly tree: DeclarationTree; readonly readings: number }
  /** `at` is the index of the failing token; the number of tokens when more are needed. */
  | { readonly ok: false; readonly at: number; readonly expected: Expectation };

// The parts of nearley's parse table that its type declarations omit.
interface Column {
  readonly scannable: readonly {
    readonly rule: {
      readonly symbols: readonly (string | { readonly type?: string; readonly types?: string[] })[];
    };
    readonly dot: number;
  }[];
  readonly wants: Readonly<Record<string, unknown>>;
}

/** The error message of nearley would contain its whole parse table. */
class Parser extends nearley.Parser {
  declare readonly table: readonly Column[];
  reportError = () => '';
}

/** nearley requires a lexer; this one returns the tokens of a given list. */
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
 * Parses the tokens of one declaration. Only this module uses nearley, which counts errors in tokens, does
 * not report an unexpected end of input, and may return several trees. Tests check that the grammar is
 * unambiguous.
 */
export function parseTokens(tokens: readonly Token[]): ParseOutcome {
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
