/** Tools are found by label, title and other common names. Output shows the id. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { project, prs, read, tree } from './prs.ts';

const tests = suite('names of targets');

const config = (targets: string) => `id: x\nsyntax: 1.5.0\nincludeInstrSkill: false\ninput: { entry: NOTES.md }\ntargets:\n${targets}`;

tests('the configuration accepts every name', () => {
  const folder = project({
    'NOTES.md': '# House\n\nUse tabs.\n',
    'instr.yaml': config('  - copilot\n  - Claude Code: { version: full }\n  - codex_cli\n  - gemini-cli\n  - T03\n'),
  });
  const { status, stdout, stderr } = prs(folder, ['compile', '--json']);
  assert.is(status, 0, stderr);
  const targets = JSON.parse(stdout).files.flatMap((file: { targets: string[] }) => file.targets);
  assert.equal([...new Set(targets)].sort(), ['claude', 'codex', 'cursor', 'gemini', 'github']);
});

tests('two names of one tool count as the same target', () => {
  const folder = project({ 'NOTES.md': 'x\n', 'instr.yaml': config('  - github\n  - vscode\n') });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 1);
  assert.match(stderr, /instr\.yaml:7:5.*vscode/);
});

tests('suggests the nearest name for a mistyped one', () => {
  const folder = project({ 'NOTES.md': 'x\n', 'instr.yaml': config('  - copilto\n') });
  assert.match(prs(folder, ['compile']).stderr, /There is no target "copilto".*\n(?:.*\n)*.*Did you mean `copilot`/);
  const other = project({ 'NOTES.md': 'x\n', 'instr.yaml': config('  - github\n') });
  const option = prs(other, ['compile', '--target', 'copilto']);
  assert.is(option.status, 2);
  assert.match(option.stderr, 'Did you mean `copilot`');
});

tests('options accept every name', () => {
  const folder = project({ 'NOTES.md': 'Use tabs.\n', 'instr.yaml': config('  - github\n  - claude\n') });
  assert.is(prs(folder, ['compile', '--target', 'vscode,claudecode']).status, 0);
  assert.match(prs(folder, ['view', '--as', 'GitHub Copilot']).stdout, 'copilot-instructions.md');
  assert.is(prs(folder, ['diff', '--target', 'claude-code']).status, 0);
  assert.match(prs(folder, ['targets', 'gemini-cli']).stdout, /^Gemini CLI \(gemini, t07\)[\s\S]*Also found as gemini-cli/);
  assert.match(prs(folder, ['complete', '--current=cop', '--', 'compile', '--target']).stdout, /^copilot\b/m);
});

tests('targets fields and per-tool overrides accept every name', () => {
  const folder = project({
    'NOTES.md': 'x\n',
    '.instr/rules/one.md': '---\ntargets: [Copilot]\n---\nOnly one reads this.\n',
    '.instr/rules/two.md': '---\nexcept: vs-code-copilot\n---\nThe other reads this.\n',
    '.instr/project.prs':
      '@meta { id: "x" syntax: "1.5.0" }\n@hooks { format: { event: "post-tool-use" command: ["echo", "a"] targets: { claude-code: { statusMessage: "Formatting" } } } }\n',
    'instr.yaml': config('  - github\n  - claude\n').replace('NOTES.md', '.instr/project.prs'),
  });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  const text = (start: string) =>
    tree(folder)
      .filter(path => path.startsWith(start))
      .map(path => read(folder, path))
      .join('\n');
  assert.match(text('.github/'), 'Only one reads this.');
  assert.not.match(text('.github/'), 'The other reads this.');
  assert.match(text('.claude/') + text('CLAUDE.md'), 'The other reads this.');
  assert.not.match(text('.claude/') + text('CLAUDE.md'), 'Only one reads this.');
  assert.match(text('.claude/settings.json'), 'Formatting');
});

tests('a spec of the project takes precedence over a name of another tool', () => {
  const spec = (id: string) => `id: ${id}\ntitle: Own\nhomepage: https://example.com\nevidence: [{ url: https://example.com, checked: 2026-01-01 }]\nversions: { one: One file. }\ndefaultVersion: one\nfiles: { main: { kind: document, of: instructions, path: OWN.md } }\n`;
  const folder = project({
    'NOTES.md': 'Use tabs.\n',
    '.instr/targets/copilot.yaml': spec('copilot'),
    'instr.yaml': config('  - copilot\n'),
  });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  assert.ok(tree(folder).includes('OWN.md'));
});

tests('proposes the open format first, and for files that no tool in use reads', () => {
  const proposed = (files: Record<string, string>) => {
    const folder = project(files);
    const { status, stderr } = prs(folder, ['init', '--yes', '--name', 'x']);
    assert.is(status, 0, stderr);
    return parse(read(folder, 'instr.yaml')).targets as string[];
  };
  assert.is(proposed({})[0], 'agents');
  assert.equal(proposed({ 'AGENTS.md': 'x\n' }), ['agents']);
  assert.equal(proposed({ '.agents/skills/a/SKILL.md': '---\nname: a\ndescription: b\n---\nx\n' }), ['agents']);
  assert.equal(proposed({ 'AGENTS.md': 'x\n', '.codex/config.toml': '' }), ['codex']);
  assert.equal(proposed({ 'AGENTS.md': 'x\n', 'CLAUDE.md': 'x\n' }), ['agents', 'claude']);
  // If a tool in use reads the file, the file belongs to that tool.
  assert.equal(proposed({ 'AGENTS.md': 'x\n', '.cursor/rules/a.mdc': 'x\n' }), ['cursor']);
});

tests.run();
