/** Tests parsing: the AST of each case, error recovery, and unusual input. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Chunk, cutDeclaration } from '../../src/syntax/cut.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import { parseTokens } from '../../src/syntax/parser.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { positionAt } from '../../src/text/source.ts';
import { addCases } from '../support/cases.ts';
import { cases } from './cases.ts';

const syntax = suite('syntax cases');

addCases(syntax, cases);

const chunks = cases.names.flatMap(name => {
  const source = { name, text: readFileSync(join(cases.folder, name, 'input.prs'), 'utf8') };
  const found: Chunk[] = [];
  for (let chunk = cutDeclaration(source, 0, false); chunk; chunk = cutDeclaration(source, chunk.end, false))
    found.push(chunk);
  return found;
});

syntax('the grammar is unambiguous for every declaration', () => {
  const outcomes = chunks.map(({ tokens }) => parseTokens(tokens));
  const readings = outcomes.flatMap(outcome => (outcome.ok ? [outcome.readings] : []));
  assert.ok(readings.length > 50);
  assert.equal(new Set(readings), new Set([1]));
});

syntax.run();

const limits = suite('syntax limits');

const parse = (text: string) => {
  const found: Diagnostic[] = [];
  const document = parseDocument({ name: 'x.prs', text }, finding => found.push(finding));
  return {
    document,
    found,
    names: document.declarations.map(one => (one.kind === 'block' ? one.name : one.kind)),
  };
};

limits('parses a hundred thousand tokens', () => {
  const items = '  - "one rule"\n'.repeat(50_000);
  const { document, found } = parse(`@restrictions {\n${items}}\n@identity { "x" }`);
  assert.equal(found, []);
  const [block] = document.declarations;
  assert.is(block?.kind === 'block' && block.body.items.length, 50_000);
  assert.is(document.declarations.length, 2);
});

limits('parses an import for ten thousand targets', () => {
  const { document, found } = parse(`@use ./a for ${'x, '.repeat(10_000)}y\n`);
  assert.equal(found, []);
  const [use] = document.declarations;
  assert.is(use?.kind === 'use' && use.targets?.length, 10_001);
});

limits('a text of many megabytes is one token', () => {
  const line = 'a "line" \\ of text';
  const { document, found } = parse(`@identity {\n  """\n${`  ${line}\n`.repeat(400_000)}  """\n}`);
  assert.equal(found, []);
  const [block] = document.declarations;
  const [item] = block?.kind === 'block' ? block.body.items : [];
  assert.is(item?.kind === 'text' && item.value.value.length, (line.length + 1) * 400_000 - 1);
});

limits('parses a string of a million escapes', () => {
  const { document, found } = parse(`@a { x: "${'\\n'.repeat(1_000_000)}" }`);
  assert.equal(found, []);
  const [block] = document.declarations;
  const [field] = block?.kind === 'block' ? block.body.items : [];
  assert.is(field?.kind === 'field' && field.value?.kind === 'string' && field.value.value.length, 1_000_000);
});

limits('nesting up to 200 is allowed, and deeper nesting is one error with a position', () => {
  const nested = (depth: number) => `@a { x: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)} }\n@b { }`;
  assert.equal(parse(nested(200)).found, []);
  const { found, names } = parse(nested(201));
  assert.equal(
    found.map(({ code, span }) => [code, span?.start]),
    [['PRS1003', '@a { x: '.length + 199]],
  );
  assert.equal(names, ['b']);
  assert.is(parse(`@a { x: ${'{ y: '.repeat(100_000)}`).found.length, 1);
});

limits('parses a flood of open and closing brackets', () => {
  for (const noise of ['{', '[', '(', '}', '@a { ', 'a { ( [\n', '{ [ }', '@use ./x( {\n']) {
    const { names } = parse(`${noise.repeat(noise.startsWith('@use') ? 5_000 : 100_000)}\n@good { x: 1 }\n`);
    assert.is(names.at(-1), 'good', noise);
  }
});

limits('many broken declarations give one message each, and the valid ones are kept', () => {
  const broken = [
    '@a {\n  """\n  text\n',
    '@a {\n  x: {\n',
    '@a {\n  x: ["a\n',
    '@use ./x(\n',
    '@a {\n  x 1\n}\n',
  ];
  for (const text of broken) {
    const { found, document } = parse(`${text.repeat(300)}@good { x: 1 }\n`);
    assert.is(found.length, 300, text);
    const kept = document.declarations.filter(one => one.kind !== 'block' || one.body.items.length > 0);
    const last = kept.at(-1);
    assert.is(last?.kind === 'block' && last.name, 'good', text);
  }
});

const sound = (name: string) =>
  `@${name} {\n  one: "x"\n  two: {\n    three: [\n      "a"\n    ]\n    four: """\n      text\n    """\n  }\n  """\n  more\n  """\n  - "item"\n}\n`;

limits('any mistake in one declaration gives one message, and the other declarations are kept', () => {
  const breakers = [
    '{',
    '[',
    '(',
    ')',
    ']',
    '}',
    '"',
    "'",
    '"""',
    '@',
    '“',
    'word',
    'key:',
    ':',
    ',,',
    '= 1',
    '//',
    '{ [',
    '"a" }',
  ];
  const before = sound('a') + sound('b');
  const after = sound('d') + sound('e') + sound('f');
  const lines = sound('c').split('\n').slice(0, -1);
  for (const breaker of breakers) {
    for (let at = 1; at < lines.length; at++) {
      const text = before + [...lines.slice(0, at), breaker, ...lines.slice(at), ''].join('\n') + after;
      const { found, names } = parse(text);
      const others = names.filter(name => name !== 'c');
      assert.equal(others, ['a', 'b', 'd', 'e', 'f'], `${breaker} at ${at}`);
      assert.ok(found.length <= 1, `${breaker} at ${at}: ${found.map(({ message }) => message).join(' ')}`);
    }
  }
});

limits('an incomplete line affects only itself, in a block and in an entry', () => {
  const fields = ['a: "x"', 'b: [1, 2]', 'c: { d: 1 }', 'e: """\n  text\n  """', 'f!: g', '"/h": 1', 'i: true'];
  const halves = [
    'half',
    'half:',
    'half "text"',
    'half = 1',
    '"half"x:',
    'half: "open',
    "half: 'open",
    'half: “x”',
    'half: a b c',
    'half: x: y',
    'half: [1 2',
    'half: (',
    ',, half: 1',
    'half: 1;',
    '@half',
    '- ',
  ];
  const keysOf = (text: string): unknown => {
    const [declaration] = parse(text).document.declarations;
    if (declaration?.kind !== 'extend') return undefined;
    const items = declaration.body.items.flatMap(item => (item.kind === 'field' ? [item] : []));
    const entry = items.find(({ key }) => key === 'entry')?.value;
    const inner = entry?.kind === 'object' ? entry.fields : [];
    return [...items, ...inner].map(({ key }) => key).filter(key => !['entry', 'half', 'x', 'y', 'c'].includes(key));
  };
  const all = ['a', 'b', 'e', 'f', '/h', 'i'];
  for (const half of halves) {
    for (let at = 0; at <= fields.length; at++) {
      const lines = [...fields.slice(0, at), half, ...fields.slice(at)].map(line => `  ${line}\n`).join('');
      const inBlock = `@extend k {\n${lines}}\n`;
      assert.ok(parse(inBlock).found.length > 0, inBlock);
      assert.equal(keysOf(inBlock), all, inBlock);
      const inEntry = `@extend k {\n before: 1\n entry: {\n${lines} }\n after: 1\n}\n`;
      assert.equal(keysOf(inEntry), ['before', 'after', ...all], inEntry);
    }
  }
});

limits('random input gives diagnostics, never an exception', () => {
  for (const noise of [
    '}',
    '{',
    '@',
    '"',
    "'",
    '"""',
    '\\',
    '(',
    ')',
    '[',
    '#',
    '@a',
    '@use ',
    '@use (',
    '\r',
    '\u0001',
    '“',
  ]) {
    const { found } = parse(`${noise.repeat(1000)}\n@good { x: 1 }\n`);
    assert.ok(
      found.every(one => one.span && one.hint),
      noise,
    );
    // A comment, blanks, and `@use` of a file named `@use` are valid.
    if (!['#', '\r', '@use '].includes(noise)) assert.ok(found.length > 0, noise);
  }
});

limits('every syntax error starts with the line it names', () => {
  for (const text of ['@a {\n  b\n}', '\n\nx', '@a {\n b: "']) {
    for (const { message, span } of parse(text).found) {
      const { line } = positionAt(span!.source, span!.start);
      assert.ok(message.startsWith(`Unexpected token at line ${line}: found `), message);
    }
  }
});

limits('a path of 10 000 parts is nested too deep, and the text around it is kept', () => {
  for (const word of ['@extend', '@override']) {
    const path = Array(10_000).fill('a').join('.');
    const found: Diagnostic[] = [];
    const text = `@identity { "You." }\n${word} ${path} { x: 1 }\n@context { a: 1 }\n`;
    const document = parseDocument({ name: 'deep.prs', text }, one => found.push(one));
    assert.equal(found.map(({ code }) => code), ['PRS1003']);
    assert.is(positionAt(found[0]!.span!.source, found[0]!.span!.start).line, 2);
    assert.is(document.declarations.length, 2);
    const short: Diagnostic[] = [];
    parseDocument({ name: 'a.prs', text: `${word} ${Array(150).fill('a').join('.')} { x: 1 }` }, one => short.push(one));
    assert.equal(short, []);
  }
});

limits.run();
