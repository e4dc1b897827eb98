/**
 * Converts sources of other compilers without losing content. `foreign/features.json` lists the expected texts for each tool.
 * They are recorded from the output of the other program if it can be run, and taken from its documentation otherwise.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { type Files, project, prs, read, tree, write } from './prs.ts';

const folder = fileURLToPath(new URL('foreign', import.meta.url));
const features = JSON.parse(read(folder, 'features.json')) as Record<string, Record<string, string[]>>;

const tests = suite('sources of other compilers');

const filesOf = (name: string): Files =>
  Object.fromEntries(tree(join(folder, name)).map(path => [path, readFileSync(join(folder, name, path))]));

for (const [name, tools] of Object.entries(features)) {
  tests(`${name}: the conversion keeps all content`, () => {
    const files = filesOf(name);
    const root = project(files);
    const migrated = prs(root, ['migrate', '--json']);
    assert.is(migrated.status, 0, migrated.stderr + migrated.stdout);
    for (const [path, content] of Object.entries(files))
      assert.ok(readFileSync(join(root, path)).equals(content as Buffer), `${path} was changed`);
    const { converted } = JSON.parse(migrated.stdout);
    const targets = parse(read(root, 'instr.yaml')).targets.map((one: string | object) =>
      typeof one === 'string' ? one : Object.keys(one)[0],
    );
    assert.equal([...targets].sort(), Object.keys(tools).sort());
    assert.equal(
      tree(root).filter(path => !(path in files) && !path.startsWith('.instr/.state/')),
      [...converted.files].sort(),
    );
    const compiled = prs(root, ['compile', '--force', '--json']);
    assert.is(compiled.status, 0, compiled.stderr + compiled.stdout);
    for (const [tool, texts] of Object.entries(tools)) {
      // The text that the tool loads at start and in nested folders, and all files that it can reach.
      const given =
        prs(root, ['view', '--as', tool]).stdout +
        JSON.parse(compiled.stdout)
          .files.filter((file: { targets: string[] }) => file.targets.includes(tool))
          .map((file: { path: string }) => read(root, file.path))
          .join('\n');
      for (const text of texts) assert.ok(given.includes(text), `${tool} misses: ${text}`);
    }
    // Only a permission that a tool cannot express may be reported.
    const { diagnostics } = JSON.parse(prs(root, ['validate', '--strict', '--json']).stdout);
    const findings = diagnostics.filter((one: { severity: string }) => one.severity !== 'info');
    assert.equal(findings.filter((one: { code: string }) => one.code !== 'PRS7040'), []);
  });
}

tests('audiences, activation modes and folders keep their meaning', () => {
  const root = project(filesOf('rulesync'));
  prs(root, ['migrate']);
  assert.match(read(root, '.instr/rules/claude-only.md'), /targets: \[claude\]/);
  assert.match(read(root, '.instr/rules/always.md'), /activation: always/);
  assert.match(read(root, '.instr/rules/packages-web.md'), /applyTo: \["?packages\/web\/\*\*\/\*"?\][\s\S]*placement: nested/);
  assert.match(read(root, '.instr/agents/taster.md'), /tools:\n {2}claude:\n {4}model: haiku\n {4}tools:\n/);
  assert.not.match(read(root, '.instr/skills/grafting/SKILL.md'), 'targets');
  assert.equal(JSON.parse(read(root, '.instr/mcp.json')).mcpServers.weather.targets, ['claude', 'cursor']);
  assert.not.match(tree(root).filter(path => path.startsWith('.instr/')).map(path => read(root, path)).join(), 'written by the other compiler');
});

tests('text for one tool reaches no other tool', () => {
  const root = project(filesOf('rulesync'));
  prs(root, ['migrate']);
  prs(root, ['compile', '--force']);
  assert.not.match(read(root, '.cursor/agents/taster.md'), /haiku|Grep|gpt-5|sandbox/);
  assert.not.match(read(root, '.codex/agents/taster.toml'), /haiku|Grep|readonly/);
  assert.not.match(read(root, '.github/agents/taster.agent.md'), /haiku|Grep|sandbox/);
  assert.match(read(root, '.claude/rules/style.md'), /paths:\n {2}- lib\/\*\*\/\*\.ts\n---/);
  assert.match(read(root, '.cursor/rules/style.mdc'), /description: How code looks\nalwaysApply: true\n---/);
  const claude = JSON.parse(read(root, '.mcp.json')).mcpServers;
  assert.equal(Object.keys(claude).sort(), ['barn', 'weather']);
  assert.is(claude.barn.command, 'barn-for-claude');
  assert.is(JSON.parse(read(root, '.cursor/mcp.json')).mcpServers.barn.command, 'barn-mcp');
  assert.not.match(read(root, '.claude/settings.json'), '"npm run tidy"');
  assert.match(read(root, '.cursor/hooks.json'), '"npm run tidy"');
});

tests('reports files that nothing refers to, custom hook events and unknown tools', () => {
  const root = project(filesOf('rulesync'));
  const { left } = JSON.parse(prs(root, ['migrate', '--dry-run', '--json']).stdout).converted;
  const paths = left.map(({ path }: { path: string }) => path);
  for (const path of ['.rulesync/hooks/note.txt', '.rulesync/hooks.json: stop', '.rulesync/hooks.json: ownEvent', 'takt'])
    assert.ok(paths.includes(path), `${path} is not among ${paths}`);
  const ruler = JSON.parse(prs(project(filesOf('ruler')), ['migrate', '--dry-run', '--json']).stdout).converted;
  assert.equal(ruler.left.map(({ path }: { path: string }) => path), ['agents.claude.output_path']);
});

tests('a main file generated for a tool does not hide new text, and files that tools still read are reported', () => {
  const root = project({
    ...filesOf('rulesync'),
    '.claude/rules/old.md': 'Generated from a rule that is gone.\n',
  });
  const { stillRead, adopted } = JSON.parse(prs(root, ['migrate', '--json']).stdout).converted;
  assert.equal([stillRead, adopted], [[], ['.claude/rules/old.md']], 'the file cannot be identified as generated');
  prs(root, ['compile', '--force']);
  const seen = prs(root, ['view', '--as', 'claude']).stdout;
  assert.match(seen, 'Orchard counts apples.');
  assert.not.match(seen, 'written by the other compiler');
  const plain = project(filesOf('ruler'));
  assert.equal(JSON.parse(prs(plain, ['migrate', '--json']).stdout).converted.stillRead, []);
  assert.match(read(plain, 'instr.yaml'), 'layout: once');
});

tests('treats data that the other compiler wrote to its own path as output, not as a source', () => {
  const hooks = { version: 1, hooks: { sessionStart: [{ type: 'command', command: './start.sh' }] } };
  const files = (command: string) => ({
    'rulesync.jsonc': '{ "targets": ["copilot"] }\n',
    '.rulesync/rules/overview.md': '---\nroot: true\n---\n# Shop\n',
    '.rulesync/hooks.json': JSON.stringify({ ...hooks, hooks: { sessionStart: [{ type: 'command', command }] } }),
    '.github/hooks/copilot-hooks.json': JSON.stringify(hooks),
  });
  const read = (command: string) =>
    JSON.parse(prs(project(files(command)), ['migrate', '--json']).stdout).converted;
  const path = '.github/hooks/copilot-hooks.json';
  assert.equal(read('./start.sh').stillRead.map((one: { path: string }) => one.path), [path]);
  assert.equal(read('./start.sh').adopted, []);
  assert.equal(read('./other.sh').adopted, [path], 'a file with another command was written by hand');
});

tests('adopts a file written by hand unchanged', () => {
  const root = project({
    ...filesOf('ruler'),
    '.claude/commands/mine.md': 'Do what I say.\n',
  });
  const { adopted } = JSON.parse(prs(root, ['migrate', '--json']).stdout).converted;
  assert.equal(adopted, ['.claude/commands/mine.md']);
  assert.is(prs(root, ['compile', '--force']).status, 0);
  assert.is(read(root, '.claude/commands/mine.md'), 'Do what I say.\n');
});

tests('files of a compiler without content do not select a conversion, and instruction files are adopted unchanged', () => {
  const left: Readonly<Record<string, string>> = {
    'rulesync.jsonc': '{ "targets": ["claudecode"] }\n',
    '.ruler/ruler.toml': 'default_agents = ["claude"]\n',
    'promptscript.yaml': 'id: x\ntargets: [claude]\n',
  };
  for (const [path, text] of Object.entries(left)) {
    const root = project({ [path]: text, 'CLAUDE.md': '# Mine\n\nBe brief.\n' });
    const { status, stdout, stderr } = prs(root, ['migrate']);
    assert.is(status, 0, stderr);
    assert.match(stdout, `${path}: it belongs to `);
    assert.is(read(root, '.instr/project.md'), '# Mine\n\nBe brief.\n');
    assert.not.match(stdout + stderr, 'remove');
    assert.is(prs(root, ['compile']).status, 0);
    assert.is(read(root, 'CLAUDE.md'), '# Mine\n\nBe brief.\n');
  }
});

tests('init converts like migrate', () => {
  for (const name of ['rulesync', 'ruler', 'promptscript']) {
    const files = filesOf(name);
    const [one, other] = [project(files), project(files)];
    prs(one, ['migrate']);
    const begun = prs(other, ['init', '--yes', '--name', 'orchard']);
    assert.is(begun.status, 0, begun.stderr);
    const sources = (root: string) => tree(root).filter(path => /^\.instr\/(?!\.state)|^instr\.yaml/.test(path));
    const text = (root: string, path: string) => read(root, path).replace(/^(\s*id: ).*$/m, '$1');
    assert.equal(sources(other), sources(one));
    for (const path of sources(one)) assert.is(text(other, path), text(one, path));
    assert.is(parse(read(other, 'instr.yaml')).id, 'orchard');
  }
  const root = project(filesOf('rulesync'));
  prs(root, ['init', '--yes', '--targets', 'claude', '--registry', '../house']);
  const config = parse(read(root, 'instr.yaml'));
  assert.equal(config.targets, ['claude']);
  assert.ok(config.registry ?? config.registries, 'the configuration must have the registry');
});

tests('lowers a rule to a warning if a text violates it, and the result compiles', () => {
  const root = project({
    ...filesOf('rulesync'),
    '.rulesync/rules/odd.md': '---\ntargets: ["*"]\n---\nNever show this\u202e text.\n',
  });
  const migrated = prs(root, ['migrate', '--json']);
  assert.equal(JSON.parse(migrated.stdout).converted.errors, []);
  assert.match(read(root, 'instr.yaml'), /rules:\n[\s\S]*hidden-unicode: warning/);
  assert.is(prs(root, ['compile', '--force']).status, 0);
});

tests('keeps the order of documents in a folder', () => {
  const root = project(filesOf('ruler'));
  prs(root, ['migrate']);
  assert.match(read(root, '.instr/project.prs'), /agents\.md[\s\S]*house\.md[\s\S]*sub-api\.md/);
  assert.match(read(root, '.instr/rules/packages-web-web.md'), /applyTo: \[packages\/web\/\*\*\]/);
});

tests('reports content that cannot be converted', () => {
  const root = project(filesOf('apm'));
  const { left } = JSON.parse(prs(root, ['migrate', '--dry-run', '--json']).stdout).converted;
  const paths = left.map(({ path }: { path: string }) => path);
  assert.equal(paths.sort(), ['.apm/context/terms.context.md', 'apm.yml: io.example/registry-server', 'example/shared-skills']);
  assert.not.ok(tree(root).includes('instr.yaml'), 'a dry run must not write files');
});

tests('permissions keep their meaning, and those that cannot be converted are reported', () => {
  const root = project(filesOf('rulesync'));
  const { left } = JSON.parse(prs(root, ['migrate', '--json']).stdout).converted;
  const paths = left.map(({ path }: { path: string }) => path);
  for (const path of ['.rulesync/permissions.jsonc: ask bash *', '.rulesync/permissions.jsonc: ask websearch *'])
    assert.ok(paths.includes(path), `${path} is not among ${paths}`);
  prs(root, ['compile', '--force']);
  const claude = JSON.parse(read(root, '.claude/settings.json')).permissions;
  assert.equal(claude.ask, ['Bash(git push *)', 'Edit(/infra/**)']);
  assert.not.match(JSON.stringify(claude), 'docs.example.com');
  const cursor = JSON.parse(read(root, '.cursor/cli.json')).permissions;
  assert.equal(cursor.allow, ['Read(src/**)', 'WebFetch(docs.example.com)', 'Shell(ls)']);
  assert.match(read(root, '.cursor/BUGBOT.md'), /^## Baskets$/m);
  assert.equal(read(root, '.cursorignore').trim().split('\n'), ['secrets/', '*.pem', '!public.pem', '/top.txt']);
});

tests('excludes a tool that would grant a permission more widely, and reports it', () => {
  const root = project({
    ...filesOf('rulesync'),
    '.rulesync/permissions.jsonc': '{ "permission": { "bash": { "npm test": "allow", "rm *": "deny" } } }',
  });
  const { left, errors } = JSON.parse(prs(root, ['migrate', '--json']).stdout).converted;
  assert.equal(errors, []);
  const excluded = left.find(({ path }: { path: string }) => path === 'allow shell:npm test');
  assert.match(excluded?.reason ?? '', /not for .*codex/);
  assert.match(read(root, '.instr/project.prs'), /"shell:npm test"\s+except: \[[^\]]*"codex"/);
  assert.is(prs(root, ['compile', '--force']).status, 0);
});

tests('a setting places each rule in the folder of its globs unless the rule overrides it', () => {
  const rule = (globs: string, more = '') => `---\ntargets: ["*"]\nglobs: ${globs}\n${more}---\nText.\n`;
  const root = project({
    'rulesync.jsonc': '{ "targets": ["claudecode", "codexcli"], "deriveSubprojectPathFromGlobs": true }',
    '.rulesync/rules/overview.md': '---\nroot: true\nglobs: ["src/**"]\n---\n# Orchard\n',
    '.rulesync/rules/one.md': rule('["packages/api/**/*.ts", "packages/api/*.md"]'),
    '.rulesync/rules/two.md': rule('["packages/api/**", "packages/web/**"]'),
    '.rulesync/rules/absolute.md': rule('["/srv/x/**"]'),
    '.rulesync/rules/above.md': rule('["../other/**"]'),
    '.rulesync/rules/out.md': rule('["packages/cli/**"]', 'agentsmd:\n  subprojectPath: ""\n'),
  });
  assert.is(prs(root, ['migrate']).status, 0);
  assert.match(read(root, '.instr/rules/one.md'), 'placement: nested');
  for (const name of ['two', 'absolute', 'above', 'out'])
    assert.not.match(read(root, `.instr/rules/${name}.md`), 'nested', name);
});

tests('texts of a folder that the chosen profile does not include stay where they are, and are listed', () => {
  const root = project(filesOf('ai-rulez'));
  const { left } = JSON.parse(prs(root, ['migrate', '--json']).stdout).converted;
  const folder = '.ai-rulez/domains/frontend';
  assert.equal(
    left.flatMap(({ path }: { path: string }) => (path.startsWith('.ai-rulez/domains/') ? [path] : [])),
    ['agents/painter.md', 'commands/paint.md', 'rules/colours.md', 'skills/weaving/SKILL.md'].map(path => `${folder}/${path}`),
  );
  assert.is(prs(root, ['compile', '--force']).status, 0);
  const paths = tree(root).filter(path => !/^\.(?:instr|ai-rulez)\//.test(path));
  const text = paths.map(path => read(root, path)).join('\n');
  assert.match(text, 'parseRequest');
  assert.not.match(text, /palette|You paint pages|Over, under/);
});

tests('converts the texts in spite of damaged settings, and reports these', () => {
  const root = project({ ...filesOf('rulesync'), 'rulesync.jsonc': '{ "targets": [', '.rulesync/mcp.json': '{' });
  const { status, stdout } = prs(root, ['migrate', '--json']);
  assert.is(status, 0);
  const { left, files } = JSON.parse(stdout).converted;
  assert.equal(left.filter(({ reason }: { reason: string }) => reason.startsWith('it cannot be read')).length, 2);
  assert.ok(files.includes('.instr/documents/overview.md'));
  assert.is(prs(root, ['validate']).status, 0);
});

tests('an existing source with other content is a conflict, and nothing is written', () => {
  const root = project(filesOf('rulesync'));
  write(root, '.instr/rules/api.md', 'Mine.\n');
  assert.is(prs(root, ['migrate']).status, 1);
  assert.is(read(root, '.instr/rules/api.md'), 'Mine.\n');
  assert.not.ok(tree(root).includes('instr.yaml'));
});

tests('one undo reverts the conversion', () => {
  const files = filesOf('ruler');
  const root = project(files);
  prs(root, ['migrate']);
  assert.is(prs(root, ['undo']).status, 0);
  assert.equal(tree(root).filter(path => !path.startsWith('.instr/.state/')), Object.keys(files).sort());
});

tests('keeps an output of the other compiler unchanged if its content is equivalent', () => {
  const hook = { matcher: 'Write', command: './hooks/format.sh --all' };
  const servers = { docs: { type: 'stdio', command: 'npx', args: ['docs'], env: {} } };
  const json = (value: object) => `${JSON.stringify(value, null, 4)}\n`;
  const claudeHook = { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/hooks/format.sh --all' };
  const outputs: Files = {
    'CLAUDE.md': '# Shop\n\n- Write tests.\n',
    '.mcp.json': json({ mcpServers: servers }),
    '.cursor/mcp.json': json({ mcpServers: servers }),
    '.cursor/hooks.json': json({ version: 1, hooks: { postToolUse: [hook] } }),
    '.claude/settings.json': json({ hooks: { PostToolUse: [{ matcher: 'Write', hooks: [claudeHook] }] } }),
    '.claude/rules/api.md': '---\npaths:\n  - src/**\n---\n- Validate.\n',
    '.cursor/rules/api.mdc': '---\ndescription: The API\nglobs: src/**\n---\n\n- Validate.\n',
    '.cursor/commands/fix.md': '---\ndescription: Fix it\n---\nFix the build.\n',
    '.cursor/agents/a.md': '---\nname: a\ndescription: Plans\nis_background: false\n---\nYou plan.\n',
  };
  const root = project({
    ...outputs,
    'hooks/format.sh': 'true\n',
    'rulesync.jsonc': '{ "targets": ["claudecode", "cursor"], "features": ["*"] }\n',
    '.rulesync/rules/overview.md': '---\nroot: true\ntargets: ["claudecode"]\n---\n\n# Shop\n\n- Write tests.\n',
    '.rulesync/rules/api.md': '---\ndescription: The API\nglobs: ["src/**"]\n---\n\n- Validate.\n',
    '.rulesync/commands/fix.md': '---\ndescription: Fix it\ntargets: ["cursor"]\n---\nFix the build.\n',
    '.rulesync/subagents/a.md': '---\nname: a\ndescription: Plans\ntargets: ["cursor"]\n---\nYou plan.\n',
    '.rulesync/mcp.json': json({ mcpServers: servers }),
    '.rulesync/hooks.json': json({ version: 1, hooks: { postToolUse: [hook] } }),
  });
  assert.is(prs(root, ['migrate']).status, 0);
  const compiled = prs(root, ['compile']);
  assert.is(compiled.status, 0, compiled.stderr);
  for (const [path, text] of Object.entries(outputs)) assert.is(read(root, path), text, path);
});

tests.run();
