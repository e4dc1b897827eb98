/** Generates the TextMate grammar of the language from the block catalogue. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { BlockCatalogue } from '../../src/generated/types/blocks.ts';

const word = '[\\p{L}_][\\p{L}\\p{M}\\p{N}_-]*';
const wordEnd = '(?![\\p{L}\\p{M}\\p{N}_-])';

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly while?: string;
  readonly contentName?: string;
  readonly captures?: Captures;
  readonly beginCaptures?: Captures;
  readonly endCaptures?: Captures;
  readonly patterns?: readonly Rule[];
  readonly include?: string;
}

type Captures = Readonly<Record<string, { readonly name: string }>>;

/** The TextMate grammar, which editors and code hosts use for syntax highlighting. */
export function textMateGrammar(root: string): object {
  const { blocks } = parse(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as BlockCatalogue;
  const names = blocks.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  return {
    $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
    name: 'instr source',
    scopeName: 'source.prs',
    fileTypes: ['prs'],
    patterns: [{ include: '#all' }],
    // Parameters take precedence over the Markdown grammar.
    injections: { 'L:meta.embedded.block.markdown': { patterns: [{ include: '#parameter' }] } },
    repository: {
      all: {
        patterns: [
          'comment',
          'text',
          'import',
          'change',
          'directive',
          'block',
          'key',
          'string',
          'value',
          'mark',
        ].map(name => ({ include: `#${name}` })),
      },
      ...rules(names),
    },
  };
}

/** Matches if no text block ends in the rest of the line. */
const withoutEnd = '(?!(?:[^"\\\\]|\\\\.|"(?!""))*""")';

const string = (quote: string): Rule => ({
  name: `string.quoted.${quote === '"' ? 'double' : 'single'}.prs`,
  begin: quote,
  end: `${quote}|$`,
  patterns: [
    { name: 'constant.character.escape.prs', match: '\\\\(?:u[0-9a-fA-F]{4}|.)' },
    { include: '#parameter' },
  ],
});

const rules = (blocks: readonly string[]): Record<string, Rule> => ({
  comment: { name: 'comment.line.number-sign.prs', match: '#.*$' },
  parameter: { name: 'variable.parameter.prs', match: `\\{\\{\\s*${word}\\s*\\}\\}|\\$\\{[^{}]*\\}` },
  text: {
    begin: '"""',
    end: '(?<!\\\\)"""',
    beginCaptures: { 0: { name: 'punctuation.definition.string.begin.prs' } },
    endCaptures: { 0: { name: 'punctuation.definition.string.end.prs' } },
    contentName: 'meta.embedded.block.markdown',
    // Markdown paragraphs and code blocks only end by their own rules, unless `while` stops them. `while` also consumes the
    // indentation, which Markdown would treat as code.
    patterns: [
      {
        begin: `\\G${withoutEnd}`,
        while: `^${withoutEnd}\\s*`,
        patterns: [{ include: 'text.html.markdown' }],
      },
    ],
  },
  import: {
    begin: `(@(?:use|inherit)${wordEnd})`,
    end: '$|(?=[}])',
    beginCaptures: { 1: { name: 'keyword.control.prs' } },
    patterns: [
      { include: '#comment' },
      { name: 'keyword.operator.word.prs', match: `(?<=\\s)(?:as|into|for)${wordEnd}` },
      { include: '#string' },
      { begin: '\\(', end: '\\)', patterns: [{ include: '#all' }] },
      { name: 'string.unquoted.reference.prs', match: '(?<=@use\\s|@inherit\\s)[^\\s(){}\\[\\]"\'#,]+' },
      { name: 'variable.other.prs', match: word },
    ],
  },
  change: {
    begin: `(@(?:extend|override)${wordEnd})`,
    end: '(?=\\{)|$',
    beginCaptures: { 1: { name: 'keyword.control.prs' } },
    patterns: [
      { include: '#comment' },
      { include: '#string' },
      { name: 'entity.name.tag.prs', match: word },
      { name: 'punctuation.separator.prs', match: '\\.' },
    ],
  },
  directive: { name: 'keyword.control.prs', match: `@header${wordEnd}` },
  block: {
    patterns: [
      { name: 'keyword.control.block.prs', match: `@(?:${blocks.join('|')})${wordEnd}` },
      { name: 'entity.name.type.prs', match: `@${word}` },
    ],
  },
  key: {
    match: `(${word}|"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|[\\p{L}\\p{N}_.-]+)\\s*([!?]?)(?=\\s*:)`,
    captures: { 1: { name: 'entity.name.tag.prs' }, 2: { name: 'keyword.operator.prs' } },
  },
  string: { patterns: [string('"'), string("'")] },
  value: {
    patterns: [
      { include: '#parameter' },
      { name: 'constant.language.prs', match: `(?<![\\p{L}\\p{N}_-])(?:true|false|null)${wordEnd}` },
      { name: 'support.function.prs', match: `(?:env|enum|range)(?=\\()` },
      { name: 'support.type.prs', match: `(?<=:\\s)(?:string|number|boolean)${wordEnd}` },
      {
        name: 'constant.numeric.prs',
        match: '(?<![\\p{L}\\p{N}_.-])-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?![\\p{L}\\p{N}_.-])',
      },
      { name: 'string.unquoted.prs', match: '[\\p{L}_./~^*][^\\s{}()\\[\\]",\'#:=]*' },
    ],
  },
  mark: { name: 'punctuation.separator.prs', match: '[:,=+]|(?<=^|\\s)-(?=\\s)' },
});
