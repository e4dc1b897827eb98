/** Spec features of the engine that the built-in specs do not cover completely. */

import { parse as parseToml } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderFile } from '../../src/emit/emit.ts';
import { documentBudgets, reportLimits } from '../../src/emit/limits.ts';
import { Clashes } from '../../src/kinds/clashes.ts';
import type { DocumentDraft, EntriesDraft } from '../../src/kinds/draft.ts';
import { fillShape, ItemFields, slotValue } from '../../src/kinds/native/shapes.ts';
import { Omissions } from '../../src/kinds/omissions.ts';
import type { EmitSettings, TargetRequest } from '../../src/kinds/request.ts';
import { hookScript } from '../../src/kinds/scripts/plan.ts';
import { commandsOfScript } from '../../src/kinds/scripts/read.ts';
import { tomlRows } from '../../src/kinds/write/rows.ts';
import type { Data, Item, Model } from '../../src/model/model.ts';
import { sizeOf as measure } from '../../src/spec/loading/limits.ts';
import { headingTitles, leadingHeadingDepth, minHeadingDepth, nestHeadings, rewordHeadings } from '../../src/text/headings.ts';
import { posixCommand, powershellCommand } from '../../src/text/shell.ts';
import { plainText } from '../../src/text/traced.ts';

const tests = suite('values');

const itemOf = (fields: Readonly<Record<string, Data>>): Item => ({
  name: 'one',
  path: 'skills.one',
  fields: new Map(Object.entries(fields)),
  computed: new Set(['name']),
  resources: [],
});
const sourceOf = (fields: Readonly<Record<string, Data>>) => new ItemFields(itemOf(fields), new Map());
const requestOf = (id: string) => ({ spec: { id, title: id, versions: {}, files: {} }, version: 'full' }) as unknown as TargetRequest;

tests('refuses only those values of a list that are denied, or not allowed', () => {
  const source = sourceOf({ tools: ['read', 'write'], model: 'opus' });
  assert.equal(slotValue({ from: 'tools', deny: ['write'] }, source), ['read']);
  assert.equal([...source.refused], [['tools', 'write']]);
  assert.equal(slotValue({ from: 'tools', allow: ['read'] }, source), ['read']);
  assert.is(slotValue({ from: 'tools', allow: ['run'] }, source), undefined);
  assert.is(slotValue({ from: 'model', deny: ['opus'] }, source), undefined);
  assert.equal([...source.refused], [['tools', 'read, write'], ['model', 'opus']]);
  assert.equal(slotValue({ from: 'tools', allow: ['read', 'write'], deny: ['run'] }, source), ['read', 'write']);
});

tests('omits a shape whose slots are all absent, even if it contains constant values', () => {
  const shape = { type: 'fixed', version: { literal: 1 }, url: { from: 'url' }, more: [{ from: 'more' }] };
  assert.is(fillShape(shape, sourceOf({})), undefined);
  assert.equal({ ...(fillShape(shape, sourceOf({ url: 'u' })) as object) }, { type: 'fixed', version: 1, url: 'u' });
  assert.equal({ ...(fillShape({ type: 'fixed', version: { literal: 1 } }, sourceOf({})) as object) }, { type: 'fixed', version: 1 });
});

tests('text is measured in the unit of the vendor', () => {
  const text = 'één 👍\nzwei\n';
  assert.equal([measure(text, 'bytes'), measure(text, 'lines'), measure(text, 'characters'), measure(text, 'tokens')], [16, 2, 11, 3]);
});

tests('the always loaded size of a target is the sum of its documents, and is compared with a hard limit', () => {
  const limits = [
    { file: 'main', max: 2, unit: 'characters', then: 'advice' },
    { file: 'main', max: 200, unit: 'bytes', then: 'cut' },
  ];
  const request = { spec: { id: 'one', title: 'One', files: { main: { of: 'instructions' } }, limits } } as unknown as TargetRequest;
  const reported: string[] = [];
  const written = (place: string, content: string) => ({ draft: { kind: 'document', request, place } as DocumentDraft, path: `${place}.md`, content });
  const documents = [written('main', 'äöü'), written('local', 'abcd\n')];
  reportLimits(documents, ({ message }) => reported.push(message));
  assert.equal(documentBudgets(documents), [{ target: 'one', characters: 8, tokens: 2, limit: { max: 200, unit: 'bytes', used: 11 } }]);
  assert.is(reported.length, 1);
  assert.match(reported[0]!, /main\.md has 3 characters/);
});

tests('headings are shifted together, at most to level six, and code fences are unchanged', () => {
  const fenced = (open: string, inner: string, close: string) => `${open}md\n# in\n${inner}\n# in too\n${close}\n\n# out\n`;
  for (const [open, inner, close] of [['```', '~~~', '```'], ['````', '```', '`````'], ['~~~', '```', '~~~'], ['```', '``` js', '```']] as const) {
    const text = fenced(open, inner, close);
    assert.is(nestHeadings(text, 3), text.replace('# out', '### out'));
    assert.equal(headingTitles(text), ['out']);
  }
  assert.is(nestHeadings('## a\n\n##### b\n\n###### c ##\n', 3), '### a\n\n###### b\n\n###### c ##\n');
  assert.is(nestHeadings('#no heading\n    # code\n', 3), '#no heading\n    # code\n');
  assert.is(rewordHeadings('# a #\n## b\n', words => (words === 'a' ? 'A' : undefined)), '# A\n## b\n');
  assert.equal([minHeadingDepth('### c\n## b\n'), leadingHeadingDepth('\n## b\n# a'), leadingHeadingDepth('a\n# b')], [2, 2, 0]);
});

tests('a word that is special in one of the shells is quoted', () => {
  assert.is(posixCommand(['npx', '@scope/tool', "it's", '$HOME', '']), `npx @scope/tool 'it'\\''s' '$HOME' ''`);
  assert.is(powershellCommand(['npx', '@scope/tool', "it's", '$HOME']), `npx '@scope/tool' 'it''s' '$HOME'`);
  assert.is(powershellCommand(['my tool', 'x']), `& 'my tool' x`);
});

tests('a file of several targets is private if any of them writes private entries', () => {
  const draft = (id: string, key: string, isPrivate: boolean): EntriesDraft => ({
    kind: 'entries',
    path: 'settings.json',
    request: requestOf(id),
    place: 'settings',
    format: 'json',
    edits: [{ kind: 'set', path: [key], value: 1 }],
    private: isPrivate,
  });
  const merge = (...drafts: [EntriesDraft, ...EntriesDraft[]]) => {
    const settings = { baseDir: '' } as EmitSettings;
    const none = () => assert.unreachable();
    const watching = { clashes: new Clashes(none, new Set()), report: none };
    return renderFile(drafts, { model: {} as Model, settings, layouter: none as never, sourceAt: () => undefined, ...watching });
  };
  const file = merge(draft('two', 'b', true), draft('one', 'a', false));
  assert.is(file!.private, true);
  assert.equal(file!.kind === 'shared' && file!.edits.map(({ path }) => path[0]), ['a', 'b']);
  assert.is(merge(draft('one', 'a', false))!.private, undefined);
});

tests('an item without a place is omitted text by text: fields, unknown front matter, resources', () => {
  const omissions = new Omissions(requestOf('one'));
  const bytes = new Uint8Array();
  const item = {
    ...itemOf({ name: 'one', content: 'Text.' }),
    extra: new Map<string, Data>([['mood', 'calm']]),
    resources: [{ path: 'run.sh', bytes, executable: true }],
  };
  omissions.item(item as unknown as Item, 'skills');
  assert.equal(
    omissions.found.map(({ source, text }) => [source, text]),
    [
      ['skills.one.content', 'Text.'],
      ['skills.one.mood', 'calm'],
      ['skills.one/run.sh', 'run.sh'],
    ],
  );
});

tests('rows of a TOML file are read back unchanged: texts, nested tables, keys of any kind', () => {
  const value = {
    title: 'a "b" \\ \u007f',
    text: 'one\n"""two"""\n',
    list: ['x', 1, true],
    servers: { 'my docs': { url: 'u', env: { A: '1' } }, plain: { on: false } },
    last: 2,
    steps: [{ run: 'a', 'with space': [1] }, { deep: { er: true } }],
    control: 'one\n\u0001two\r\nthree\u001b"',
  };
  const rows = Object.entries(value).map(([key, one]) => ({ key, value: one as Data, bare: false }));
  assert.equal(JSON.parse(JSON.stringify(parseToml(plainText(tomlRows(rows, 'a spec', words => words))))), value);
});

tests('a script of several commands is read back as these commands', () => {
  for (const commands of [['npm test'], ['npm test', "echo 'a | b'"]])
    assert.equal(commandsOfScript(plainText(hookScript(commands, words => words))), commands);
});

tests.run();
