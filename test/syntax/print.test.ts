/** Printing: parsing the printed text gives the same document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BodyItem, Declaration, Field, Reference, StringValue, Value } from '../../src/syntax/ast.ts';
import * as build from '../../src/syntax/build.ts';
import { tokensOf } from '../../src/syntax/lexer.ts';
import { readString, readText, writeString, writeText } from '../../src/syntax/literals.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import { printDocument } from '../../src/syntax/print.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';
import { cases } from './cases.ts';

const test = suite('print');

/** The AST without spans and kinds of quotes. */
function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare);
  if (typeof node !== 'object' || node === null) return node;
  const ignored = new Set(['span', 'nameSpan', 'keySpan', 'source', 'quote', 'quoted', 'contentStart']);
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !ignored.has(name))
      .map(([name, value]) => [name, bare(value)]),
  );
}

function parse(text: string) {
  const found: Diagnostic[] = [];
  const document = parseDocument({ name: 'x.prs', text }, finding => found.push(finding));
  return { document, found };
}

const textOf = ({ message }: Diagnostic) => message.replace(/line \d+/, 'its line');

function assertPrints(declarations: readonly Declaration[]): void {
  const printed = printDocument(build.documentOf(declarations));
  const { document, found } = parse(printed);
  assert.equal(found, [], printed);
  assert.equal(bare(document.declarations), bare(declarations), printed);
  assert.is(printDocument(document), printed, 'the printed form is stable');
}

// A parameter with an invalid type cannot be printed.
for (const name of cases.names.filter(one => one !== 'marks-and-types')) {
  test(`the printed form of ${name} is parsed to the same document`, () => {
    const { document, found } = parse(readFileSync(join(cases.folder, name, 'input.prs'), 'utf8'));
    const printed = printDocument(document);
    const again = parse(printed);
    // Invalid text is left out, and no new errors are added.
    const known = found.map(textOf);
    assert.equal(again.found.map(textOf).filter(text => !known.includes(text)), [], printed);
    assert.equal(bare(again.document.declarations), bare(document.declarations), printed);
  });
}

const awkward = fc.constantFrom(
  '"""',
  '\\"""',
  '""',
  '"',
  '\\',
  '\\n',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '    ',
  '  \n',
  '{{x}}',
  '${VAR}',
  '# no comment',
  '@identity {',
  '\n@use ./x',
  '}',
  ']',
  '`',
  '“',
  '🎉',
  'שלום',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\u0000',
  '\ud800',
  'é',
  'text',
  'true',
  'null',
  '12',
  '1.50',
  'a.b',
  './a.md',
  '//',
);
const awkwardText = fc.array(awkward, { maxLength: 8 }).map(parts => parts.join(''));
const anyText = fc.oneof(awkwardText, fc.string({ unit: 'binary' }), fc.string(), fc.lorem());

test('every text survives as a string literal', () => {
  fc.assert(
    fc.property(anyText, value => {
      const read = readString(writeString(value));
      assert.is(read.value, value);
      assert.is(read.bad.length, 0);
      assert.not.match(writeString(value), /[\r\n]/);
    }),
    { numRuns: runs(500) },
  );
});

test('a text literal is written only where it is parsed exactly', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom('', '  ', '\t', '      '), (value, indent) => {
      const raw = writeText(value, indent, indent);
      if (raw !== undefined) assert.is(readText(raw).value, value);
    }),
    { numRuns: runs(500) },
  );
});

test('text in a usual form is written as a text literal', () => {
  for (const value of [
    '',
    'one',
    '\n',
    '\none\n',
    'a\n  b\n\nc',
    'a """ b\n\\"""',
    'ends with "',
    'trailing  \nx\\',
    '    a\nb',
    '@identity {\n}',
  ]) {
    assert.ok(writeText(value, '  ', '  '), JSON.stringify(value));
  }
  assert.is(writeText('  all lines\n  indented', '  ', '  '), undefined);
});

const identifier = fc.stringMatching(/^[a-zA-Z_é][a-zA-Z0-9_-]{0,8}$/);
const key = fc.oneof(
  identifier,
  anyText,
  fc.constantFrom('__proto__', 'constructor', '/test', 'true', '404', 'as', ''),
);
const string: fc.Arbitrary<StringValue> = fc
  .record({ value: anyText, quote: fc.constantFrom('double', 'single', 'text', 'bare') })
  .map(({ value, quote }) => ({ kind: 'string', value, quote, span: build.emptySpan }));
const number = fc
  .oneof(fc.constantFrom('1.10', '-4', '0', '1e3', '007', '99999999999999999999'), fc.integer().map(String))
  .map((raw): Value => ({ kind: 'number', value: Number(raw), raw, span: build.emptySpan }));

const { value } = fc.letrec<{ value: Value; array: Value; object: Value }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    string,
    number,
    fc.boolean().map(build.value),
    fc.constant(build.value(null)),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 4 }).map(build.list),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 4 })
    .map(build.object),
}));

const segment = fc.stringMatching(/^[a-z0-9][a-z0-9_.-]{0,6}$/);
const reference: fc.Arbitrary<Reference> = fc
  .record({
    path: fc.oneof(
      segment.map(name => `./${name}`),
      fc.tuple(segment, segment).map(([a, b]) => `@${a}/${b}`),
      fc.tuple(segment, segment).map(([a, b]) => `git@${a}.com:org/${b}`),
      fc.constantFrom('github.com/acme/base/@org/base', './with space', './ünï', '../a(b)', './a@b', 'x"y'),
    ),
    version: fc.option(fc.constantFrom('1.2.0', '^1.0.0', 'main', 'feature/x', '~2'), { nil: undefined }),
    args: fc.uniqueArray(fc.tuple(identifier, value), { selector: ([name]) => name, maxLength: 2 }),
  })
  .map(({ path, version, args }) => ({
    path,
    ...(version !== undefined && { version }),
    arguments: args.map(([name, argument]) => ({
      name: { name, span: build.emptySpan },
      value: argument,
      span: build.emptySpan,
    })),
    quoted: false,
    span: build.emptySpan,
  }));
const use = fc
  .record({
    reference,
    alias: fc.option(identifier, { nil: undefined }),
    into: fc.option(anyText, { nil: undefined }),
  })
  .map(({ reference: target, ...clauses }) => ({
    ...build.use(
      './x',
      Object.fromEntries(Object.entries(clauses).filter(([, clause]) => clause !== undefined)),
    ),
    reference: target,
  }));

const items = (fields: fc.Arbitrary<Field>): fc.Arbitrary<BodyItem[]> =>
  fc.uniqueArray(
    fc.oneof(
      { weight: 3, arbitrary: fields },
      string
        .filter(({ quote }) => quote !== 'bare')
        .map((text): BodyItem => ({ kind: 'text', value: text, span: build.emptySpan })),
      value.map(build.item),
      fc
        .tuple(anyText, fc.option(identifier, { nil: undefined }))
        .map(([title, section]) => build.header(title, section)),
      use,
    ),
    { maxLength: 6, selector: item => (item.kind === 'field' ? item.key : item) },
  );

const field = fc.tuple(key, value).map(([name, content]) => build.field(name, content));
const replacing = fc.tuple(field, fc.boolean()).map(([plain, replace]): Field => ({ ...plain, replace }));
const type = fc.oneof(
  fc.constantFrom('string', 'number', 'boolean').map(name => ({ name, span: build.emptySpan }) as const),
  fc
    .uniqueArray(anyText, { minLength: 1, maxLength: 3 })
    .map(options => ({ name: 'enum', options, span: build.emptySpan }) as const),
  fc
    .tuple(fc.integer(), fc.nat())
    .map(([low, more]) => ({ name: 'range', low, high: low + more / 4, span: build.emptySpan }) as const),
);
const parameter = fc
  .record({ key, optional: fc.boolean(), type, value: fc.option(value, { nil: undefined }) })
  .map(({ value: fallback, ...rest }): Field => {
    const { value: _, ...plain } = build.field('', build.value(null));
    return { ...plain, ...rest, ...(fallback && { value: fallback }) } as Field;
  });

const path = fc
  .array(fc.oneof(identifier, anyText), { minLength: 1, maxLength: 3 })
  .filter(names => !names[0]!.match(/^(params|meta)$/));
const blockName = identifier.filter(
  name => !/^(?:params|meta|use|inherit|extend|override|header)$/.test(name),
);
const declaration: fc.Arbitrary<Declaration> = fc.oneof(
  fc.tuple(blockName, items(field)).map(([name, content]) => build.block(name, content)),
  items(parameter).map(content => build.block('params', content)),
  reference.map((target): Declaration => ({ ...build.inherit('./x'), reference: target })),
  use,
  fc.tuple(path, items(replacing)).map(([names, content]) => build.extend(names, content)),
  fc
    .tuple(
      path,
      items(field).filter(content => content.length !== 1 || content[0]!.kind !== 'text'),
    )
    .map(([names, content]): Declaration => ({ ...build.extend(names, content), kind: 'override' })),
  fc.tuple(path, value).map(([names, content]): Declaration => {
    const { path: target, span } = build.extend(names, []);
    return { kind: 'override', path: target, value: content, span };
  }),
);

test('printed text is parsed to the same AST', () => {
  fc.assert(fc.property(fc.array(declaration, { maxLength: 3 }), assertPrints), { numRuns: runs(400) });
});

/** Adds a comment after every line that may have one, or blank lines and comments between lines. */
function withTrivia(printed: string, choose: () => number): string {
  const isText = insideText(printed);
  return printed
    .split('\n')
    .flatMap((line, index) => {
      if (isText(index) || line === '') return [line];
      const id = choose();
      const between = [[], ['# own'], ['', '# own', ''], ['#own', '# again'], ['', ''], [], []][id % 7]!;
      const opens = isText(index + 1);
      return [...between, id % 3 === 0 && !opens ? `${line} # behind "${id}` : line];
    })
    .join('\n');
}

/** Whether a line (from 0) starts inside a text or ends one. */
function insideText(printed: string): (index: number) => boolean {
  const inside = new Set<number>();
  let at = 0;
  for (const part of printed.split(/(?<!\\)"""/).entries()) {
    const breaks = part[1].split('\n').length - 1;
    if (part[0] % 2 === 1) for (let line = at + 1; line <= at + breaks; line++) inside.add(line);
    at += breaks;
  }
  return index => inside.has(index);
}

const commentsOf = (text: string) => {
  const comments: string[] = [];
  const onComment = (start: number, end: number) => comments.push(text.slice(start, end).trimEnd());
  Array.from(tokensOf({ name: 'x', text }, { onComment }));
  return comments;
};

test('comments and blank lines are printed at their position', () => {
  let seen = 0;
  fc.assert(
    fc.property(
      fc.array(declaration, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat({ max: 40 })),
      (declarations, choices) => {
        const plain = printDocument(build.documentOf(declarations));
        // Strings with three quotes in a row would need a lexer to distinguish them from texts.
        fc.pre(!/\\"""|"[^\n]*"""[^\n]*"/.test(plain));
        const written = withTrivia(plain, () => choices.next().value as number);
        const { document, found } = parse(written);
        assert.equal(found, [], written);
        const printed = printDocument(document);
        const again = parse(printed);
        assert.equal(bare(again.document.declarations), bare(declarations), printed);
        assert.equal(commentsOf(printed), commentsOf(written), printed);
        assert.is(printDocument(again.document), printed, 'the printed form is stable');
        seen += commentsOf(printed).length;
      },
    ),
    { numRuns: runs(400) },
  );
  assert.ok(seen > runs(1000), `${seen} comments`);
});

test('formatted text is printed unchanged, with comments and blank lines', () => {
  const text = readFileSync(new URL('./commented.prs', import.meta.url), 'utf8');
  const { document, found } = parse(text);
  assert.equal(found, []);
  assert.is(printDocument(document), text);
});

test('comments in odd places are moved above their statement', () => {
  const text = '@use ./x( # one\n a: 1 # two\n) # three\n@a # four\n{ # five\n b # six\n : # seven\n 1 # eight\n}';
  const { document } = parse(text);
  assert.is(
    printDocument(document),
    '# one\n# two\n@use ./x(a: 1) # three\n\n# four\n@a { # five\n  # six\n  # seven\n  b: 1 # eight\n}\n',
  );
});

test('data with `${` becomes a text without expansion', () => {
  assert.is((build.value('echo ${HOME}') as { quote?: string }).quote, 'text');
});

test('the canonical layout', () => {
  const review = build.field(
    'review',
    build.value({ description: 'Review', content: 'Check:\n- tests', tools: ['a', 'b'] }),
  );
  const skills = build.block('skills', [build.use('./phases/scan', { alias: 'scan' }), review]);
  const notes = build.block('knowledge', [
    build.header('Notes'),
    build.textItem('One\n\nTwo'),
    build.item(build.str('x')),
  ]);
  const comments = new Map<Declaration | BodyItem, string>([
    [notes, 'REVIEW: no heading fits\nsecond line'],
    [review, 'REVIEW: only in one file'],
  ]);
  const imports = [build.inherit('@company/base@^1.0.0'), build.use('./with space', { into: 'x' })];
  assert.is(
    printDocument(build.documentOf([...imports, skills, notes, build.block('local', [])]), comments),
    readFileSync(new URL('./layout.prs', import.meta.url), 'utf8'),
  );
});

test.run();
