/** A spec in the user's project adds a custom target. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, tree, write } from '../cli/prs.ts';

const tests = suite('custom targets');

const spec = `id: lantern
title: Lantern Code
homepage: https://example.com
evidence: [{ url: https://example.com/rules, checked: 2026-03-01 }]
versions: { simple: One file., full: Everything. }
defaultVersion: full
files:
  instructions: { kind: document, of: instructions, path: LANTERN.md }
  rules:
    kind: items
    of: guards
    versions: [full]
    path: .lantern/rules/{name}.md
    frontmatter: [{ key: match, from: globs, as: list }, { key: about, from: description }]
    body: "{{content}}\\n\\nThat was {{name}}."
  mcp:
    kind: entries
    of: mcpServers
    versions: [full]
    path: .lantern/{profile}.json
    format: json
    at: [servers]
    collect: map
    entry: { run: { from: argv } }
options:
  profile: { type: enum, values: [shared, team], default: shared, help: Which settings file the servers go to. }
reads: { all: [LANTERN.md] }
omits: { commands: The tool has no commands. }
`;

const source = `@meta { id: "sample" syntax: "1.5.0" }
@identity { "You maintain the sample." }
@standards { code: ["Small functions"] }
@guards { api: { applyTo: ["api/**"] description: "About the api" content: "Check every input." } }
@mcpServers { tracker: { transport: "stdio" command: ["node", "tracker.mjs"] } }
`;

const files = (targets: string) => ({
  'instr.yaml': `id: sample\nsyntax: "1.5.0"\ntargets: ${targets}\nincludeInstrSkill: false\n`,
  '.instr/project.prs': source,
  '.instr/targets/lantern.yaml': spec,
});

tests('the status of a discontinued tool is reported in the words of its spec, if the user has to act', () => {
  const findings = (status: string) =>
    prs(project({ ...files('[lantern]'), '.instr/targets/lantern.yaml': `${spec}status: ${status}\n` }), ['compile']).stderr;
  const ended = findings('{ state: ended, successor: Lamp, note: "Lantern Code has ended." }');
  assert.match(ended, /^instr\.yaml:3:\d+: warning PRS7030: Lantern Code has ended\. \[target-ended\] \[lantern\]\n/);
  assert.match(ended, '\n  help: Use Lamp instead, or remove the target.\n');
  const renamed = findings('{ state: renamed, note: Lantern Code is called Lamp now. }');
  assert.not.match(renamed, 'PRS7030');
});

tests('init accepts its name, even if it is the only tool', () => {
  const folder = project({ '.instr/targets/lantern.yaml': spec });
  const { status, stderr } = prs(folder, ['init', '--yes', '--targets', 'lantern']);
  assert.is(status, 0, stderr);
  assert.match(read(folder, 'instr.yaml'), /targets:\n {2}- lantern\n/);
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match(read(folder, 'LANTERN.md'), /^# Project Instructions\n/);
});

tests('targets and init report a broken spec, and list everything else', () => {
  const folder = project({ '.instr/targets/lantern.yaml': spec.replace('from: globs', 'from: glob') });
  const listed = prs(folder, ['targets']);
  assert.is(listed.status, 1);
  assert.match(listed.stderr, /lantern\.yaml:14:\d+: error PRS6002/);
  assert.match(listed.stdout, /^junie /m);
  const { status, stderr } = prs(folder, ['init', '--yes', '--targets', 'lantern']);
  assert.is(status, 1);
  assert.match(stderr, /lantern\.yaml:14:\d+: error PRS6002/);
  assert.equal(tree(folder), ['.instr/targets/lantern.yaml']);
});

tests('a spec of the project replaces the built-in one with the same id', () => {
  const folder = project({ '.instr/targets/junie.yaml': spec.replace('id: lantern', 'id: junie') });
  const titles = prs(folder, ['targets']).stdout.split('\n').filter(line => line.startsWith('junie '));
  assert.is(titles.length, 1);
  assert.match(titles[0]!, 'Lantern Code');
});

tests('compile, diff and validate accept it', () => {
  const folder = project(files('[lantern]'));
  const validated = prs(folder, ['validate', '--strict']);
  assert.is(validated.status, 0, validated.stderr);
  const compiled = prs(folder, ['compile']);
  assert.is(compiled.status, 0, compiled.stderr);
  assert.is(
    read(folder, '.lantern/rules/api.md'),
    '---\nmatch:\n  - api/**\nabout: About the api\n---\n\nCheck every input.\n\nThat was api.\n',
  );
  assert.match(read(folder, 'LANTERN.md'), /^# Project Instructions\n[\s\S]*## Standards\n/);
  assert.equal(JSON.parse(read(folder, '.lantern/shared.json')), { servers: { tracker: { run: ['node', 'tracker.mjs'] } } });
  write(folder, 'LANTERN.md', 'edited\n');
  const diff = prs(folder, ['diff', '--exit-code']);
  assert.is(diff.status, 1);
  assert.match(diff.stdout, /You maintain the sample\./);
});

tests('its versions and options are those of the spec', () => {
  const folder = project(files('[{ lantern: { profile: team } }]'.replace('profile: team', 'version: simple')));
  assert.is(prs(folder, ['compile']).status, 0);
  assert.not(tree(folder).some(path => path.startsWith('.lantern/')));
  const wrong = prs(project(files('[{ lantern: { version: huge } }]')), ['compile']);
  assert.is(wrong.status, 1);
  assert.match(wrong.stderr, /huge/);
});

tests('options of every type are validated, and are written to the slots that use them', () => {
  const typed = spec
    .replace('    entry: { run: { from: argv } }', '    entry: { run: { from: argv }, retries: { option: maxThreads }, mode: { option: autoMode, default: calm }, file: { option: agentsFile } }')
    .replace('options:\n', 'options:\n  maxThreads: { type: integer, minimum: 1, help: Retries. }\n  autoMode: { type: string, help: Mode. }\n  agentsFile: { type: string, help: File. }\n');
  const run = (settings: string) => {
    const folder = project({ ...files(`[{ lantern: { ${settings} } }]`), '.instr/targets/lantern.yaml': typed });
    const { status, stderr } = prs(folder, ['compile']);
    return { stderr, entry: status === 0 ? JSON.parse(read(folder, '.lantern/shared.json')).servers.tracker : undefined };
  };
  assert.equal(run('enabled: true').entry, { run: ['node', 'tracker.mjs'], mode: 'calm' });
  assert.equal(run('maxThreads: 2, autoMode: plan, agentsFile: AGENTS.md').entry, {
    run: ['node', 'tracker.mjs'],
    retries: 2,
    mode: 'plan',
    file: 'AGENTS.md',
  });
  // The schema of the configuration describes the fields of every tool. A spec of the project may require fewer of
  // them.
  const other = (option: string, setting: string) => {
    const narrower = spec.replace('options:\n', `options:\n  ${option}\n`).replace('from: argv }', `from: argv }, more: { option: ${option.split(':')[0]} }`);
    return prs(project({ ...files(`[{ lantern: { ${setting} } }]`), '.instr/targets/lantern.yaml': narrower }), ['compile']).stderr;
  };
  assert.match(other('maxDepth: { type: integer, minimum: 3, help: Depth. }', 'maxDepth: 2'), /error PRS7013: .*2 is less than 3/);
  assert.match(other('agentsFile: { type: integer, help: File. }', 'agentsFile: two'), /error PRS7013: .*"two" is not a whole number/);
  assert.match(other('agentsFile: { type: boolean, help: File. }', 'agentsFile: two'), /error PRS7013: .*"two" is not a boolean/);
});

tests('it is listed and described, and has a docs page', () => {
  const folder = project(files('[lantern]'));
  const list = prs(folder, ['targets', '--json']);
  const { targets } = JSON.parse(list.stdout) as { targets: { id: string; main?: string; capabilities: string[] }[] };
  const own = targets.find(({ id }) => id === 'lantern')!;
  assert.is(own.main, 'LANTERN.md');
  assert.equal([...own.capabilities].sort(), ['guards', 'mcpServers']);
  const page = prs(folder, ['targets', 'lantern']);
  assert.is(page.status, 0, page.stderr);
  for (const text of ['Lantern Code', '.lantern/rules/{name}.md', 'The tool has no commands.', 'https://example.com/rules'])
    assert.match(page.stdout, text);
});

tests('its files are imported by the same spec', () => {
  const folder = project({
    ...files('[lantern]'),
    '.lantern/rules/api.md': '---\nmatch:\n  - "api/**"\nabout: About the api\n---\n\nCheck every input.\n',
  });
  const imported = prs(folder, ['import', '.lantern/rules/api.md', '--dry-run']);
  assert.is(imported.status, 0, imported.stderr);
  assert.match(imported.stdout, /@guards/);
  for (const text of ['api/**', 'About the api', 'Check every input.']) assert.match(imported.stdout, text);
});

tests('it takes precedence over a built-in target with the same id', () => {
  const id = 'zed';
  const folder = project({
    ...files(`[${id}]`),
    [`.instr/targets/${id}.yaml`]: spec.replace('id: lantern', `id: ${id}`),
    '.instr/targets/lantern.yaml': spec,
  });
  assert.is(prs(folder, ['compile']).status, 0);
  assert.ok(tree(folder).includes('LANTERN.md'));
});

const broken: readonly (readonly [name: string, from: string, to: string, message: RegExp])[] = [
  ['an unknown field', 'title:', 'titel: x\ntitle:', /lantern\.yaml:2:1: error PRS\d+.*titel/],
  ['no good YAML', 'versions: {', 'versions: {{', /lantern\.yaml:6:1: error PRS6003/],
  ['an unknown kind of file', 'kind: document', 'kind: docment', /Did you mean `document`\? Allowed: `document`/],
  ['an unknown version', 'versions: [full]', 'versions: [ful]', /there is no version "ful"/],
  ['an unknown model field', 'from: globs', 'from: glob', /there is no field "glob"/],
  ['an unknown template field', '{{content}}', '{{contnt}}', /there is no field "contnt"/],
  ['a field by its name in sources', 'from: globs', 'from: applyTo', /there is no field "applyTo"[\s\S]*globs/],
  ['a template field by its name in sources', '{{content}}', '{{applyTo}}', /there is no field "applyTo"/],
  ['an unknown helper', '{{content}}', '{{shout content}}', /PRS6004/],
];

for (const [name, from, to, message] of broken) {
  tests(`a spec with ${name} is reported with its position, and nothing is written`, () => {
    const folder = project({ ...files('[lantern]'), '.instr/targets/lantern.yaml': spec.replace(from, to) });
    for (const command of ['compile', 'validate']) {
      const { status, stderr } = prs(folder, [command]);
      assert.is.not(status, 0, command);
      assert.match(stderr, message);
      assert.match(stderr, /\n +\d+ +\|/);
      assert.not.match(stderr, /\n {4}at /);
    }
    assert.not(tree(folder).includes('LANTERN.md'));
  });
}

tests.run();
