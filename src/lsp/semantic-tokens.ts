import { type SemanticTokens, SemanticTokensBuilder, type SemanticTokenTypes } from 'vscode-languageserver';
import { findBlock } from '../resolve/catalogue.ts';
import { type Token, tokensOf } from '../syntax/lexer.ts';
import { positionAt, type Source } from '../text/source.ts';

/** The token types, in the order of their numbers. */
const kinds = [
  'keyword',
  'class',
  'property',
  'string',
  'number',
  'comment',
  'parameter',
  'namespace',
  'enumMember',
  'macro',
] as const satisfies readonly `${SemanticTokenTypes}`[];

type Kind = (typeof kinds)[number];

/** The LSP legend of semantic tokens. */
export const legend = { tokenTypes: [...kinds] as string[], tokenModifiers: [] as string[] };

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly type: Kind;
}

/** The semantic tokens of a source. A token of several lines is split into lines. */
export function semanticTokensOf(source: Source): SemanticTokens {
  const pieces: Piece[] = [];
  const onComment = (start: number, end: number) => pieces.push({ start, end, type: 'comment' });
  const tokens = [...tokensOf(source, { onComment })];
  for (const [index, token] of tokens.entries()) {
    const type = typeOf(token, tokens[index + 1]);
    if (type !== undefined) pieces.push(...piecesOf(token, type));
  }
  const builder = new SemanticTokensBuilder();
  for (const { start, end, type } of pieces.sort((a, b) => a.start - b.start)) {
    let from = start;
    for (const line of source.text.slice(start, end).split('\n')) {
      const { line: row, column } = positionAt(source, from);
      const length = line.replace(/\r$/, '').length;
      if (length > 0) builder.push(row - 1, column - 1, length, kinds.indexOf(type), 0);
      from += line.length + 1;
    }
  }
  return builder.build();
}

function typeOf({ type, text }: Token, following: Token | undefined): Kind | undefined {
  switch (type) {
    case 'at':
      return findBlock(text.slice(1)) ? 'keyword' : 'class';
    case 'use':
    case 'inherit':
    case 'extend':
    case 'override':
    case 'header':
    case 'as':
    case 'into':
    case 'for':
      return 'keyword';
    case 'segment':
      return 'property';
    case 'reference':
    case 'version':
      return 'namespace';
    case 'name':
    case 'string':
      if (/^(?:colon|question|bang)$/.test(following?.type ?? '')) return 'property';
      if (type === 'string') return 'string';
      if (/^(?:true|false|null)$/.test(text)) return 'keyword';
      if (following?.type === 'lparen') return 'macro';
      return /^-?\d/.test(text) ? 'number' : 'enumMember';
    case 'text':
    case 'openText':
    case 'openString':
      return 'string';
    case 'word':
    case 'range':
      return /^-?\d/.test(text) ? 'number' : 'string';
    default:
      return undefined;
  }
}

/** Splits texts around the parameters in them; Markdown is left to the editor. */
function piecesOf({ type: token, start, end, text }: Token, type: Kind): Piece[] {
  if (type !== 'string') return [{ start, end, type }];
  const matches = text.matchAll(/\{\{\s*[\w-]+\s*\}\}|\$\{[^{}\r\n]*\}/g);
  const parameters = Array.from(matches, ({ 0: match, index }): Piece => {
    return { start: start + index, end: start + index + match.length, type: 'parameter' };
  });
  if (token === 'text' || token === 'openText') return parameters;
  const borders = [start, ...parameters.flatMap(one => [one.start, one.end]), end];
  return borders.slice(1).map((border, at): Piece => {
    return { start: borders[at]!, end: border, type: at % 2 === 0 ? type : 'parameter' };
  });
}
