/** A new block needs only a catalogue entry. A copy of the program with invented blocks compiles them without code changes. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../support/compile.ts';

const copy = mkdtempSync(join(tmpdir(), 'instr-block-'));

const blocks = `
  - name: playbooks
    since: 1.5.0
    doc: What to do when something breaks.
    body: [entries]
    prose: false
    entry:
      doc: One playbook.
      types: [object, text]
      fields:
        - { name: description, types: [text], doc: "When to use it." }
        - { name: content, types: [text], doc: "What to do." }
        - { name: pager, types: [text], as: contact, doc: "Whom to call." }
    example: |
      @playbooks { outage: "Call the owner." }

  - name: personas
    since: 1.5.0
    doc: Voices to answer in.
    body: [entries]
    prose: false
    entry:
      doc: One voice.
      types: [object]
      fields:
        - { name: description, types: [text], doc: "What it sounds like." }
        - { name: content, types: [text], doc: "How to speak." }
    example: |
      @personas { calm: { content: "Speak slowly." } }

  - name: probes
    since: 1.5.0
    doc: What is measured.
    body: [entries]
    prose: false
    entry:
      doc: One measurement.
      types: [object]
      fields:
        - { name: content, types: [text], doc: "What it measures." }
    example: |
      @probes { load: { content: "CPU" } }
`;

const collections = `
  - name: playbooks
    block: playbooks
    word: playbook
    without: section
    file: playbooks
    prefix: "!"
    computed: { name: Its name. }
  - name: personas
    block: personas
    word: persona
    without: files
    universal: { dir: "{universal}/personas", path: "{name}.md", frontmatter: [] }
    file: personas
    computed: { name: Its name. }
  - name: probes
    block: probes
    word: probe
    without: omission
    file: probes
    computed: { name: Its name. }
`.replace(', frontmatter: []', '');

const source = `@meta { id: "shop" syntax: "1.5.0" }
@identity { "You work on a shop." }
@playbooks {
  "!outage": { description: "When the shop is down" content: "Restart the api." pager: "the owner" owners: "us" }
  fire: "Leave the building."
}
@personas { calm: { description: "A calm voice" content: "Speak slowly." } }
@probes { load: { content: "Measure the CPU." } }
`;

const own = `id: lantern
label: t90
title: Lantern
homepage: https://example.com
evidence: [{ url: https://example.com, checked: 2026-01-01 }]
versions: { full: All of it. }
defaultVersion: full
files:
  instructions: { kind: document, of: instructions, path: LANTERN.md }
  playbooks:
    kind: items
    of: playbooks
    path: .lantern/playbooks/{name}.md
    frontmatter: [{ key: call, from: contact }, { key: summary, from: description }]
reads: { all: [LANTERN.md] }
detect: [LANTERN.md]
`;

const script = `
import { compile } from './src/index.ts';
const files = ${JSON.stringify({
  'instr.yaml': 'id: shop\nsyntax: "1.5.0"\ntargets: [claude, aider, lantern]\nincludeInstrSkill: false\n',
  '.instr/project.prs': source,
  '.instr/targets/lantern.yaml': own,
})};
const { ok, files: written, omissions, diagnostics } = await compile({ files });
process.stdout.write(JSON.stringify({ ok, written, omissions, diagnostics }));
`;

const run = (args: readonly string[]) => {
  const result = spawnSync(process.execPath, ['--import', 'tsx', ...args], { cwd: copy, encoding: 'utf8' });
  assert.is(result.status, 0, result.stderr);
  return result.stdout;
};

interface Result {
  readonly ok: boolean;
  readonly written: readonly { path: string; content?: string; targets: readonly string[] }[];
  readonly omissions: readonly { target: string; source: string }[];
  readonly diagnostics: readonly { code: string; message: string }[];
}

let result: Result;

const tests = suite('new block');

tests.before(() => {
  for (const name of ['src', 'schema', 'conventions', 'targets', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const catalogue = join(copy, 'schema/blocks.yaml');
  const text = readFileSync(catalogue, 'utf8');
  const at = text.indexOf('\n# Fields that the entries of every collection');
  writeFileSync(
    catalogue,
    (text.slice(0, at) + blocks + text.slice(at)).replace(
      'common:\n',
      'common:\n  - { name: owners, types: [text], doc: "Who looks after it." }\n',
    ) + collections,
  );
  // Lets specs give the new collection its own place: the published schema lists what `of` may name.
  const schema = join(copy, 'schema/target.schema.json');
  writeFileSync(schema, readFileSync(schema, 'utf8').replace(/"enum": \[\s*"guards",/, '"enum": ["playbooks", "guards",'));
  run(['scripts/generate.ts']);
  writeFileSync(join(copy, 'run.ts'), script);
  result = JSON.parse(run(['run.ts'])) as Result;
});

tests.after(() => rmSync(copy, { recursive: true, force: true }));

const textOf = (path: string): string => {
  const file = result.written.find(one => one.path === path);
  assert.ok(file, `${path} is missing; written: ${result.written.map(one => one.path).join(' ')}`);
  return file!.content!;
};

tests('compiles and reports only the block that no tool supports', () => {
  assert.equal(result.diagnostics.map(({ code, message }) => `${code} ${message}`), [
    'PRS7028 `probes.load` reaches no tool: claude, aider, lantern have no place for it.',
  ]);
  assert.ok(result.ok);
});

tests('writes items without a place of their own as sections of the main documents', () => {
  for (const path of ['CLAUDE.md', 'AGENTS.md']) {
    const text = textOf(path);
    assert.match(text, /^## Playbooks$/m, text);
    assert.match(text, /When the shop is down/);
    assert.match(text, /Restart the api\./);
    assert.match(text, /Leave the building\./);
  }
});

tests('writes items to the universal directory and names the files in the main documents', () => {
  assert.match(textOf('.agents/personas/calm.md'), /Speak slowly\./);
  assert.match(textOf('CLAUDE.md'), /^## Personas$[\s\S]*\.agents\/personas\/calm\.md/m);
});

tests('reports items of a block without a fallback as omissions', () => {
  const sources = result.omissions.filter(({ target }) => target === 'claude').map(one => one.source);
  assert.ok(sources.some(one => one.startsWith('probes.load')), sources.join(' '));
  assert.not.match(textOf('CLAUDE.md'), /Measure the CPU/);
});

tests('writes items to the files that a spec defines, with the field names of the catalogue', () => {
  const text = textOf('.lantern/playbooks/outage.md');
  assert.match(text, /^call: the owner$/m, text);
  assert.match(text, /^summary: When the shop is down$/m);
  assert.match(text, /Restart the api\./);
  assert.match(textOf('.lantern/playbooks/fire.md'), /Leave the building\./);
  assert.not.match(textOf('LANTERN.md'), /Restart the api/);
});

tests('accepts a common field in every collection and reports the places that cannot hold it', () => {
  const of = (target: string) => result.omissions.filter(one => one.target === target).map(one => one.source);
  assert.ok(of('claude').includes('playbooks."!outage".owners'), of('claude').join(' '));
  assert.ok(of('lantern').includes('playbooks."!outage".owners'), of('lantern').join(' '));
});

tests.run();
