/** Files of the user in which the compiler owns some keys: everything else stays unchanged, byte for byte. */
import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json, } from '../../src/kinds/output.ts';
import { canonical } from '../../src/plan/canonical.ts';
import { loadFormat } from '../../src/plan/load-format.ts';
import { changeValue, isFields, valueAt } from '../../src/plan/shared-format.ts';
import { addCases } from '../support/cases.ts';
import fc from '../support/property.ts';
import { cases } from './cases.ts';
import { element, Project, set, shared } from './support/project.ts';

const test = suite('shared files');

addCases(test, cases);

test('a second run records the same as the first one', async () => {
  for (const format of ['json', 'jsonc', 'toml', 'yaml'] as const) {
    const project = new Project();
    const files = [
      shared('s', [element('hooks.b', { run: 'b' }), element('hooks.a', { run: 'a' }), set('z.y.x', 1), set('servers.one', {}), set('servers.two', {})], format),
    ];
    await project.compile(files);
    const manifest = project.read('.instr/manifest.json');
    const again = await project.compile(files);
    assert.not.ok(again.work, format);
    assert.is(project.read('.instr/manifest.json'), manifest, format);
  }
});

test('removes a file that it created with the last owned key', async () => {
  const project = new Project();
  const files = (['json', 'toml', 'yaml'] as const).map(kind => shared(`s.${kind}`, [set('a.b', { c: [1] })], kind));
  assert.equal((await project.compile(files)).states, { 's.json': 'new', 's.toml': 'new', 's.yaml': 'new' });
  assert.is(project.read('s.json'), '{\n  "a": {\n    "b": {\n      "c": [\n        1\n      ]\n    }\n  }\n}\n');
  assert.is(project.read('s.toml'), '[a.b]\nc = [ 1 ]\n');
  assert.is(project.read('s.yaml'), 'a:\n  b:\n    c:\n      - 1\n');
  await project.compile([]);
  assert.equal(project.tree(), {});
});

test('keeps such a file if the user added something', async () => {
  const project = new Project();
  await project.compile([shared('s.json', [set('a.b', 1)])]);
  project.write('s.json', '{\n  // a note\n  "a": {\n    "b": 1\n  }\n}\n');
  await project.compile([]);
  assert.is(project.read('s.json'), '{\n  // a note\n}\n');
});

const hook = (command: string) => ({ type: 'command', command });

test('removes an adopted file with the last entry if all entries are owned, and an event with its last hook', async () => {
  const project = new Project();
  const text = `${JSON.stringify({ version: 1, hooks: { start: [hook('a')], end: [hook('b'), hook('c')] } }, null, 4)}\n`;
  project.write('h.json', text);
  const start = element('hooks.start', hook('a'));
  const end = [element('hooks.end', hook('b')), element('hooks.end', hook('c'))];
  const version = { ...set('version', 1), initial: true as const };
  assert.equal((await project.compile([shared('h.json', [version, start, ...end])])).states, { 'h.json': 'adopted' });
  await project.compile([shared('h.json', [version, ...end])]);
  assert.is(project.read('h.json'), `${JSON.stringify({ version: 1, hooks: { end: [hook('b'), hook('c')] } }, null, 4)}\n`);
  assert.equal((await project.compile([])).states, { 'h.json': 'removed' });
  assert.not.ok(project.exists('h.json'));
  assert.ok((await project.undo()).ok);
  assert.ok((await project.undo()).ok);
  assert.is(project.read('h.json'), text);
  // Keeps other content of the user, and values that the user left empty.
  for (const [present, left] of [
    ['{\n  "mine": 1,\n  "hooks": {\n    "start": [{ "type": "command", "command": "a" }]\n  }\n}\n', '{\n  "mine": 1\n}\n'],
    ['{\n  // Why.\n  "hooks": { "start": [{ "type": "command", "command": "a" }] }\n}\n', '{\n  // Why.\n}\n'],
    ['{\n  "hooks": { "start": [{ "type": "command", "command": "a" }], "end": [] }\n}\n', '{\n  "hooks": { "end": [] }\n}\n'],
    ['{\n  "hooks": { "start": [] }\n}\n', '{\n  "hooks": { "start": [] }\n}\n'],
  ] as const) {
    const other = new Project();
    other.write('h.json', present);
    await other.compile([shared('h.json', [start])]);
    await other.compile([shared('h.json', [start])]);
    await other.compile([]);
    assert.is(other.read('h.json'), left);
  }
});

test("the user's own server of the same name is a conflict; force replaces it and keeps the old value", async () => {
  const project = new Project();
  const text = '{\n  "mcpServers": {\n    "docs": { "command": "mine" },\n    "other": {}\n  }\n}\n';
  project.write('.mcp.json', text);
  const files = [shared('.mcp.json', [set('mcpServers.docs', { command: 'ours' })])];
  const { ok, found } = await project.compile(files);
  assert.not.ok(ok);
  assert.match(found[0]!.message, 'its own value for mcpServers.docs');
  assert.is(project.read('.mcp.json'), text);
  const forced = await project.compile(files, { force: true });
  assert.ok(forced.ok);
  assert.is(project.read(forced.backups[0]!.copy!), text);
  assert.is(project.read('.mcp.json'), text.replace('mine', 'ours'));
});

test('changes only the changed fields of an entry, and keeps the order and the comments of the others', async () => {
  const project = new Project();
  const was = { command: 'a', timeout: 1, env: { A: '1', B: '2' } };
  const text = '{\n  "s": { // why\n    "timeout": 1, // seconds\n    "env": { "B": "2", "A": "1" },\n    "command": "a"\n  }\n}\n';
  project.write('s.jsonc', text);
  await project.compile([shared('s.jsonc', [set('s', was)])]);
  await project.compile([shared('s.jsonc', [set('s', { command: 'a', timeout: 2, env: { A: '1', B: '3', C: '4' } })])]);
  const changed = text.replace('1, //', '2, //').replace('"2", "A": "1"', '"3", "A": "1", "C": "4"');
  assert.is(project.read('s.jsonc'), changed);
  // An entry without any of the old fields is a different entry.
  await project.compile([shared('s.jsonc', [set('s', { url: 'u' })])]);
  assert.is(project.read('s.jsonc'), '{\n  "s": {\n    "url": "u"\n  }\n}\n');
});

test('adopts an equal key, reports an edited one as drift, and keeps an edited one that is no longer planned', async () => {
  const project = new Project();
  const files = (value: Json) => [shared('s.json', [set('a.b', value)])];
  project.write('s.json', '{"a":{"b":1}}');
  assert.equal((await project.compile(files(1))).states, { 's.json': 'adopted' });
  project.write('s.json', '{"a":{"b":2}}');
  const { states, found } = await project.compile(files(1));
  assert.equal(states, { 's.json': 'drifted' });
  assert.match(found[0]!.message, 'a.b');
  assert.equal((await project.compile(files(2))).states, { 's.json': 'unchanged' });
  project.write('s.json', '{"a":{"b":3}}');
  assert.equal((await project.compile([])).codes, ['PRS8015']);
  assert.is(project.read('s.json'), '{"a":{"b":3}}');
});

test('restores a key that the user removed, and removing a server removes only that server', async () => {
  const project = new Project();
  const both = [set('servers.a', { x: 1 }), set('servers.b', { x: 2 })];
  project.write('s.json', '{\n  "servers": {\n    "mine": {}\n  }\n}\n');
  await project.compile([shared('s.json', both)]);
  project.write('s.json', '{\n  "servers": {\n    "mine": {}\n  }\n}\n');
  await project.compile([shared('s.json', both)]);
  await project.compile([shared('s.json', [both[1]!])]);
  assert.is(project.read('s.json'), '{\n  "servers": {\n    "mine": {},\n    "b": {\n      "x": 2\n    }\n  }\n}\n');
});

test('changes elements in place, next to those of the user', async () => {
  const project = new Project();
  project.write('s.json', '{ "hooks": ["mine 1"] }');
  await project.compile([shared('s.json', [element('hooks', 'ours 1'), element('hooks', 'ours 2')])]);
  project.write('s.json', '{ "hooks": ["mine 1", "ours 1", "mine 2", "ours 2"] }');
  await project.compile([shared('s.json', [element('hooks', 'new 1'), element('hooks', 'ours 2')])]);
  assert.is(project.read('s.json'), '{ "hooks": ["mine 1", "new 1", "mine 2", "ours 2"] }');
  project.write('s.json', '{ "hooks": ["mine 1", "new 1 edited", "mine 2", "ours 2"] }');
  const edited = await project.compile([shared('s.json', [element('hooks', 'new 1'), element('hooks', 'ours 2')])]);
  assert.equal(edited.states, { 's.json': 'drifted' });
  project.write('s.json', '{ "hooks": ["mine 1", "new 1", "mine 2", "ours 2"] }');
  await project.compile([]);
  assert.is(project.read('s.json'), '{ "hooks": ["mine 1", "mine 2"] }');
});

test('notices an edited element in a list without other elements, and restores a removed one', async () => {
  const project = new Project();
  const files = [shared('s.json', [element('hooks', 'ours')])];
  await project.compile(files);
  project.write('s.json', '{ "hooks": ["ours, edited"] }');
  assert.equal((await project.compile(files)).states, { 's.json': 'drifted' });
  project.write('s.json', '{ "hooks": [] }');
  assert.equal((await project.compile(files)).states, { 's.json': 'changed' });
});

test('never changes a file that cannot be parsed, not even with force, and reports the position', async () => {
  const project = new Project();
  for (const [path, kind, text] of [
    ['s.json', 'json', '{ "a": 1 '],
    ['t.json', 'json', '[1]'],
    ['s.toml', 'toml', 'a = \n'],
    ['s.yaml', 'yaml', 'a: [\n'],
    ['l.yaml', 'yaml', '- 1\n'],
  ] as const) {
    project.write(path, text);
    const { ok, found } = await project.compile([shared(path, [set('b', 1)], kind)], { force: true });
    assert.not.ok(ok, path);
    assert.equal(found.map(({ code }) => code), ['PRS8010'], path);
    assert.is(found[0]!.span?.source.name, path);
    assert.is(project.read(path), text);
  }
  writeFileSync(project.at('b.json'), Buffer.from([0x7b, 0xff, 0x7d]));
  assert.not.ok((await project.compile([shared('b.json', [set('b', 1)])], { force: true })).ok);
});

test('refuses a TOML file with a key that the library for TOML would lose', async () => {
  const project = new Project();
  const text = '[a]\n__proto__ = 1\n';
  project.write('s.toml', text);
  assert.not.ok((await project.compile([shared('s.toml', [set('b', 1)], 'toml')], { force: true })).ok);
  assert.is(project.read('s.toml'), text);
});

test('a value where an object is needed is a conflict', async () => {
  const project = new Project();
  project.write('s.json', '{ "a": "text" }');
  const files = [shared('s.json', [set('a.b', 1)])];
  assert.equal((await project.compile(files)).codes, ['PRS8001']);
  assert.ok((await project.compile(files, { force: true })).ok);
  assert.equal(JSON.parse(project.read('s.json')), { a: { b: 1 } });
});

const key = fc.constantFrom('a', 'b', 'mcp servers', '__proto__', 'x.y', 'é"');
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant('line\nline'));
const fields = fc.letrec<{ value: Json; fields: Json }>(tie => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(leaf, { maxLength: 3 }), tie('fields')) as fc.Arbitrary<Json>,
  fields: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(pairs => {
    const result = Object.create(null) as Record<string, Json>;
    for (const [name, value] of pairs) result[name] = value;
    return result;
  }) as fc.Arbitrary<Json>,
}));

/** The same value in common JSON layouts. */
const layouts: ((value: Json) => string)[] = [
  value => JSON.stringify(value),
  value => `${JSON.stringify(value, null, 2)}\n`,
  value => `${JSON.stringify(value, null, '\t').replace(/\n/g, '\r\n')}\r\n`,
  value => JSON.stringify(value, null, 4).replace(/(["\]}\w])\n/g, '$1 // note\n').replace(/,\n/g, ', /* x */\n'),
  value => JSON.stringify(value, null, 2).replace(/([^{[,\s])(\n\s*[}\]])/g, '$1,$2'),
];

test('any JSON: setting gives the expected value, and removing restores the bytes', async () => {
  const format = await loadFormat('json');
  const property = fc.property(
    fields.fields,
    fc.constantFrom(...layouts),
    fc.array(key, { minLength: 1, maxLength: 3 }),
    fields.value,
    (start, layout, path, value) => {
      const text = layout(start);
      const parsed = format.parse(text);
      if (!('value' in parsed)) return;
      const next = format.change(text, path, value);
      const after = format.parse(next);
      assert.ok('value' in after, next);
      assert.is(canonical(after.value), canonical(changeValue(parsed.value, path, value)), next);
      const isNew = !(path[0]! in (parsed.value as object));
      if (isNew) assert.is(format.change(next, path.slice(0, 1), undefined), text === '{}' ? '{}' : text);
    },
  );
  fc.assert(property, { numRuns: 400 });
});

for (const kind of ['toml', 'yaml'] as const) {
  test(`any ${kind}: setting and removing give the expected values`, async () => {
    const format = await loadFormat(kind);
    const property = fc.property(
      fields.fields,
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fields.value,
      (start, path, value) => {
        const text = format.create(start);
        const parsed = format.parse(text);
        assert.ok('value' in parsed, text);
        // The library for TOML cannot keep such a key: the plan refuses the file.
        if (kind === 'toml' && text.includes('__proto__')) return;
        // The plan sets a parent that is not an object, instead of a key inside it.
        for (let length = 1; length < path.length; length++) {
          const inner = valueAt(parsed.value, path.slice(0, length));
          if (inner !== undefined && !isFields(inner)) return;
        }
        const next = format.change(text, path, value);
        const after = format.parse(next);
        assert.ok('value' in after, next);
        const mean = (data: Json) => canonical(format.comparable?.(data) ?? data);
        assert.is(mean(after.value), mean(changeValue(parsed.value, path, value)), next);
        const removed = format.parse(format.change(next, path, undefined));
        assert.ok('value' in removed);
        assert.is(mean(removed.value), mean(changeValue(after.value, path, undefined)), next);
      },
    );
    fc.assert(property, { numRuns: 150 });
  });
}

const rule = (pattern: string, value: string) => ({ ...set('x', value), path: ['bash', pattern], ordered: true as const });

test('where later entries take precedence, inserts a new one at its planned position, and undo restores the order', async () => {
  const project = new Project();
  project.write('s.json', '{ "bash": { "ls *": "ask" } }\n');
  const [first, last] = [rule('git *', 'allow'), rule('git push *', 'deny')];
  await project.compile([shared('s.json', [first, last])]);
  const before = project.read('s.json');
  await project.compile([shared('s.json', [first, rule('git p*', 'allow'), last])]);
  assert.equal(Object.keys(JSON.parse(project.read('s.json')).bash), ['ls *', 'git *', 'git p*', 'git push *']);
  await project.undo();
  assert.is(project.read('s.json'), before);
});

test('owns single lines of a file that others share', async () => {
  const project = new Project();
  const line = (value: string) => ({ kind: 'element' as const, path: [], value, ordered: true as const });
  project.write('.ignore', '# mine\n*.log');
  await project.compile([shared('.ignore', [line('dist/'), line('!dist/keep')], 'lines')]);
  assert.is(project.read('.ignore'), '# mine\n*.log\ndist/\n!dist/keep\n');
  await project.compile([shared('.ignore', [line('dist/'), line('*.tmp'), line('!dist/keep')], 'lines')]);
  assert.is(project.read('.ignore'), '# mine\n*.log\ndist/\n*.tmp\n!dist/keep\n');
  await project.compile([]);
  assert.is(project.read('.ignore'), '# mine\n*.log\n');
  const own = new Project();
  await own.compile([shared('.ignore', [line('dist/')], 'lines')]);
  await own.compile([]);
  assert.not(own.exists('.ignore'));
});

test.run();
