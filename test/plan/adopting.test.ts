/** A file with the same meaning as the planned one is adopted: its bytes are kept until its content has to change. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KeyEdit } from '../../src/kinds/output.ts';
import { needing } from '../support/machine.ts';
import { element, Project, set, shared, whole } from './support/project.ts';

const test = suite('adopting');

const planned = '---\ndescription: "Rules: all"\nglobs: "a/*, b/*"\n---\n\nText\n\nMore\n';

const layouts: Record<string, string> = {
  quotes: "---\ndescription: 'Rules: all'\nglobs: 'a/*, b/*'\n---\n\nText\n\nMore\n",
  order: '---\nglobs: a/*, b/*\ndescription: "Rules: all"\n---\nText\n\nMore\n',
  loose: '---\nglobs: a/*, b/*\ndescription: Rules: all\n---\nText\n\nMore\n',
  blocks: '---\ndescription: >-\n  Rules:\n  all\nglobs:\n  - a/*\n  - b/*\n---\n\n\nText\n\nMore\n\n\n',
  empty: '---\ndescription: "Rules: all"\nglobs: a/*,b/*\nmodel:\n---\nText\n\nMore',
  windows: '\ufeff---\r\ndescription: "Rules: all"\r\nglobs: "a/*, b/*"\r\n---\r\nText\r\n\r\nMore\r\n',
};

for (const [name, text] of Object.entries(layouts)) {
  test(`${name}: adopted, then unchanged, and written when the source changes`, async () => {
    const project = new Project();
    project.write('r.md', text);
    const first = await project.compile([whole('r.md', planned)]);
    assert.equal([first.ok, first.states, first.written, first.codes], [true, { 'r.md': 'adopted' }, 0, []]);
    const again = await project.plan([whole('r.md', planned)]);
    assert.equal([again.work, again.states], [false, { 'r.md': 'unchanged' }]);
    assert.is(project.read('r.md'), text);
    const next = planned.replace('More', 'Else');
    assert.equal((await project.compile([whole('r.md', next)])).states, { 'r.md': 'changed' });
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    assert.is(project.read('r.md'), text.replace(/More\s*$/, `Else${end}`));
    assert.ok((await project.undo()).ok);
    assert.is(project.read('r.md'), text);
    assert.equal((await project.plan([whole('r.md', planned)])).states, { 'r.md': 'unchanged' });
    assert.ok((await project.undo()).ok);
    assert.equal(project.tree(), { 'r.md': text }, 'not owned after undo');
  });
}

needing(test, 'git')('copies an adopted file before overwriting it for the first time, unless version control has it', async () => {
  const text = layouts.loose!;
  const next = planned.replace('More', 'Else');
  const goes: Record<string, readonly ReturnType<typeof whole>[]> = {
    rewritten: [whole('r.md', next), whole('s.md', 's\n')],
    removed: [whole('s.md', 's\n')],
  };
  for (const [what, files] of Object.entries(goes)) {
    const project = new Project();
    project.write('r.md', text);
    await project.compile([whole('r.md', planned)]);
    const { backups, codes, found } = await project.compile(files);
    assert.equal(codes, ['PRS8019'], what);
    assert.is(project.read(backups[0]!.copy!), text, what);
    assert.ok(found[0]!.message.includes(backups[0]!.copy!), what);
    const later = await project.compile([whole('r.md', planned), whole('s.md', 's\n')]);
    assert.equal([later.ok, later.backups], [true, []], 'owned after it was written');
  }
  const project = new Project();
  project.write('r.md', text);
  project.git('init', '-q');
  project.git('add', '-A');
  project.git('commit', '-qm', 'mine');
  await project.compile([whole('r.md', planned)]);
  const { backups } = await project.compile([whole('r.md', next)]);
  assert.equal(backups.map(({ path, copy }) => [path, copy]), [['r.md', undefined]]);
  assert.is(project.git('show', `${backups[0]!.commit}:r.md`), text);
});

const others: Record<string, string> = {
  body: planned.replace('Text\n\nMore', 'Text\nMore'),
  value: planned.replace('Rules: all', 'Rules: some'),
  key: planned.replace('---\n\n', 'model: x\n---\n\n'),
  list: planned.replace('"a/*, b/*"', '[]'),
  none: 'Text\n\nMore\n',
};

for (const [name, text] of Object.entries(others)) {
  test(`${name}: has another meaning, which is a conflict`, async () => {
    const project = new Project();
    project.write('r.md', text);
    assert.equal((await project.compile([whole('r.md', planned)])).states, { 'r.md': 'conflict' });
    assert.is(project.read('r.md'), text);
  });
}

const structured: Record<string, readonly [format: string, planned: string, present: string, other: string]> = {
  'x.json': ['json', '{\n  "a": [1, 2],\n  "b": "c"\n}\n', '{"b":"c","a":[1,2]}', '{"b":"c","a":[2,1]}'],
  'x.jsonc': ['jsonc', '{ "a": 1 }\n', '// Mine\n{ "a": 1, }', '// Mine\n{ "a": 2 }'],
  'x.toml': ['toml', 'prompt = """\nDo.\n\nIt."""\nb = 1\n', 'b = 1\n# Mine\nprompt = "Do.\\n\\nIt.\\n"\n', 'prompt = "Do."\nb = 1\n'],
  'x.yaml': ['yaml', 'a: "1"\nb:\n  - c\n', "b: [c] # Mine\na: '1'\n", 'a: "1"\nb: []\n'],
};

for (const [path, [format, text, present, other]] of Object.entries(structured)) {
  test(`${path}: a structured file is compared as data`, async () => {
    const file = whole(path, text, { format } as object);
    const project = new Project();
    project.write(path, present);
    assert.equal((await project.compile([file])).states, { [path]: 'adopted' });
    assert.not.ok((await project.plan([file])).work);
    assert.is(project.read(path), present);
    project.write(path, other);
    assert.equal((await project.compile([file])).states, { [path]: 'drifted' });
  });
}

test('executable files and other formats are equal only if their bytes are', async () => {
  const project = new Project();
  project.write('run.sh', 'echo\n\n');
  const file = whole('run.sh', 'echo\n', { format: 'script' } as object);
  assert.equal((await project.compile([file])).states, { 'run.sh': 'conflict' });
});

test('keeps a generated file that a formatter changed, and writes it when the generated layout changes', async () => {
  const project = new Project();
  await project.compile([whole('r.md', planned)]);
  project.write('r.md', layouts.quotes!);
  assert.equal((await project.compile([whole('r.md', planned)])).states, { 'r.md': 'adopted' });
  assert.not.ok((await project.plan([whole('r.md', planned)])).work);
  project.write('r.md', layouts.order!);
  assert.ok((await project.compile([whole('r.md', planned)])).ok, 'formatted once more');
  await project.compile([whole('r.md', planned), whole('s.md', planned)]);
  assert.equal((await project.compile([whole('s.md', layouts.order!)])).states, { 'r.md': 'removed', 's.md': 'changed' });
  assert.is(project.read('s.md'), layouts.order);
});

test('a key that only the spec adds, and a name that repeats the file name, may be missing', async () => {
  const project = new Project();
  project.write('a.agent.md', '---\ndescription: D\n---\nText\n');
  const text = '---\nname: a\ndescription: D\nagent: agent\n---\n\nText\n';
  const file = whole('a.agent.md', text, { implied: [{ key: 'agent' }] } as object);
  assert.equal((await project.compile([file])).states, { 'a.agent.md': 'adopted' });
  const other = whole('a.agent.md', text.replace('name: a', 'name: b'), { implied: [{ key: 'agent' }] } as object);
  assert.equal((await project.plan([other])).states, { 'a.agent.md': 'changed' });
});

test('a key with its default value, and a description that repeats the body, may be missing', async () => {
  const text = '---\nglobs: [a]\nalways: false\n---\n\nAbout a.\n\nText\n';
  const more = { implied: [{ key: 'always' }, { key: 'background', value: false }], plain: 'Text\n' } as object;
  for (const [present, state] of [
    ['---\nglobs: a\n---\nText\n', 'adopted'],
    ['---\nglobs: [a]\nbackground: false\n---\nAbout a.\n\nText\n', 'adopted'],
    ['---\nglobs: [a]\nbackground: true\n---\nText\n', 'conflict'],
    ['---\nglobs: [a, b]\n---\nText\n', 'conflict'],
    ['---\nglobs: [a]\n---\nAbout b.\n\nText\n', 'conflict'],
  ] as const) {
    const project = new Project();
    project.write('a.md', present);
    assert.equal((await project.compile([whole('a.md', text, more)])).states, { 'a.md': state }, present);
    assert.is(project.read('a.md'), present);
  }
});

test('keeps the layout of Markdown and comments of the user until the source changes', async () => {
  const text = '# A\n\n- one\n- two\n\nText of\ntwo lines.\n';
  const existing = '<!-- Mine -->\n\n# A\n* one\n* two\n\n\nText of two lines.\n';
  const project = new Project();
  project.write('a.md', existing);
  assert.equal((await project.compile([whole('a.md', text)])).states, { 'a.md': 'adopted' });
  assert.equal((await project.compile([whole('a.md', text)])).states, { 'a.md': 'unchanged' });
  assert.is(project.read('a.md'), existing);
  // A new layout of the source is written, because it is intended.
  assert.equal((await project.compile([whole('a.md', text.replace('of\ntwo', 'of two'))])).states, { 'a.md': 'changed' });
  for (const other of [existing.replace('* two\n', ''), existing.replace('Text', '`Text`'), `${existing}\n<b>x</b>\n`]) {
    project.write('b.md', other);
    assert.equal((await project.plan([whole('b.md', text)])).states['b.md'], 'conflict', other);
  }
});

test('the first change of an adopted file keeps its front matter and line ends', async () => {
  const text = (body: string) => `---\ndescription: "D"\nglobs: ["a"]\n---\n\n${body}\n`;
  const existing = "---\r\nglobs: a # all\r\ndescription: 'D'\r\n---\r\nOld.\r\n";
  const project = new Project();
  project.write('a.md', existing);
  await project.compile([whole('a.md', text('Old.'))]);
  assert.equal((await project.compile([whole('a.md', text('New.'))])).states, { 'a.md': 'changed' });
  assert.is(project.read('a.md'), existing.replace('Old', 'New'));
  assert.equal((await project.plan([whole('a.md', text('New.'))])).states, { 'a.md': 'unchanged' });
  assert.equal((await project.compile([whole('a.md', text('New.').replace('"D"', 'E'))])).states, { 'a.md': 'changed' });
  assert.is(project.read('a.md'), text('New.').replace('"D"', 'E'));
});

const implied = { type: ['stdio'], env: [{}], name: [] };
const server = (value: KeyEdit['value']) => shared('s.json', [{ ...set('servers.one', value), implied }]);
const hook = (equivalents: readonly KeyEdit['value'][]) =>
  shared('s.json', [{ ...element('hooks', { run: 'cd x && y', name: 'h' }), equivalents, implied }]);
const text = (value: KeyEdit['value']) => `${JSON.stringify(value, null, 4)}\n`;

test('an entry keeps members that have no effect until its values change', async () => {
  const project = new Project();
  const existing = text({ servers: { one: { type: 'stdio', command: 'a', env: {} } } });
  project.write('s.json', existing);
  assert.equal((await project.compile([server({ command: 'a' })])).states, { 's.json': 'adopted' });
  assert.is(project.read('s.json'), existing);
  assert.equal((await project.compile([server({ command: 'a' })])).states, { 's.json': 'unchanged' });
  assert.equal((await project.compile([server({ command: 'b' })])).states, { 's.json': 'changed' });
  assert.equal(JSON.parse(project.read('s.json')), { servers: { one: { command: 'b' } } });
  project.write('s.json', text({ servers: { one: { type: 'http', command: 'b' } } }));
  assert.equal((await project.compile([server({ command: 'b' })])).states, { 's.json': 'drifted' });
});

test('an entry that exists in an equivalent form is not written a second time', async () => {
  for (const [line, count] of [['$X/y', 1], ['z', 2]] as const) {
    const project = new Project();
    project.write('s.json', text({ hooks: [{ run: line, type: 'stdio' }] }));
    await project.compile([hook([{ run: '$X/y', name: 'h' }])]);
    assert.is(JSON.parse(project.read('s.json')).hooks.length, count, line);
  }
});

test.run();
