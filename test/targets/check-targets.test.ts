/** The findings of `npm run check:targets`, as they are printed. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSchemaLines, checkTargets, specSources } from '../../scripts/check-targets.ts';
import { mostUsed } from '../../scripts/docs/tools.ts';
import { hashOfFiles } from '../../scripts/prove/given.ts';
import { readSharedParts, readSpecText } from '../../scripts/specs.ts';
import { sortFields } from '../../scripts/targets/field-order.ts';
import { labelOf, nextLabel } from '../../scripts/targets/together.ts';
import { readSpec } from '../../src/kinds/lint/spec.ts';
import { confidenceOf } from '../../src/spec/confidence.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { root } from '../support/compile.ts';

const tests = suite('check:targets');
const sources = specSources(join(root, 'targets'));

const base = `id: lantern
title: Lantern
homepage: https://example.com
evidence:
  - { url: https://example.com/rules, checked: 2026-03-01 }
versions: { simple: One file., full: Everything. }
defaultVersion: simple
files:
  instructions: { kind: document, of: instructions, path: LANTERN.md }
`;

const check = (text: string, today?: string) => checkTargets([{ name: 'targets/lantern.yaml', text }], [], today);

/** The findings for a minimal spec followed by these lines. */
async function messages(text: string): Promise<string> {
  return renderText(await check(text));
}

tests('reports nothing for the built-in specs', async () => {
  assert.is(renderText(await checkTargets(sources)), '');
});

tests('reports nothing for a minimal spec', async () => {
  assert.is(await messages(base), '');
});

tests('reports a fault with its position', async () => {
  const text = `${base}limits:\n  - { file: instruction, max: 3, unit: lines, then: cut }\n`;
  assert.is(
    await messages(text),
    [
      'targets/lantern.yaml:11:13: error PRS6002: The spec of lantern is not consistent: there is no entry of `files` "instruction". [lantern]',
      '  11 |   - { file: instruction, max: 3, unit: lines, then: cut }',
      '     |             ^^^^^^^^^^^',
      '  help: Did you mean `instructions`? Known: instructions.',
      '',
    ].join('\n'),
  );
});

const items = (rows: string, rest = '') =>
  `${base}  skills: { kind: items, of: skills, path: "a/{name}.md", frontmatter: [${rows}]${rest} }\n`;

tests('reports hooks for one event that map to the same file, even if the sample project has no such hook', async () => {
  const hooks = (entry: string) => `${base}  hooks: { kind: items, of: hooks, path: "h/{name}.json", format: json, entry: ${entry}, hooks: { events: { file-changed: [{ name: Saved }, { name: Made }] } } }\n`;
  assert.match(await messages(hooks('{ on: { from: nativeEvent }, run: { from: shell } }')), /no place for a hook for each event: .* would both become h\/on-file-changed\.json/s);
  assert.not.match(await messages(hooks('{ hooks: [{ on: { from: nativeEvent }, run: { from: shell } }] }')), 'would both become');
});

/** A faulty spec and its expected message. These messages have no other test. */
const faults: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ['a field the schema does not know', `${base}vendr: x\n`, /PRS\d+.*`?vendr/],
  ['YAML that cannot be read', base.replace('files:', 'files: ['), /PRS6003/],
  ['another file name', base.replace('id: lantern', 'id: lamp'), /the file is lantern.yaml/],
  ['an unknown default version', base.replace('defaultVersion: simple', 'defaultVersion: ful'), /no version "ful"/],
  ['a field no item has', items('{ key: a, from: descripton }'), /no field "descripton"/],
  ['a row without a value', items('{ key: a }'), /needs `from` or `value`/],
  ['two rows of one key', items('{ key: a, from: name }, { key: a, from: description }'), /"a" is written twice/],
  ['a template field nobody gives', items('{ key: a, from: name }', ', body: "{{contnt}}"'), /no field "contnt"/],
  ['a template that does not compile', items('{ key: a, from: name }', ', body: "{{#each}}"'), /PRS6004/],
  ['an unknown helper', items('{ key: a, from: name }', ', body: "{{#wen x}}y{{/wen}}"'), /PRS6004/],
  ['a body nobody knows', items('{ key: a, from: name }', ', body: fancy'), /no body "fancy"/],
  ['a path that all items share', items('{ key: a, from: name }').replace('a/{name}.md', 'a.md'), /same path/],
  ['an unknown stanza', `${base}  more: { use: skils, dir: x }\n`, /no stanza "skils"[\s\S]*Did you mean `skills`/],
  ['an entry without kind and stanza', `${base}  more: { path: x.md }\n`, /PRS\d+.*kind/],
  ['a field that the kind of the stanza has not', `${base}  skills: { dir: x, at: [a] }\n`, /PRS\d+.*`at`/],
  ['an unknown row', items('descriptoin'), /no row "descriptoin"[\s\S]*Did you mean `description`/],
  ['an unknown row to begin with', items('{ use: descriptoin, key: a }'), /no row "descriptoin"[\s\S]*Did you mean `description`/],
  ['a row with nothing of its own', items('{ use: license, key: license }'), /the row is `license`/],
  ['an unknown row list', items('').replace('[]', 'agent-skill'), /no row list "agent-skill"/],
  ['an unknown usual version', base.replace('{ simple: One file., full: Everything. }', '[simple, ful]'), /no usual version "ful"/],
  ['a limit of nothing', `${base}limits: [{ file: rules, max: 3, unit: lines, then: cut }]\n`, /no entry of `files` "rules"/],
  ['fields in another order', base.replace('id: lantern\ntitle: Lantern\n', 'title: Lantern\nid: lantern\n'), /`id` stands behind `title`/],
  ['a note that names no product', base.replace('evidence:', 'status: { state: ended, note: It is gone. }\nevidence:'), /the note is no sentence about the product/],
  ['fields of an entry in another order', base.replace('{ kind: document, of: instructions, path: LANTERN.md }', '{ path: LANTERN.md, kind: document, of: instructions }'), /`kind` stands behind `path`/],
  ['fields of a row in another order', items('{ from: name, key: a }'), /`key` stands behind `from`/],
  ['fields of evidence in another order', base.replace('{ url: https://example.com/rules, checked: 2026-03-01 }', '{ checked: 2026-03-01, url: https://example.com/rules }'), /`url` stands behind `checked`/],
  ['what the stanza says already', `${base}  skills: { dir: x, extra: pass }\n`, /the stanza says `extra` already/],
  ['a row that has a name', items('{ key: license, from: license }'), /the row is `license`/],
  ['the usual default version', base.replace('defaultVersion: simple', 'defaultVersion: full'), /`full` is the default/],
  ['a text that is lost', items('name, description', ', body: "{{#if license}}{{content}}{{/if}}"'), /version simple loses texts of test\/projects\/kitchen-sink: guards\./],
  ['a file that is a folder too', items('name', ', body: content').replace('a/{name}.md', 'LANTERN.md/{name}.md'), /compiles test\/projects\/kitchen-sink with an error/],
  ['the usual folder', base.replace('files:', 'folder: .lantern\nfiles:'), /`.lantern` is the default/],
  ['the place of a stanza', `${base}  agents: { path: ".lantern/agents/{name}.md" }\n`, /the stanza says `path` already/],
  ['main files under neither word', `${base}reads: { imports: { depth: 2 } }\n`, /one of `first` and `all`/],
  ['names of events in no known form', `${base}  hooks: { path: h.json, names: kebab-case, matched: [stop] }\n`, /no form of names "kebab-case"[\s\S]*\^{10}\n/],
  ['an event of an entry that is none', `${base}  hooks:\n    path: h.json\n    events: { halt: [{ name: Halt }] }\n`, /lantern\.yaml:12:15: .*no event "halt"/],
  ['facts of hooks in another entry', `${base}  skills: { matched: [stop] }\n`, /PRS\d+.*`matched`/],
  ['facts of permissions in another order', `${base}  permissions: { use: permission-lists, shell: [{ whole: x }], wins: first }\n`, /`wins` stands behind `shell`/],
  ['an entry of a user that is none', `${base}user: { same: [rules] }\n`, /no entry of `files` "rules"/],
  ['a place of a user that is as in a project', `${base.replace('2026-03-01 }', '2026-03-01, user: true }')}user: { files: { instructions: .lantern/LANTERN.md } }\n`, /this is also its path in a project/],
  ['a path twice', `${base}detect: [a.md, a.md]\n`, /"a.md" is listed twice/],
];

for (const [name, text, message] of faults) {
  tests(`finds ${name}`, async () => {
    const found = await messages(text);
    assert.match(found, message);
    assert.match(found, /targets\/lantern\.yaml:\d+:\d+: error/);
    assert.match(found, /\n {2}\d+ +\|/, 'a frame');
  });
}

tests('a capability is proved by a client, documented by the vendor, or assumed', () => {
  const evidence = (rest: string) => base.replace('2026-03-01 }', `2026-03-01, ${rest} }`);
  const confidences = (text: string) => confidenceOf(readSpecText(text, 'targets/lantern.yaml', readSharedParts(root)));
  const source = 'https://example.com/rules';
  assert.equal(confidences(base), [{ of: 'instructions', confidence: 'assumed' }]);
  assert.equal(confidences(evidence('of: [instructions]')), [{ of: 'instructions', confidence: 'documented', source, checked: '2026-03-01' }]);
  assert.equal(confidences(evidence('of: [instructions], others: true')), [{ of: 'instructions', confidence: 'assumed', source, checked: '2026-03-01' }]);
  const proof = (result: string) => `${base}proof: { client: Lantern CLI, version: 1.0.0, date: 2026-04-01, files: x, features: { instructions: ${result} } }\n`;
  assert.equal(confidences(proof('once')), [{ of: 'instructions', confidence: 'proved', source: 'Lantern CLI 1.0.0', checked: '2026-04-01' }]);
  assert.equal(confidences(proof('missing')), [{ of: 'instructions', confidence: 'assumed' }]);
});

tests("reports a capability without evidence, or with evidence older than six months; widely used tools need the vendor's evidence", async () => {
  const shown = base.replace('2026-03-01 }', '2026-03-01, of: [instructions] }');
  const codes = async (text: string, today: string) => (await check(text, today)).map(({ code, severity }) => `${code} ${severity}`);
  assert.equal(await codes(base, '2026-03-02'), ['PRS6008 warning']);
  assert.equal(await codes(shown, '2026-08-31'), []);
  assert.equal(await codes(shown, '2026-09-01'), ['PRS6005 warning']);
  const [id] = mostUsed as [string];
  const many = await checkTargets([{ name: `targets/${id}.yaml`, text: base.replace('lantern', id) }], [], '2026-03-02');
  assert.equal(many.filter(({ code }) => code === 'PRS6008').map(({ severity }) => severity), ['warning']);
  assert.match(await messages(base.replace('2026-03-01 }', '2026-03-01, of: [skills] }')), /the spec has no entry for skills/);
});

tests('a row with `use` inherits from another row, and its own fields take precedence', async () => {
  const { frontmatter } = readSpecText(
    items('{ use: allowed-tools, key: can, as: null, map: { Read: look } }, { use: model-name, deny: [opus] }'),
    'targets/lantern.yaml',
    readSharedParts(root),
  ).files.skills as { frontmatter: unknown };
  assert.equal(frontmatter, [
    { key: 'can', from: 'allowedTools', map: { Read: 'look' } },
    { key: 'model', from: 'model', deny: ['opus'] },
  ]);
});

tests('the help of generated versions lists what they contain', async () => {
  const help = (rest: string) =>
    readSpecText(`${base.replace(/^versions.*\n/m, '')}${rest}`, 'targets/lantern.yaml', readSharedParts(root)).versions;
  assert.equal(help('  rules: { path: "r/{name}.md" }\n  skills: { dir: s }\n  hooks: { path: h.json, entry: {} }\n'), {
    simple: 'LANTERN.md alone.',
    multifile: 'LANTERN.md, rules and hooks.',
    full: 'Everything the tool reads from a project.',
  });
  assert.equal(Object.keys(help('')), ['simple', 'full'], 'nothing is in multifile');
});

const whole = (text: string) => readSpecText(text, 'targets/lantern.yaml', readSharedParts(root));

tests('requires the file name of a spec to be its id, and stanzas to be in their folder', () => {
  const { id, files } = whole(`${base.replace('id: lantern\n', '').replace('files:', 'folder: .lamp\nfiles:')}  skills: {}\n  agents: {}\n`);
  assert.is(id, 'lantern');
  assert.is((files.skills as { dir: string }).dir, '.lamp/skills');
  assert.is(files.agents!.path, '.lamp/agents/{name}.md');
});

tests('user-level paths below the home folder mirror the project folder, or a shared folder', () => {
  const entries = '  rules: {}\n  skills: { use: shared-skills }\n  mcp: {}\n  ignore: { path: .lanternignore }\n';
  const files = 'files: { ignore: .lanternignore, mcp: { each: { on: true } }, agents: { use: agents } }';
  const text = `${base.replace('files:', 'folder: .lantern\nfiles:')}${entries}user: { folder: .config/lantern, same: [instructions, rules, skills], ${files} }\n`;
  const { mcp, agents, ...places } = whole(text).user!.files as Record<string, { path: string; variants: Record<string, object> }>;
  assert.equal(places, {
    instructions: '.config/lantern/LANTERN.md',
    rules: '.config/lantern/rules/{name}.md',
    skills: '.config/lantern/skills',
    ignore: '.lanternignore',
  });
  assert.is(mcp!.path, '.config/lantern/.mcp.json');
  assert.is((mcp!.variants.http as { type: string }).type, 'http');
  assert.is(agents!.path, '.config/lantern/agents/{name}.md');
});

tests('the default folder of a user is the id after a dot, and absolute paths are refused', () => {
  const { files, user } = whole(`${base}  permissions: { use: permission-lists }\nuser: { same: [permissions] }\n`);
  assert.is(files.permissions!.path, '.lantern/settings.json');
  const { path, permissions } = user!.files.permissions as unknown as { path: string; permissions: Record<string, unknown> };
  assert.is(path, '.lantern/settings.json');
  assert.equal(permissions.read, [{ text: 'Read(**/{pattern})', as: 'here', whole: 'Read', only: ['ask', 'deny'], wider: true }]);
  assert.equal(permissions.net, (files.permissions as unknown as { permissions: Record<string, unknown> }).permissions.net);
});

tests('requires each tool of agents to be named once', () => {
  const rows = 'frontmatter: [name, tools-list, { use: disallowedTools-list, map: { Read: see } }], tools: { Read: look }';
  const { frontmatter } = whole(`${base}  agents: { ${rows} }\n`).files.agents as { frontmatter: { map?: object }[] };
  assert.equal(frontmatter.map(({ map }) => map), [undefined, { Read: 'look' }, { Read: 'see' }]);
});

tests('lists events by name, and a setup event is the start of a session', () => {
  const events = (facts: string) => {
    const { hooks } = whole(`${base}  hooks: { use: event-hooks, path: h.json, ${facts} }\n`).files.hooks as { hooks: { events: object } };
    return hooks.events;
  };
  assert.equal(events('matched: [pre-tool-use], plain: [stop], events: { session-end: [{ name: Bye }] }'), {
    'session-end': [{ name: 'Bye' }],
    'pre-tool-use': [{ name: 'PreToolUse' }],
    stop: [{ name: 'Stop', plain: true }],
  });
  assert.equal(events('names: snake_case, matched: [session-start]'), { 'session-start': [{ name: 'session_start' }], setup: [{ name: 'session_start' }] });
  assert.equal(events('names: camelCase, matched: [session-start], events: { setup: null }'), { 'session-start': [{ name: 'sessionStart' }] });
  assert.equal(events('hooks: { events: { stop: [{ name: End }] } }'), { stop: [{ name: 'End' }] }, 'equal to those of a complete entry');
  assert.equal(events('plain: [session-start], events: { setup: [{ name: Up }] }'), { 'session-start': [{ name: 'SessionStart', plain: true }], setup: [{ name: 'Up' }] });
});

tests('reports an event that no hook can have, and a missing shape', async () => {
  const hooks = (events: string) =>
    `${base}  hooks: { kind: entries, of: hooks, path: h.json, format: json, hooks: { events: { ${events} } }, collect: events, by: eventShape, variants: { flat: { command: { from: shell } } } }\n`;
  assert.is(await messages(hooks('stop: [{ name: Stop, shape: flat }]')), '');
  assert.match(await messages(hooks('halt: [{ name: Stop, shape: flat }]')), 'no event "halt"');
  assert.match(await messages(hooks('stop: [{ name: Stop, shape: round }]')), 'no variant "round"');
});

tests('a proof expires after six months, and is valid only for the current files', async () => {
  const source = { name: 'lantern.yaml', text: base };
  const hash = await hashOfFiles((await readSpec(source, 'lantern', () => {}))!);
  const proven = (date: string, hash: string) =>
    base.replace('versions:', `proof: { client: Lantern CLI, version: 1.0.0, date: ${date}, files: "${hash}", features: { instructions: once } }\nversions:`);
  assert.is(renderText(await check(proven('2026-03-01', hash), '2026-08-31')), '');
  const [old] = await check(proven('2026-03-01', hash), '2026-09-01');
  assert.match(`${old!.severity} ${old!.message}`, 'warning What Lantern CLI receives was last tested on 2026-03-01, 6 months ago.');
  const changed = proven('2026-03-01', hash).replaceAll('LANTERN.md', 'LAMP.md');
  const [stale] = await check(changed, '2026-03-02');
  assert.match(`${stale!.severity} ${stale!.message}`, 'warning The output files for lantern have changed since Lantern CLI was tested on 2026-03-01');
  // The hash of the files covers neither the title nor what the tool cannot do.
  const same = proven('2026-03-01', hash).replace('title: Lantern', 'title: Lamp').concat('omits:\n  agents: There are none.\n');
  assert.is(renderText(await check(same, '2026-03-02')), '');
});

tests('requires labels to be unique and without gaps', async () => {
  const labelled = (id: string, label: string) => ({
    name: `targets/${id}.yaml`,
    text: base.replaceAll('lantern', id).replace('Lantern', id).replace('title:', `label: ${label}\ntitle:`),
  });
  assert.equal(await checkTargets([labelled('lamp-a', 't01'), labelled('lamp-b', 't02')]), []);
  assert.match(renderText(await checkTargets([labelled('lamp-a', 't01'), labelled('lamp-b', 't01')])), '"lamp-a" has the label t01 too');
  assert.match(renderText(await checkTargets([labelled('lamp-a', 't01'), labelled('lamp-b', 't03')])), 'no tool has the label t02');
  assert.is(labelOf(7), 't07');
  assert.is(nextLabel([{ spec: { label: 't49' } }, { spec: {} }]), 't50');
});

tests('requires each name to refer to one tool, and to be written once', async () => {
  const named = (id: string, rest: string) => ({
    name: `targets/${id}.yaml`,
    text: base.replace('id: lantern\ntitle: Lantern', `id: ${id}\n${rest}`),
  });
  const found = async (a: string, b: string) => renderText(await checkTargets([named('gamma', a), named('beta', b)]));
  assert.is(await found('title: Gamma One\naliases: [gamma-first]', 'title: Beta\naliases: [beta-second]'), '');
  assert.match(await found('title: Lamp One', 'title: Beta\naliases: [lamp-one]'), 'beta.yaml:3:11: error PRS6002: The spec of beta is not consistent: "gamma" is found by the name lamp-one too');
  assert.match(await found('title: A\naliases: [the-same]', 'title: B\naliases: [thesame]'), '"gamma" is found by the name thesame too');
  assert.match(await found('title: A\naliases: [beta]', 'title: B'), '"beta" is found by the name beta too');
  assert.match(await found('title: Gamma', 'title: The Same'.replace('The Same', 'gamma')), '"gamma" is found by the name gamma too');
  assert.match(await found('title: Gamma Code\naliases: [gamma-code]', 'title: B'), 'gamma-code leads here already');
  assert.match(await found('title: Gamma Code\naliases: [x, X]'.replace('X', 'x-'), 'title: B'), 'x- leads here already');
});

tests('reports where the name of a tool is also a word of the code', async () => {
  const named = base.replaceAll('lantern', 'compile').replace('Lantern', 'Compile');
  const found = renderText(await checkTargets([{ name: 'targets/compile.yaml', text: named }]));
  assert.match(found, /compile\.yaml:1:5: error PRS6002.*`compile`, a name or path of the tool, stands in src\/[\w/-]+\.ts:\d+/);
});

tests('requires targets that write the same document to use the same layout', async () => {
  const spec = (id: string, list: string) => ({
    name: `targets/${id}.yaml`,
    text: base.replaceAll('lantern', id).replace('Lantern', id).replace('path: LANTERN.md', `path: SHARED.md, sections: { list: ${list} }`),
  });
  assert.equal(await checkTargets([spec('lamp-a', 'standard'), spec('lamp-b', 'standard')]), []);
  assert.match(renderText(await checkTargets([spec('lamp-a', 'standard'), spec('lamp-b', 'notes')])), 'lays out SHARED.md in another way than "lamp-a"');
});

/** A spec with unsorted fields, comments, quotes and multi-line texts. */
const untidy = `# yaml-language-server: $schema=../schema/target.schema.json
# What follows is measured.
title: 'Lantern'   # as the vendor writes it
id: lantern
files:
  # The main file.
  # It is read first.
  instructions: { path: LANTERN.md, kind: document,   of: instructions }
  notes:
    path: NOTES.md # beside it
    # Nobody else reads it.
    of: local
    kind: document
    note: >
      One title
      in two lines

    # This stays at the end.
  rules:
    frontmatter:
      - from: globs
        # The name that the tool has for it.
        key: match
      - { from: description, as: list, key: about }
    path: "{name}.md"
    kind: items
    body: |
      {{content}}

      # No comment, but text.
    of: guards
versions: { full: Everything., simple: One file. }
homepage: https://example.com
evidence:
  - checked: 2026-03-01
    url: https://example.com/rules
`;

const tidy = `# yaml-language-server: $schema=../schema/target.schema.json
id: lantern
# What follows is measured.
title: 'Lantern'   # as the vendor writes it
homepage: https://example.com
evidence:
  - url: https://example.com/rules
    checked: 2026-03-01
versions: { full: Everything., simple: One file. }
files:
  # The main file.
  # It is read first.
  instructions: { kind: document, of: instructions,   path: LANTERN.md }
  notes:
    kind: document
    # Nobody else reads it.
    of: local
    path: NOTES.md # beside it
    note: >
      One title
      in two lines

    # This stays at the end.
  rules:
    kind: items
    of: guards
    path: "{name}.md"
    frontmatter:
      # The name that the tool has for it.
      - key: match
        from: globs
      - { key: about, from: description, as: list }
    body: |
      {{content}}

      # No comment, but text.
`;

tests('--fix sorts fields at any depth, and keeps comments, quotes and texts', () => {
  assert.fixture(sortFields(untidy), tidy);
  assert.is(sortFields(tidy), tidy);
  assert.is(sortFields(untidy.replaceAll('\n', '\r\n')).replaceAll('\r\n', '\n'), tidy);
  assert.is(sortFields(untidy.trimEnd()), tidy.trimEnd());
});

tests('--fix leaves a spec unchanged if it is invalid, or if sorting would separate a comment from its field', () => {
  const commented = 'title: x\nfiles: { a: {\n  path: x, # about the path\n  kind: document } }\n';
  assert.is(sortFields(commented), commented);
  assert.is(sortFields('title: [\nid: x\n'), 'title: [\nid: x\n');
});

tests('requires item files at the same path to be written alike, including those of the universal directory', async () => {
  const skills = (id: string, dir: string, rest = '') => ({
    name: `targets/${id}.yaml`,
    text: `${base.replaceAll('lantern', id).replace('Lantern', id).replace('LANTERN.md', `${id}.md`)}  skills: { dir: ${dir}${rest} }\n`,
  });
  const found = async (...specs: ReturnType<typeof skills>[]) => renderText(await checkTargets(specs));
  assert.is(await found(skills('lamp-a', 'x'), skills('lamp-b', 'x', ', frontmatter: [name, description, model]')), '');
  assert.match(await found(skills('lamp-a', 'x'), skills('lamp-b', 'x', ', extra: null')), 'it writes skills to x/{name}/skill.md in another way than "lamp-a"');
  assert.match(await found(skills('lamp-a', '.agents/skills', ', extra: null')), 'in another way than the universal directory');
});

tests('reports only findings about the given specs', async () => {
  const broken = { name: 'targets/lantern.yaml', text: `${base}legacy: [{ path: OLD.md, as: instruction }]\n` };
  assert.is((await checkTargets([broken], ['zed'])).length, 0);
  assert.is((await checkTargets([broken], ['lantern'])).length, 1);
});

tests('requires every spec to name its schema in the first line, for editors', () => {
  assert.equal(checkSchemaLines(sources), []);
  const bare = { name: 'targets/lantern.yaml', text: base };
  assert.match(renderText(checkSchemaLines([bare])), /lantern\.yaml:1:1: error PRS6002.*no line above its fields names the schema/);
  assert.equal(checkSchemaLines([bare], ['zed']), []);
});

tests.run();
