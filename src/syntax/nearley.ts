import nearley from 'nearley';
import compiled from '../generated/grammar.ts';
import type { Token } from './lexer.ts';
import type { DeclarationTree } from './tree.ts';

/** What the grammar could have gone on with where it stopped. */
export interface Expectation {
  /** Token types that fit. */
  readonly tokens: ReadonlySet<string>;
  /** Rules that may start here: `value`, `key`, `item` … */
  readonly rules: ReadonlySet<string>;
}

/** What parsing a chunk of tokens gave: its tree, or the token that fits nowhere and what would have fitted. */
export type Outcome =
  /** `readings` is one unless the grammar is ambiguous; then `tree` is its first reading. */
  | { readonly ok: true; readonly tree: DeclarationTree; readonly readings: number }
  /** `at` is the index of the token that does not fit; the number of tokens when there should be more. */
  | { readonly ok: false; readonly at: number; readonly expected: Expectation };

/** Matches tokens of one type, or of one of several. */
type Matcher = { readonly type: string } | { readonly types: readonly string[] };

// The parts of nearley that its types leave out.
interface State {
  readonly rule: { readonly symbols: readonly (string | Matcher)[] };
  readonly dot: number;
}
interface Column {
  readonly scannable: readonly State[];
  readonly wants: Readonly<Record<string, unknown>>;
}
interface Internals {
  readonly table: readonly Column[];
  readonly current: number;
  reportError: () => string;
}

let grammar: nearley.Grammar | undefined;

/**
 * Parses the tokens of one declaration, and says what would have fitted where one fits nowhere. This is the only place
 * that knows nearley and its ways: it counts errors in tokens, says nothing at the end of input, and could find more
 * than one tree. The grammar is written to have one reading for every text, and the tests of this folder hold it to that.
 */
export function parseTokens(tokens: readonly Token[]): Outcome {
  grammar ??= nearley.Grammar.fromCompiled(compiled() as unknown as nearley.CompiledRules);
  let at = 0;
  const lexer = {
    reset() {},
    next: () => tokens[at++] as unknown as nearley.Token,
    save: () => ({}) as never,
    formatError: () => '',
    has: () => true,
  };
  const parser = new nearley.Parser(grammar, {
    lexer: lexer as unknown as nearley.Lexer,
    keepHistory: tokens.length < 500,
  });
  const internals = parser as unknown as Internals;
  // nearley's own message would list its whole parse table.
  internals.reportError = () => '';
  try {
    parser.feed('');
  } catch (error) {
    if ((error as { token?: unknown }).token === undefined) throw error;
    return { ok: false, at: internals.current, expected: expectation(internals.table[internals.current]!) };
  }
  const tree = parser.results[0] as DeclarationTree | undefined;
  if (tree) return { ok: true, tree, readings: parser.results.length };
  return { ok: false, at: tokens.length, expected: expectation(internals.table.at(-1)!) };
}

function expectation(column: Column): Expectation {
  const tokens = new Set<string>();
  for (const state of column.scannable) {
    const symbol = state.rule.symbols[state.dot];
    if (typeof symbol !== 'object') continue;
    for (const type of 'types' in symbol ? symbol.types : [symbol.type]) tokens.add(type);
  }
  return { tokens, rules: new Set(Object.keys(column.wants)) };
}
