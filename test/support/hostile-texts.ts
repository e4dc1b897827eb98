/**
 * All readers of untrusted text, and texts that are hard to read. The length of each text grows with its size
 * parameter.
 */
import { findInjections } from '../../src/check/rules/texts.ts';
import { parseMarkdown } from '../../src/kinds/document/read/markdown.ts';
import { type DataFormat, parseData } from '../../src/kinds/read/parse-data.ts';
import { diffTexts } from '../../src/plan/diff.ts';
import { compileTemplate } from '../../src/spec/templates.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import { readFrontMatter } from '../../src/text/front-matter.ts';
import { compileGlobs } from '../../src/text/globs.ts';
import { findHidden } from '../../src/text/hidden.ts';
import { findSecrets } from '../../src/text/secrets.ts';
import { suggest } from '../../src/text/similar.ts';
import { readYaml } from '../../src/text/yaml.ts';

type Read = (text: string) => unknown;
type Shapes = Readonly<Record<string, (size: number) => string>>;

const each = (size: number, make: (index: number) => string): string =>
  Array.from({ length: size }, (_, index) => make(index)).join('');

const yamlShapes: Shapes = {
  'equal keys': size => each(size, () => 'a: 1\n'),
  'different keys': size => each(size, index => `k${index}: 1\n`),
  'numbers in a list': size => `a:\n${each(size, index => `  - ${index}.10\n`)}`,
  aliases: size => `a: &a 1\nb: [${each(size, () => '*a, ')}]\n`,
  anchors: size => each(size, index => `k${index}: &a${index} 1\n`),
  'alias bomb': size =>
    `a0: &a0 [x]\n${each(Math.min(size, 500), index => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`)}`,
  'unknown aliases': size => each(size, index => `k${index}: *u${index}\n`),
  'open brackets': size => `a: ${'['.repeat(size)}\n`,
  'closed brackets': size => `a: ${'['.repeat(Math.min(size, 900))}${']'.repeat(Math.min(size, 900))}\n`,
  'open quote': size => `a: "${each(size, () => 'word\n')}`,
  'open quotes': size => each(size, index => `k${index}: "word\n`),
  'one long line': size => `a: ${'word '.repeat(size)}\n`,
  'escaped line': size => `a: "${'\\u0041'.repeat(size)}"\n`,
  comments: size => `${each(size, () => '# word\n')}a: 1\n`,
  'lines without keys': size => `a: 1\n${each(size, () => 'word\n')}`,
  tabs: size => each(size, () => 'a:\n\t- 1\n'),
  merges: size => `a: &a { b: 1 }\nc:\n${each(size, () => '  <<: *a\n')}`,
};

const markdownShapes: Shapes = {
  'open brackets': size => '['.repeat(size),
  'open links': size => '[a]('.repeat(size),
  images: size => '![['.repeat(size),
  stars: size => '*a **b '.repeat(size),
  'closing stars': size => `${'a**'.repeat(size)}`,
  underscores: size => '_a __b '.repeat(size),
  backticks: size => each(Math.min(size, 2000), index => `${'`'.repeat(index % 200)} `),
  'nested quotes': size => `${'>'.repeat(size)} a`,
  'nested lists': size => each(Math.min(size, 300), index => `${'  '.repeat(index)}- a\n`),
  'many items': size => each(size, () => '- a\n'),
  table: size => `|${'a|'.repeat(size)}\n|${'-|'.repeat(size)}\n|${'b|'.repeat(size)}\n`,
  'table rows': size => `|a|\n|-|\n${each(size, () => '|b|\n')}`,
  'open tags': size => '<a '.repeat(size),
  comments: size => '<!-- '.repeat(size),
  addresses: size => 'http://a.b_c_'.repeat(size),
  mails: size => 'a.b-c@'.repeat(size),
  definitions: size => each(size, index => `[a${index}]: b\n`),
  footnotes: size => each(size, index => `[^a${index}]: b\n`),
  'long paragraph': size => each(size, () => 'word word\n'),
};

const jsonShapes: Shapes = {
  'equal keys': size => `{${each(size, () => '"a":1,')}"b":1}`,
  'open arrays': size => '['.repeat(size),
  'open objects': size => '{"a":'.repeat(size),
  'open string': size => `["${'a'.repeat(size * 4)}`,
  errors: size => `[${'@,'.repeat(size)}]`,
};

const tomlShapes: Shapes = {
  'different keys': size => each(size, index => `k${index} = 1\n`),
  'dotted keys': size => `${'a.'.repeat(size)}b = 1\n`,
  arrays: size => `a = ${'['.repeat(size)}`,
  tables: size => each(size, index => `[a.b${index}]\n`),
  'arrays of tables': size => each(size, () => '[[a]]\nb = 1\n'),
  'open text': size => `a = """${'word\n'.repeat(size)}`,
};

const prsShapes: Shapes = {
  'open braces': size => '@standards {'.repeat(size),
  'open lists': size => `@standards { a: ${'['.repeat(size)}`,
  'nested objects': size => `@standards { ${'a: {'.repeat(size)}${'}'.repeat(size)} }`,
  'equal keys': size => `@standards {\n${each(size, () => 'a: 1\n')}}\n`,
  'open text': size => `@identity { """${each(size, () => 'word\n')}`,
  'open quotes': size => `@standards {\n${each(size, index => `k${index}: "word\n`)}}\n`,
  'wrong signs': size => `@standards {\n${each(size, () => '= ) ( = \n')}}\n`,
  blocks: size => each(size, index => `@unknown${index} { a: 1 }\n`),
  'one long line': size => `@standards { a: [${'word, '.repeat(size)}] }`,
};

const plainShapes: Shapes = {
  'one letter': size => 'a'.repeat(size * 8),
  'beginnings of keys': size => 'sk-'.repeat(size * 3),
  tokens: size => 'eyJaaaaaaaaaaaaaaaaaaaa.'.repeat(size),
  addresses: size => '://a:'.repeat(size * 2),
  dashes: size => '-'.repeat(size * 8),
  hidden: size => '\u200b\u{e0020}\u200d'.repeat(size),
  flags: size => '\u{1f3f4}\u{e0067}'.repeat(size),
  phrases: size => 'ignore all previous '.repeat(size),
  'blank lines': size => '\n \t'.repeat(size * 3),
  words: size => 'you are now the '.repeat(size),
};

const parsed =
  (format: DataFormat): Read =>
  text =>
    parseData(text, format);
const diffed: Shapes = {
  'other lines': size => each(size, index => `line ${index}\n`),
  'equal lines': size => each(size, index => `${index % 2}\n`),
};

/** Readers by name, with the size at which the texts take a few milliseconds. */
export const readers: Readonly<
  Record<string, { readonly read: Read; readonly shapes: Shapes; readonly size: number }>
> = {
  'front matter': {
    read: text => readFrontMatter(`---\n${text}\n---\nText.\n`),
    shapes: yamlShapes,
    size: 1000,
  },
  yaml: { read: text => readYaml({ name: '', text }), shapes: yamlShapes, size: 1000 },
  markdown: { read: parseMarkdown, shapes: markdownShapes, size: 500 },
  json: { read: parsed('jsonc'), shapes: jsonShapes, size: 2000 },
  toml: { read: parsed('toml'), shapes: tomlShapes, size: 500 },
  prs: { read: text => parseDocument({ name: 'a.prs', text }, () => {}), shapes: prsShapes, size: 250 },
  globs: {
    read: text => compileGlobs(text.split('\n'))('a/'.repeat(400)),
    shapes: {
      braces: size => '{a,b}'.repeat(size),
      'open braces': size => '{a,'.repeat(size),
      groups: size => '@(a|'.repeat(size),
      stars: size => '*a'.repeat(size),
      globstars: size => '**/a/'.repeat(size),
      classes: size => '[a'.repeat(size),
      many: size => each(size, index => `**/*${index}*\n`),
    },
    size: 25,
  },
  templates: {
    read: text => compileTemplate(text, 'template').catch(() => undefined),
    shapes: {
      'open blocks': size => '{{#if a}}'.repeat(size),
      'nested blocks': size => `${'{{#if a}}'.repeat(size)}${'{{/if}}'.repeat(size)}`,
      braces: size => '{'.repeat(size),
      values: size => '{{a}} '.repeat(size),
    },
    size: 250,
  },
  secrets: { read: findSecrets, shapes: plainShapes, size: 2000 },
  hidden: { read: findHidden, shapes: plainShapes, size: 2000 },
  injection: { read: text => findInjections({ name: '', text }), shapes: plainShapes, size: 1000 },
  diff: {
    read: text => diffTexts(text, text.split('\n').reverse().join('\n'), false),
    shapes: diffed,
    size: 500,
  },
  suggestions: {
    read: text => suggest('word-word-word', text.split('\n')),
    shapes: {
      names: size => each(size, index => `word-word-${index}\n`),
      'long names': size => each(100, () => `${'a'.repeat(size)}\n`),
    },
    size: 2000,
  },
};
