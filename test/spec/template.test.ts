/** Templates render the same with traced texts as with plain ones, and render only data of their view. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Origin } from '../../src/model/model.ts';
import { type Helpers, renderTemplate } from '../../src/spec/template.ts';
import { templateProblem } from '../../src/spec/template-compile.ts';
import { builtinTemplate, compileTemplate } from '../../src/spec/templates.ts';
import { joinTexts, plainText, Traced, traced } from '../../src/text/traced.ts';
import { root } from '../support/compile.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

/** The result of Handlebars itself, with equally simple helpers. */
const handlebars = (createRequire(import.meta.url)('handlebars') as typeof import('handlebars')).create();
type Block = { fn: (view: unknown) => string };
handlebars.registerHelper('repeat', function (this: unknown, ...args: unknown[]) {
  const block = args.pop() as Block;
  return args.length === 1 ? block.fn(this).repeat(Number(args[0]) || 0) : String(args[0]).repeat(Number(args[1]) || 0);
});
handlebars.registerHelper('part', function (this: unknown, title: unknown, block: Block) {
  return `<<${title ?? ''}|${block.fn(this)}>>`;
});
handlebars.registerHelper('bullet', function (this: unknown, block: Block) {
  return `(${block.fn(this)})`;
});
handlebars.registerHelper('fields', (data: unknown) => `[${JSON.stringify(data)}]`);

const helpers: Helpers = {
  part: (title, body) => joinTexts(['<<', title, '|', body, '>>']),
  bullet: body => joinTexts(['(', body, ')']),
  fields: data => `[${JSON.stringify(data)}]`,
  prose: () => '',
};

const render = async (text: string, view: Record<string, unknown>) =>
  plainText(renderTemplate(await compileTemplate(text, 'test'), view, helpers));

const tests = suite('templates');

const text = fc.oneof(fc.constant(''), fc.constantFrom('a', 'two words', '{{name}}', 'x\ny', '<b>', '\ufdd00\ufdd1'));
const key = fc.constantFrom('', 'a', 'two words', '{{name}}', '__proto__', 'constructor');
const item = fc.record(
  { name: text, title: text, description: text, content: text, path: text, globs: fc.array(text, { maxLength: 3 }) },
  { requiredKeys: [] },
);
const anyView = fc.record(
  {
    items: fc.array(item, { maxLength: 3 }),
    content: text,
    description: text,
    trigger: fc.option(text),
    requires: fc.array(text, { maxLength: 3 }),
    params: fc.dictionary(key, text),
    inputs: fc.option(fc.dictionary(key, fc.integer())),
    level: fc.integer({ min: 0, max: 6 }),
    name: text,
    flag: fc.boolean(),
    zero: fc.constantFrom(0, null, undefined, false, 'x'),
  },
  { requiredKeys: [] },
);

const builtin = ['sections', 'bodies'].flatMap(folder =>
  readdirSync(join(root, 'conventions', folder)).map(file => ({
    key: `${folder === 'sections' ? 'section' : 'body'}:${file.slice(0, -'.hbs'.length)}`,
    text: readFileSync(join(root, 'conventions', folder, file), 'utf8'),
  })),
);

const more = [
  '{{#repeat level}}#{{/repeat}} {{name}} {{repeat "=" level}}{{repeat "=" 2}}',
  '{{#each items}} {{@index}} {{@first}} {{@last}} {{@key}} {{../name}} {{@root.name}} {{this.name}}{{else}}none{{/each}}',
  '{{#each params}}{{@key}}={{this}};{{/each}}{{#if zero}}yes{{else if flag}}flag{{else}}no{{/if}}{{zero}} {{flag}} {{requires}}',
  '{{#unless flag}}\n  a\n{{else}}\n  b\n{{/unless}}\n{{! a comment }}\n{{~name~}} x {{{name}}} {{missing.deeper}} {{params.a}}',
  '{{#each items}}{{#part title}}{{#bullet}}{{name}}{{/bullet}}{{/part}}{{/each}}{{fields params}}{{#if inputs}}{{fields inputs}}{{/if}}',
];

tests('render what Handlebars renders, compiled by the build and by the program', async () => {
  for (const { key, text } of [...builtin, ...more.map(text => ({ key: undefined, text }))]) {
    const expected = handlebars.compile(text, { noEscape: true });
    const compiled = await compileTemplate(text, 'test');
    const templates = key === undefined ? [compiled] : [compiled, builtinTemplate(key)!];
    for (const template of templates)
      fc.assert(
        fc.property(anyView, view => assert.is(plainText(renderTemplate(template, view, helpers)), expected(view), text)),
        { numRuns: runs(100) },
      );
  }
});

/** Adds a separate origin to each text of a view. */
function withOrigins(value: unknown): unknown {
  if (typeof value === 'string') return traced(value, { kind: 'name', path: value } as unknown as Origin, true);
  if (Array.isArray(value)) return value.map(withOrigins);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOrigins(one)]));
}

tests('render the same with origins, and each character has its own', async () => {
  const layout = { kind: 'layout', by: 'the template' } as const;
  const tracing = (written: unknown[]): Helpers => ({
    ...helpers,
    fields: data => {
      written.push(data);
      return '';
    },
    literal: words => traced(words, layout as Origin),
  });
  for (const template of [...builtin.map(({ key }) => builtinTemplate(key)!), ...(await Promise.all(more.map(text => compileTemplate(text, 'test'))))])
    fc.assert(
      fc.property(anyView, view => {
        const given = withOrigins(view) as Record<string, unknown>;
        const data: unknown[] = [];
        const made = renderTemplate(template, given, tracing(data));
        assert.is(plainText(made), plainText(renderTemplate(template, view, { ...helpers, fields: () => '' })), template.name);
        for (const one of data) assert.ok(one === undefined || Object.values(given).includes(one), 'a helper gets data that is not in the view');
        for (const { start, end, origin, exact } of made instanceof Traced ? made.runs : []) {
          if (!exact) continue;
          assert.is(plainText(made).slice(start, end), (origin as unknown as { path: string }).path);
        }
      }),
      { numRuns: runs(100) },
    );
});

tests('trace a value to its origin and literal text to the template', async () => {
  const literal = (words: string, by: string) => traced(words, `${by}: ${words}` as never);
  const made = renderTemplate(await compileTemplate('Say {{name}}!', 't'), { name: traced('it', 'there' as never) }, { ...helpers, literal });
  assert.equal({ ...(made as object) }, {
    text: 'Say it!',
    runs: [
      { start: 0, end: 4, origin: 't: Say ', at: 0, exact: false },
      { start: 4, end: 6, origin: 'there', at: 0, exact: false },
      { start: 6, end: 7, origin: 't: !', at: 0, exact: false },
    ],
  });
});

const problem = async (template: string) => {
  try {
    await compileTemplate(template, 'test');
    return 'nothing';
  } catch (error) {
    return templateProblem(error);
  }
};

tests('refuse unsupported syntax', async () => {
  const known = 'the helpers are if, unless, each, repeat, part, bullet, fields';
  const refused: Readonly<Record<string, string>> = {
    '{{shout name}}': `there is no helper "shout"; ${known}`,
    '{{#name}}x{{/name}}': `there is no helper "name"; ${known}`,
    '{{#with a}}x{{/with}}': `there is no helper "with"; ${known}`,
    '{{lookup this "constructor"}}': `there is no helper "lookup"; ${known}`,
    '{{log "x"}}': `there is no helper "log"; ${known}`,
    '{{helperMissing 1}}': `there is no helper "helperMissing"; ${known}`,
    '\n\n{{> other}}': 'line 3: a partial ({{> …}}) has no meaning in these templates',
    '{{> (lookup . "x")}}': 'a partial ({{> …}}) has no meaning in these templates',
    '{{#> other}}x{{/other}}': 'a partial ({{#> …}}) has no meaning in these templates',
    '{{#*inline "x"}}y{{/inline}}': 'a decorator ({{#* …}}) has no meaning in these templates',
    '{{* x}}': 'a decorator ({{* …}}) has no meaning in these templates',
    '{{#if (eq a b)}}x{{/if}}': 'a call in parentheses has no meaning in these templates',
    '{{#if a includeZero=true}}x{{/if}}': '"if" takes no named values (…=…)',
    '{{#each a as |b|}}x{{/each}}': 'a name behind "as" has no meaning in these templates',
    '{{#if}}x{{/if}}': '"if" takes one value',
    '{{#if a b}}x{{/if}}': '"if" takes one value',
    '{{if a}}': '{{if}} has to be a block: {{#if …}} … {{/if}}',
    '{{fields}}': '"fields" takes one value',
    '{{#bullet}}x{{else}}y{{/bullet}}': '{{#bullet}} has no {{else}}',
    '{{#if a}}x{{/unless}}': '{{#if}} is closed by {{/unless}}',
    '{{#if a}}x': 'line 1: it ends before a {{#…}} or a {{…}} is closed',
    '{{undefined}}': 'undefined has no meaning in these templates',
    'a \ufdd00\ufdd1 b': 'it has the character U+FDD0 or U+FDD1, which no text may have',
  };
  for (const [template, title] of Object.entries(refused)) assert.is(await problem(template), title, template);
});

tests('refuse blocks that are nested too deeply', async () => {
  const nested = (helper: string, depth: number) => `{{#${helper} a}}`.repeat(depth) + `{{/${helper}}}`.repeat(depth);
  assert.is(await problem(nested('if', 20)), 'nothing');
  for (const depth of [21, 249]) assert.is(await problem(nested('if', depth)), 'blocks are nested more than 20 deep');
  for (const depth of [300, 200_000]) assert.is(await problem(nested('if', depth)), 'it has more than 500 {{…}}');
  for (const helper of ['each', 'repeat'])
    assert.is(await problem(nested(helper, 3)), '"each" and "repeat" are nested more than 2 deep');
});

tests('render only data of the view', async () => {
  const own = ['constructor', '__proto__', 'toString', 'hasOwnProperty', '__defineGetter__', '__lookupGetter__', 'valueOf'];
  const functions = ['log', 'lookup', 'with', 'helperMissing', 'blockHelperMissing', 'program', 'container', 'eval', 'require', 'process', 'globalThis'];
  const roots = ['', 'this.', './', 'name.', 'list.', 'data.', '@root.', '@root.data.', '@', '@key.', '../', '../../'];
  const view = { name: 'Ann', list: ['a'], data: { a: 'b' } };
  for (const root of roots)
    for (const name of [...own, ...functions, 'constructor.constructor', 'constructor.prototype', '__proto__.constructor.name']) {
      const path = `${root}${name}`;
      assert.is(await render(`{{${path}}}`, view), '', path);
      assert.is(await render(`{{#if ${path}}}yes{{/if}}`, view), '', path);
      const outer = path.startsWith('@') ? path : `../${path}`;
      assert.is(await render(`{{#each data}}{{${outer}}}{{#each ${outer}}}x{{/each}}{{/each}}`, view), '', path);
    }
  // The same names are fields if the data has such keys.
  const named = JSON.parse('{"constructor": "C", "__proto__": {"a": "P"}, "log": "L", "with": "W"}');
  assert.is(await render('{{constructor}} {{__proto__.a}} {{log}} {{with}}', named), 'C P L W');
});

tests('write names and texts as data, even if they look like JavaScript', async () => {
  const nasty = ['"};globalThis.broken=1;//', "'+process.exit()+'", '`${globalThis.broken=1}`', '\\u0022', '\u2028', '*/globalThis.broken=1/*'];
  for (const one of nasty) {
    assert.is(await render(one, {}), one);
    // Handlebars keeps the brackets around such a name.
    if (one === '\u2028') continue;
    assert.is(await render(`{{[${one}]}}{{#if [${one}]}}!{{/if}}`, { [one]: 'x' }), 'x!', one);
  }
  assert.is((globalThis as { broken?: unknown }).broken, undefined);
});

tests('repeat a text a hundred times at most', async () => {
  assert.is(await render('{{#repeat many}}x{{/repeat}}', { many: 1e9 }), 'x'.repeat(100));
  assert.is(await render('{{repeat "x" 1000000}}', {}), 'x'.repeat(100));
  assert.is(await render('{{#repeat many}}x{{/repeat}}', { many: -1 }), '');
});

tests.run();
