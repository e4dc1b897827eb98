/** Templates run both ways: what one laid out is read back by the same template, whatever its words are. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readText } from '../../src/kinds/read/bodies.ts';
import { inOrder } from '../../src/spec/part-order.ts';
import { type Helpers, renderTemplate, type TemplatePart } from '../../src/spec/template.ts';
import { hasWords, readLaidOut, standsBefore, titledBody } from '../../src/spec/template-read.ts';
import { builtinTemplate, compileTemplate } from '../../src/spec/templates.ts';
import { plain } from '../../src/text/traced.ts';

const tests = suite('templates backwards');

const builtin = (key: string) => builtinTemplate(key)!.parts;

const helpers: Helpers = {
  part: () => '',
  bullet: body => `- ${plain(body)}`,
  fields: data => Object.entries(data as object).map(([key, value]) => `- ${key}: ${value}`).join('\n'),
  prose: () => '',
};

const list = (lines: string) => Object.fromEntries(lines.split('\n').map(line => line.slice(2).split(': ')));

const lay = (parts: readonly TemplatePart[], view: Record<string, unknown>) =>
  plain(renderTemplate(parts, view, helpers, 'test')).trim();

const read = (parts: readonly TemplatePart[], text: string) =>
  readLaidOut(parts, text, { fields: list, accept: (field, value) => field === 'content' || !value.includes('\n') });

const word = fc.stringMatching(/^[A-Za-z][a-z]{0,6}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' '));
const content = fc.array(sentence, { minLength: 1, maxLength: 4 }).map(lines => lines.join('\n\n'));
const globs = fc.array(fc.stringMatching(/^[a-z]{1,5}\/\*\*$/), { minLength: 1, maxLength: 3 });
const table = fc.dictionary(word, word, { minKeys: 1, maxKeys: 3 });

tests('rules with globs, with and without a description', () => {
  for (const parts of [builtin('body:scoped'), titledBody(builtin('section:guards'))!]) {
    // Where nothing stands between the two, a description is told from a content by being no sentence.
    const ambiguous = standsBefore(parts, 'description', 'content');
    fc.assert(
      fc.property(fc.option(sentence, { nil: undefined }), globs, content, (description, all, lines) => {
        const text = ambiguous ? `Always. ${lines}` : lines;
        const view = { ...(description !== undefined && { description }), globs: all, content: text };
        const accept = (field: string, value: string) => field !== 'description' || !/[.\n]/.test(value);
        assert.equal({ ...readLaidOut(parts, lay(parts, view), { accept }) }, view);
      }),
    );
  }
});

tests('skills with any of their labelled parts', () => {
  const parts = builtin('body:skill');
  const optional = { trigger: sentence, requires: fc.array(word, { minLength: 1, maxLength: 3 }), params: table, outputs: table };
  fc.assert(
    fc.property(content, fc.record(optional, { requiredKeys: [] }), (text, more) => {
      const view = { content: text, ...more };
      assert.equal({ ...read(parts, lay(parts, view)) }, JSON.parse(JSON.stringify(view)));
    }),
  );
});

tests('labelled parts in the order of the source', () => {
  const parts = builtin('body:skill');
  const fields = { trigger: 'lamps', requires: ['a', 'b'], inputs: { tag: 'first' }, outputs: { notes: 'all' } };
  const content = 'Count.\n\nSay what "**Trigger:** is".';
  fc.assert(
    fc.property(fc.shuffledSubarray(Object.keys(fields)), order => {
      const view = Object.fromEntries(Object.entries({ content, ...fields }).filter(([name]) => name === 'content' || order.includes(name)));
      const body = lay(inOrder(parts, ['name', ...order]), view);
      const labels = body.split('\n').flatMap(line => /^\*\*(\w+)/.exec(line)?.[1]?.toLowerCase() ?? []);
      assert.equal(labels, order);
      const read = readText(parts, body);
      assert.equal(JSON.parse(JSON.stringify({ content: read.content, ...Object.fromEntries(read.fields) })), view);
      assert.equal([...read.fields.keys()], order);
    }),
  );
  assert.is(inOrder(parts, ['inputs', 'outputs']), parts, 'parts that stand right were made anew');
});

tests('what stands below the lists of a skill, which behind anything else is of its text', () => {
  const parts = builtin('body:skill');
  const body = (view: object) => lay(parts, { content: 'Count.', ...view });
  const readAll = (text: string) => {
    const reading = { fields: list, accept: (field: string, value: string) => field === 'content' || !value.includes('\n') };
    return { ...readLaidOut(parts, text, reading) };
  };
  fc.assert(
    fc.property(fc.record({ trigger: sentence, inputs: table }, { requiredKeys: ['inputs'] }), content, (more, closing) => {
      assert.equal(readAll(body({ ...more, closing })), JSON.parse(JSON.stringify({ content: 'Count.', ...more, closing })));
    }),
  );
  assert.equal(readAll(body({ trigger: 'lamps', closing: 'Say how many.' })), { content: 'Count.\n\n**Trigger:** lamps\n\nSay how many.' });
});

tests('the description of a rule that became a skill', () => {
  const parts = builtin('body:rule-description');
  fc.assert(
    fc.property(fc.option(sentence, { nil: undefined }), globs, (description, all) => {
      const view = { ...(description !== undefined && { description }), globs: all };
      assert.equal({ ...read(parts, lay(parts, view)) }, view);
    }),
  );
});

tests('a changed word in a template changes both ways', async () => {
  const { parts } = await compileTemplate('{{content}}\n{{#if trigger}}\n\n**When:** {{trigger}}\n{{/if}}', 'test');
  const text = lay(parts, { content: 'Do it.', trigger: 'asked' });
  assert.match(text, /\*\*When:\*\* asked/);
  assert.equal({ ...read(parts, text) }, { content: 'Do it.', trigger: 'asked' });
  assert.equal({ ...read(builtin('body:skill'), text) }, { content: text });
});

tests('what a template did not lay out is not read', () => {
  assert.is(read(builtin('body:scoped'), 'Just a text.'), undefined);
  assert.is(read(builtin('body:scoped'), 'Applies to: every file\n\nText'), undefined);
  assert.is(read(builtin('body:rule-description'), ''), undefined);
});

tests('an if with an else reads the one that is there', async () => {
  const { parts } = await compileTemplate('{{#if name}}Name {{name}}{{else}}Nobody{{/if}} is here', 'test');
  assert.equal({ ...read(parts, 'Name Ann is here') }, { name: 'Ann' });
  assert.equal({ ...read(parts, 'Nobody is here') }, {});
  assert.is(read(parts, 'Somebody is here'), undefined);
});

tests('long texts are read in one go', () => {
  const text = `${'A line of text.\n\n'.repeat(20_000)}**Trigger:** never`;
  assert.is(read(builtin('body:skill'), text)?.trigger, 'never');
});

tests('templates with words of their own are told from those without', () => {
  assert.is(standsBefore(builtin('body:described'), 'description', 'content'), true);
  assert.is(standsBefore(builtin('body:scoped'), 'description', 'content'), false);
  assert.is(hasWords(builtin('body:scoped')), true);
  assert.is(hasWords(builtin('body:described')), false);
});

tests.run();
