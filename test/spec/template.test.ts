/** Our interpreter of templates gives what Handlebars itself would give, and refuses what it does not know. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderTemplate } from '../../src/spec/template.ts';
import { readTemplate, templateProblem } from '../../src/spec/template-syntax.ts';
import { plain, type Text, traced } from '../../src/text/traced.ts';
import { root } from '../support/compile.ts';
import { runs } from '../support/depth.ts';

const handlebars = createRequire(import.meta.url)('handlebars') as typeof import('handlebars');
const reference = handlebars.create();
reference.registerHelper('repeat', function (this: unknown, ...args: unknown[]) {
  const block = args.pop() as { fn: (view: unknown) => string };
  return args.length === 1 ? block.fn(this).repeat(Number(args[0]) || 0) : String(args[0]).repeat(Number(args[1]) || 0);
});
reference.registerHelper('part', function (this: unknown, title: unknown, block: { fn: (view: unknown) => string }) {
  return `<<${title ?? ''}|${block.fn(this)}>>`;
});
reference.registerHelper('bullet', function (this: unknown, block: { fn: (view: unknown) => string }) {
  return `(${block.fn(this)})`;
});
reference.registerHelper('fields', (data: unknown) => `[${JSON.stringify(data)}]`);

const helpers = {
  part: (title: Text, body: Text) => `<<${plain(title)}|${plain(body)}>>`,
  bullet: (body: Text) => `(${plain(body)})`,
  fields: (data: unknown) => `[${JSON.stringify(data)}]`,
  prose: () => '',
};

const render = (text: string, view: Record<string, unknown>) =>
  plain(renderTemplate(readTemplate(handlebars.parse(text)), view, helpers, 'test'));

const templates = ['sections', 'bodies'].flatMap(folder =>
  readdirSync(join(root, 'conventions', folder)).map(name => readFileSync(join(root, 'conventions', folder, name), 'utf8')),
);

const tests = suite('templates');

const text = fc.oneof(fc.constant(''), fc.constantFrom('a', 'two words', '{{name}}', 'x\ny', '<b>'));
const item = fc.record(
  { name: text, title: text, description: text, content: text, path: text, globs: fc.array(text, { maxLength: 3 }) },
  { requiredKeys: [] },
);
const view = fc.record(
  {
    items: fc.array(item, { maxLength: 3 }),
    content: text,
    description: text,
    trigger: fc.option(text),
    requires: fc.array(text, { maxLength: 3 }),
    params: fc.dictionary(text, text),
    inputs: fc.option(fc.dictionary(text, fc.integer())),
    level: fc.integer({ min: 0, max: 6 }),
    name: text,
    flag: fc.boolean(),
    zero: fc.constantFrom(0, null, undefined, false, 'x'),
  },
  { requiredKeys: [] },
);

const more = [
  '{{#repeat level}}#{{/repeat}} {{name}} {{repeat "=" level}}{{repeat "=" 2}}',
  '{{#each items}} {{@index}} {{@first}} {{@last}} {{@key}} {{../name}} {{@root.name}} {{this.name}}{{else}}none{{/each}}',
  '{{#each params}}{{@key}}={{this}};{{/each}}{{#if zero}}yes{{else if flag}}flag{{else}}no{{/if}}{{zero}} {{flag}} {{requires}}',
  '{{#unless flag}}\n  a\n{{else}}\n  b\n{{/unless}}\n{{! a comment }}\n{{~name~}} x {{{name}}} {{missing.deeper}} {{params.a}}',
];

tests('give what Handlebars gives', () => {
  for (const template of [...templates, ...more]) {
    const wanted = reference.compile(template, { noEscape: true });
    fc.assert(fc.property(view, given => assert.is(render(template, given), wanted(given), template)), { numRuns: runs(100) });
  }
});

tests('keep the origins of what they are given', () => {
  const made = renderTemplate(readTemplate(handlebars.parse('Say {{name}}!')), { name: traced('it', 'there' as never) }, helpers, 't');
  assert.equal({ ...(made as object) }, { text: 'Say it!', runs: [{ start: 4, end: 6, origin: 'there', at: 0, exact: false }] });
});

tests('refuse what the interpreter does not know', () => {
  const said = (template: string) => {
    try {
      readTemplate(handlebars.parse(template));
      return 'nothing';
    } catch (error) {
      return templateProblem(error);
    }
  };
  const known = 'the helpers are if, unless, each, repeat, part, bullet, fields';
  assert.is(said('{{shout name}}'), `there is no helper "shout"; ${known}`);
  assert.is(said('{{#name}}x{{/name}}'), `there is no helper "name"; ${known}`);
  assert.is(said('{{#with a}}x{{/with}}'), `there is no helper "with"; ${known}`);
  assert.is(said('\n\n{{> other}}'), 'line 3: a partial ({{> …}}) has no meaning in these templates');
  assert.is(said('{{#if (eq a b)}}x{{/if}}'), 'a call in parentheses has no meaning in these templates');
  assert.is(said('{{#if a includeZero=true}}x{{/if}}'), '"if" takes no named values (…=…)');
  assert.is(said('{{#each a as |b|}}x{{/each}}'), 'a name behind "as" has no meaning in these templates');
  assert.is(said('{{#if}}x{{/if}}'), '"if" takes one value');
  assert.is(said('{{#if a b}}x{{/if}}'), '"if" takes one value');
  assert.is(said('{{if a}}'), '{{if}} has to be a block: {{#if …}} … {{/if}}');
  assert.is(said('{{#bullet}}x{{else}}y{{/bullet}}'), '{{#bullet}} has no {{else}}');
  assert.is(said('{{#if a}}x{{/unless}}'), "{{#if}} is closed by {{/unless}}");
  assert.is(said('{{#if a}}x'), 'line 1: it ends before a {{#…}} or a {{…}} is closed');
});

tests.run();
