/**
 * Templates work in both directions: text rendered by a template is parsed by the same template, whatever its wording.
 */

import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Helpers, loadTemplate, renderTemplate, type Template } from '../../src/spec/template.ts';
import { compileOptions, readTemplate } from '../../src/spec/template-compile.ts';
import { directlyPrecedes, hasLiteralWords, parseRendered, templateTree, titledBody } from '../../src/spec/template-read.ts';
import type { Program } from '../../src/spec/template-tree.ts';
import { builtinTemplate } from '../../src/spec/templates.ts';
import { plainText } from '../../src/text/traced.ts';
import fc from '../support/property.ts';

const tests = suite('templates backwards');

const handlebars = createRequire(import.meta.url)('handlebars') as typeof import('handlebars');

/** A template in both directions. */
interface BothWays {
  readonly template: Template;
  readonly tree: Program;
}

const builtin = (key: string): BothWays => ({ template: builtinTemplate(key)!, tree: templateTree(key)! });

function bothWays(text: string): BothWays {
  const { tree, parsed } = readTemplate(text, handlebars);
  const code = new Function(`return ${handlebars.precompile(parsed, compileOptions)}`)() as object;
  return { tree, template: loadTemplate('test', { uses: [], code }) };
}

const helpers: Helpers = {
  part: (_, body) => plainText(body).trim(),
  bullet: body => `- ${plainText(body)}`,
  fields: data => Object.entries(data as object).map(([key, value]) => `- ${key}: ${value}`).join('\n'),
  prose: () => '',
};

const list = (lines: string) => Object.fromEntries(lines.split('\n').map(line => line.slice(2).split(': ')));

const lay = ({ template }: BothWays, view: Record<string, unknown>) => plainText(renderTemplate(template, view, helpers)).trim();

const read = ({ tree }: Pick<BothWays, 'tree'>, text: string) =>
  parseRendered(tree, text, { fields: list, accept: (field, value) => field === 'content' || !value.includes('\n') });

const word = fc.stringMatching(/^[A-Za-z][a-z]{0,6}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' '));
const content = fc.array(sentence, { minLength: 1, maxLength: 4 }).map(lines => lines.join('\n\n'));
const globs = fc.array(fc.stringMatching(/^[a-z]{1,5}\/\*\*$/), { minLength: 1, maxLength: 3 });
const table = fc.dictionary(word, word, { minKeys: 1, maxKeys: 3 });

tests('rules with globs, with and without a description', () => {
  const body = builtin('body:scoped');
  const section = builtin('section:guards');
  const both = [
    { tree: body.tree, lay: (view: object) => lay(body, { ...view }) },
    { tree: titledBody(section.tree)!, lay: (view: object) => lay(section, { items: [view] }) },
  ];
  for (const { tree, lay } of both) {
    // Without text between them, a description is distinguished from the content because it is not a sentence.
    const ambiguous = directlyPrecedes(tree, 'description', 'content');
    fc.assert(
      fc.property(fc.option(sentence, { nil: undefined }), globs, content, (description, all, lines) => {
        const text = ambiguous ? `Always. ${lines}` : lines;
        const view = { ...(description !== undefined && { description }), globs: all, content: text };
        const accept = (field: string, value: string) => field !== 'description' || !/[.\n]/.test(value);
        assert.equal({ ...parseRendered(tree, lay(view), { accept }) }, view);
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

tests('text below the lists of a skill, which elsewhere belongs to the content', () => {
  const parts = builtin('body:skill');
  const body = (view: object) => lay(parts, { content: 'Count.', ...view });
  const readAll = (text: string) => {
    const reading = { fields: list, accept: (field: string, value: string) => field === 'content' || !value.includes('\n') };
    return { ...parseRendered(parts.tree, text, reading) };
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

tests('a changed word in a template changes both directions', () => {
  const parts = bothWays('{{content}}\n{{#if trigger}}\n\n**When:** {{trigger}}\n{{/if}}');
  const text = lay(parts, { content: 'Do it.', trigger: 'asked' });
  assert.match(text, /\*\*When:\*\* asked/);
  assert.equal({ ...read(parts, text) }, { content: 'Do it.', trigger: 'asked' });
  assert.equal({ ...read(builtin('body:skill'), text) }, { content: text });
});

tests('text that the template did not render is not parsed', () => {
  assert.is(read(builtin('body:scoped'), 'Just a text.'), undefined);
  assert.is(read(builtin('body:scoped'), 'Applies to: every file\n\nText'), undefined);
  assert.is(read(builtin('body:rule-description'), ''), undefined);
});

tests('an if with an else parses the branch that is present', () => {
  const parts = bothWays('{{#if name}}Name {{name}}{{else}}Nobody{{/if}} is here');
  assert.equal({ ...read(parts, 'Name Ann is here') }, { name: 'Ann' });
  assert.equal({ ...read(parts, 'Nobody is here') }, {});
  assert.is(read(parts, 'Somebody is here'), undefined);
});

tests('long texts are parsed at once', () => {
  const text = `${'A line of text.\n\n'.repeat(20_000)}**Trigger:** never`;
  assert.is(read(builtin('body:skill'), text)?.trigger, 'never');
});

tests('distinguishes templates with words of their own from those without', () => {
  assert.is(directlyPrecedes(builtin('body:described').tree, 'description', 'content'), true);
  assert.is(directlyPrecedes(builtin('body:scoped').tree, 'description', 'content'), false);
  assert.is(hasLiteralWords(builtin('body:scoped').tree), true);
  assert.is(hasLiteralWords(builtin('body:described').tree), false);
});

tests.run();
