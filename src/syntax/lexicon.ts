import moo from 'moo';
import { textMark } from './marks.ts';

/*
 * The definition of the tokens. A run does not read it: the build has moo compile it and makes src/generated/lexers.ts of
 * that, which says for each character which of the expressions may match there.
 */

/** What words are made of, as the inside of a character class. */
interface Alphabet {
  readonly letter: string;
  readonly number: string;
  /** Everything that may stand inside a word. */
  readonly inner: string;
  /** Characters that this alphabet cannot judge: a word must not end at one, as it may go on. */
  readonly beyond: string;
  readonly flags: 'u' | '';
}

const full: Alphabet = {
  letter: String.raw`\p{L}`,
  number: String.raw`\p{N}`,
  inner: String.raw`\p{L}\p{M}\p{N}`,
  beyond: '',
  flags: 'u',
};

const ascii: Alphabet = {
  letter: 'A-Za-z',
  number: '0-9',
  inner: 'A-Za-z0-9',
  beyond: String.raw`\x80-\uffff`,
  flags: '',
};

/** The lexers of the language, by their alphabet; they start in `main`. */
export const makeLexers = (): Readonly<Record<'full' | 'ascii', moo.Lexer>> => ({
  full: makeLexer(full),
  ascii: makeLexer(ascii),
});

function makeLexer({ letter, number, inner, beyond, flags }: Alphabet): moo.Lexer {
  const regex = (text: TemplateStringsArray, ...parts: string[]) =>
    new RegExp(String.raw(text, ...parts), flags);
  const wordEnd = `(?![${inner}_${beyond}-])`;
  const keyword = (name: string) => regex`@${name}${wordEnd}`;
  const identifier = `[${letter}_][${inner}_-]*${wordEnd}`;

  const blank = {
    newline: { match: regex`\r\n?|\n`, lineBreaks: true },
    space: regex`[ \t\r\f\v\u00a0\ufeff]+`,
    comment: regex`#[^\r\n]*`,
  };
  // Strings without escapes; `openString` is looked at again by hand, as a repeated alternative in a regular
  // expression would overflow its stack on a string with millions of escapes.
  const string = regex`"[^"\\\r\n]*"|'[^'\\\r\n]*'`;
  const openString = regex`["']`;
  const wrongQuote = regex`“[^”\r\n]*”?|‘[^’\r\n]*’?|„[^“”\r\n]*[“”]?|«[^»\r\n]*»?|\x60[^\x60\r\n]*\x60?|[”’»]`;
  const other = { match: regex`[\s\S]`, lineBreaks: true };
  const keywords = {
    inherit: { match: keyword('inherit'), push: 'reference' },
    use: { match: keyword('use'), push: 'reference' },
    extend: { match: keyword('extend'), push: 'path' },
    override: { match: keyword('override'), push: 'path' },
    header: keyword('header'),
    at: regex`@${identifier}`,
  };
  const brackets = { lbrace: '{', rbrace: '}', lbracket: '[', rbracket: ']' };
  const clauses = {
    lparen: { match: '(', push: 'main' },
    ...brackets,
    rbrace: { match: '}', pop: 1 },
    comma: { match: ',', pop: 1 },
    newline: { ...blank.newline, pop: 1 },
    space: blank.space,
    comment: blank.comment,
    string,
    openString,
    wrongQuote,
    inherit: { match: keyword('inherit'), next: 'reference' },
    use: { match: keyword('use'), next: 'reference' },
    header: { match: keywords.header, pop: 1 },
    at: { match: keywords.at, pop: 1 },
    as: regex`as${wordEnd}`,
    into: regex`into${wordEnd}`,
    for: { match: regex`for${wordEnd}`, next: 'targets' },
    name: regex`${identifier}`,
    other,
  };
  // Names behind `for`, to the end of the line.
  const targets = {
    comma: ',',
    rbrace: clauses.rbrace,
    newline: clauses.newline,
    space: blank.space,
    comment: blank.comment,
    inherit: clauses.inherit,
    use: clauses.use,
    header: clauses.header,
    at: clauses.at,
    name: clauses.name,
    other,
  };

  return moo.states({
    main: {
      ...brackets,
      lparen: { match: '(', push: 'main' },
      rparen: { match: ')', pop: 1 },
      colon: ':',
      comma: ',',
      equals: '=',
      question: '?',
      bang: '!',
      plus: '+',
      ...blank,
      text: textMark,
      string,
      openString,
      wrongQuote,
      slashComment: regex`//[^\r\n]*|/\*+(?=\s)`,
      ...keywords,
      range: regex`-?\d+(?:\.\d+)?[ \t]*\.\.[ \t]*-?\d+(?:\.\d+)?(?![${letter}${number}_./${beyond}])`,
      // `5`, `1.5.0`, `feat`, `node.js`: may be a key. `./a.md`, `${HOME}/x`, `^1.0`, `-5`, `1e+9`: values only.
      name: regex`[${letter}${number}_][${inner}_.-]*(?![${inner}_./~^+@%*$${beyond}-])`,
      word: regex`(?:-\d|\$\{[^{}\r\n]*\}|[${letter}${number}_./~^*${beyond}])(?:\$\{[^{}\r\n]*\}|[${inner}_./~^+@%*${beyond}-]+)*`,
      dash: '-',
      other,
    },
    // Behind `@use` and `@inherit`: one reference, then clauses until the line ends.
    reference: {
      ...brackets,
      rbrace: { match: '}', pop: 1 },
      newline: { ...blank.newline, pop: 1 },
      space: blank.space,
      comment: blank.comment,
      string: { match: string, next: 'quoted' },
      openString: { match: openString, next: 'quoted' },
      wrongQuote: { match: wrongQuote, next: 'clauses' },
      reference: { match: regex`[^\s(){}[\]"'#,]+`, next: 'clauses' },
      other,
    },
    // A version is attached to the quote that it follows.
    quoted: {
      version: { match: regex`@[^\s(){}[\]"'#,]+`, next: 'clauses' },
      ...clauses,
      space: { match: blank.space, next: 'clauses' },
    },
    clauses,
    targets,
    // Behind `@extend` and `@override`: a dotted path until the brace.
    path: {
      dot: '.',
      lbrace: { match: '{', pop: 1 },
      ...blank,
      string,
      openString,
      wrongQuote,
      at: keywords.at,
      segment: regex`${identifier}`,
      other,
    },
  });
}
