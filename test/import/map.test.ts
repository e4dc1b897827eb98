/** Markdown sorted into blocks: nothing is lost, and the order is kept. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mapMarkdown } from '../../src/kinds/document/read/map.ts';
import { parseMarkdown } from '../../src/kinds/document/read/markdown.ts';
import { printParts } from '../../src/migrate/import/document.ts';
import type { BodyItem, Value } from '../../src/syntax/ast.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import fc from '../support/property.ts';

const test = suite('import: Markdown to blocks');

const map = async (text: string) => mapMarkdown(await parseMarkdown(text));
const print = async (text: string) => printParts('sample', await map(text));

/** All texts of a printed import, parsed again. Fails if it does not parse. */
function textsIn(printed: string): string[] {
  const texts: string[] = [];
  const visit = (value: Value): void => {
    if (value.kind === 'string') texts.push(value.value);
    else if (value.kind === 'array') value.items.forEach(visit);
    else if (value.kind === 'object') for (const field of value.fields) if (field.value) visit(field.value);
  };
  const visitItem = (item: BodyItem) => {
    if (item.kind === 'field') {
      texts.push(item.key);
      if (item.value) visit(item.value);
    } else if (item.kind === 'header') texts.push(item.title.value);
    else if (item.kind !== 'use') visit(item.value);
  };
  const document = parseDocument({ name: 'sample.prs', text: printed }, diagnostic => {
    if (diagnostic.severity === 'error') throw new Error(`${diagnostic.message}\n${printed}`);
  });
  for (const declaration of document.declarations) if (declaration.kind === 'block') declaration.body.items.forEach(visitItem);
  return texts;
}

/** A line without list and heading markers: the part that must be kept in any form. */
const bare = (line: string) => line.trim().replace(/^(?:[-*+]|#{1,6})\s+/, '').replace(/\s+#+$/, '').trim();

test('assigns each part of a typical file to its block', async () => {
  const parts = await map(
    [
      '# Harbour',
      '',
      'You are a senior TypeScript developer.',
      '',
      '## Tech Stack',
      '',
      '- Node.js 22',
      '- PostgreSQL',
      '',
      '## Code Style',
      '',
      '- Use early returns.',
      '- Prefer `const`.',
      '',
      '## Never do',
      '',
      '- Never commit secrets.',
      '- Do not edit `dist/`.',
      '',
      '## Commands',
      '',
      '```sh',
      'npm test',
      '```',
      '',
      '## Slash commands',
      '',
      '- `/ship`: Release a version',
      '- `/fix`: Repair what is broken',
    ].join('\n'),
  );
  assert.equal(
    parts.map(({ block, key, startLine, endLine }) => [block, key, startLine, endLine]),
    [
      ['identity', undefined, 1, 3],
      ['context', 'stack', 5, 8],
      ['standards', 'code-style', 10, 13],
      ['restrictions', undefined, 15, 18],
      ['knowledge', undefined, 20, 24],
      ['shortcuts', undefined, 26, 29],
    ],
  );
});

test('converts a list of slash commands to a map', async () => {
  const printed = await print('## Slash commands\n\n- `/ship`: Release a version\n- `/fix`: Repair what is broken\n');
  assert.match(printed, '"/ship": "Release a version"');
});

test('keeps the wording of a heading that a key cannot express', async () => {
  const printed = await print('## Rules for APIs & tests\n\n- Use nouns for paths.\n- Prefer real servers.\n\n## Naming\n\n- Use short names.\n- Keep them plain.\n');
  assert.match(printed, '@header rules-for-apis-tests "Rules for APIs & tests"');
  assert.not.match(printed, '@header naming');
});

test('keeps text without structure byte for byte', async () => {
  const text = [
    '## Reference',
    '',
    '1. one  ',
    '   with a hard break',
    '   - nested',
    '',
    '     ```js',
    '     const a = `${HOME} {{name}} """`;',
    '     ```',
    '',
    '| a | b |',
    '|---|---|',
    '| 1 | 2 |',
    '',
    '<!-- keep me -->',
    '',
    '- [ ] open',
    '- [x] done',
    '',
    'See[^1] and @docs/guide.md and [link][ref].',
    '',
    '[^1]: A note.',
    '',
    '[ref]: https://example.com "Title"',
  ].join('\n');
  const texts = textsIn(await print(text));
  assert.ok(texts.includes(text.slice(text.indexOf('1. one'))), texts.join('\n---\n'));
});

test('writes variables only where no value is filled in', async () => {
  const printed = await print('## Code style\n\n- Use ${HOME} for paths.\n- Prefer `{{name}}`.\n');
  assert.match(printed, /code-style: """\n {4}- Use \$\{HOME\}/);
});

test('keeps tags together and reads their name as a title', async () => {
  const parts = await map('<rules>\n\n## A\n\n- Use tabs.\n\n## B\n\n- Use LF.\n\n</rules>\n\n## Later\n\ntext\n');
  assert.is(parts[0]!.endLine, 11);
});

test('closes an open fence, so that it cannot include other blocks', async () => {
  const printed = await print('You are an expert.\n\n## Examples\n\n```ts\nconst a = 1;\n');
  assert.match(printed, /const a = 1;\n\s*```\n/);
});

test('declares no parameters', async () => {
  assert.not.match(await print('## Parameters\n\n- name: value\n\nUse {{name}} everywhere.\n'), '@params');
});

test('reads a list of parameters back, with the allowed values', async () => {
  const printed = await print('## Parameters\n\n- strictness: 3 (1 to 5)\n- mode: fast (one of fast, slow)\n- region: north\n');
  assert.match(printed, 'strictness: range(1..5) = 3');
  assert.match(printed, 'mode: enum("fast", "slow") = "fast"');
  assert.match(printed, 'region: "north"');
});

test('marks uncertain assignments', async () => {
  const parts = await map('## Miscellany\n\nThe tide table hangs in the office.\n');
  assert.ok(parts[0]!.review !== undefined);
  assert.match(await print('## Miscellany\n\nThe tide table hangs in the office.\n'), '# REVIEW: ');
});

const word = fc.constantFrom('use', 'never', 'always', 'npm test', '`src/`', '**bold**', '${X}', '{{y}}', '"""', '\\', '"q"', 'ä', 'Name:', '[a](b)', '@x/y', '<b>');
const line = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' '));
const block = fc.oneof(
  line,
  fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
  fc.array(line, { minLength: 1, maxLength: 4 }).map(items => items.map(item => `- ${item}`).join('\n')),
  fc.array(line, { minLength: 1, maxLength: 3 }).map(items => items.map((item, index) => `${index + 1}. ${item}\n   - ${item}`).join('\n')),
  line.map(text => `\`\`\`sh\n${text}\n\n  ${text}\n\`\`\``),
  line.map(text => `> ${text}`),
  line.map(text => `| a |\n|---|\n| ${text.replaceAll('|', '')} |`),
  line.map(text => `    ${text}`),
  fc.constant('---'),
  line.map(text => `${text}\n${text}`),
);

test('loses no line of any Markdown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\r\n'), async (blocks, end) => {
      const text = blocks.join('\n\n');
      const whole = textsIn(await print(text.replaceAll('\n', end))).join('\n');
      const found = new Set(whole.split('\n').map(bare));
      // Setext headings become ATX headings. Their underline has no content.
      for (const expectedLine of text.split('\n').map(bare)) {
        if (expectedLine !== '' && !/^[-=#]+$/.test(expectedLine)) assert.ok(found.has(expectedLine), `lost ${JSON.stringify(expectedLine)} of\n${text}\n\ngot\n${whole}`);
      }
    }),
    { numRuns: 150 },
  );
});

test('covers every line by exactly one part, in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 8 }), async blocks => {
      const parts = await map(blocks.join('\n\n'));
      for (const [index, part] of parts.entries()) {
        assert.ok(part.startLine <= part.endLine);
        if (index > 0) assert.ok(part.startLine > parts[index - 1]!.endLine);
      }
    }),
    { numRuns: 100 },
  );
});

test('any number of slash commands are shortcuts if the heading says so; elsewhere they are text', async () => {
  const isShortcuts = async (heading: string, ...lines: string[]) => {
    const found = await map(`# Sample\n\nText.\n\n## ${heading}\n\n${lines.join('\n')}\n\n## Testing\n\nRun the tests.\n`);
    return found.some(({ block }) => block === 'shortcuts');
  };
  const commands = ['- `/deploy`: goes to production', '- `/check`: looks at everything', '- `/ship [name]` - ships'];
  for (const heading of ['Commands', 'Slash commands', 'Custom Commands', 'Shortcuts'])
    for (const count of [1, 2, 3]) assert.ok(await isShortcuts(heading, ...commands.slice(0, count)), `${heading} ${count}`);
  for (const heading of ['Notes', 'How our bot is used', 'API routes', 'Endpoints', 'Pages'])
    for (const count of [1, 2, 3]) assert.not(await isShortcuts(heading, ...commands.slice(0, count)), `${heading} ${count}`);
  assert.not(await isShortcuts('Routes', '- `/users`: lists users', '- `/orders`: lists orders', '- /health: is alive'));
  assert.not(await isShortcuts('Commands', '- `npm run build`: builds', '- `npm test`: tests'));
});

test.run();
