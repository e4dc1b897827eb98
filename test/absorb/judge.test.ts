/**
 * What the absorb proof reports as wrong: changes beyond the edit. Different spellings of the same edit in different tools are
 * allowed.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { editOf } from '../support/absorb/edits.ts';
import { judge } from '../support/absorb/judge.ts';
import { openLaboratory } from '../support/absorb/laboratory.ts';
import { randomOf } from '../support/absorb/projects.ts';

const tests = suite('absorb: judge');

const head = '@meta { id: "demo" syntax: "1.6.0" }\n';
const agent = '@agents { a: { description: "Looks" content: "Look." tools: [Read, Grep] } }\n';

/** Absorbs one edit in a project and returns the result with what the judge reports as wrong. */
async function tryEdit(files: Readonly<Record<string, string>>, targets: string, path: string, from: string, to: string) {
  const config = `id: demo\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [${targets}]\n`;
  const lab = await openLaboratory('demo', new Map(Object.entries({ 'instr.yaml': config, ...files })));
  const before = lab.files.get(path) ?? '';
  assert.ok(before.includes(from), `${path} has no ${from}`);
  const changes = new Map([[path, before.replace(from, to)]]);
  const result = await lab.absorb(changes, {});
  const edit = { path, changes, files: [], added: false };
  return { lab, edit, result, ...judge(edit, 'field changed', lab, result) };
}

tests('allows a tool to drop its own name for a list member with the member', async () => {
  const { outcome, wrong, result } = await tryEdit(
    { '.instr/project.prs': head + agent }, 'jules, command-code', '.agents/agents/a.md', 'Read', 'Look',
  );
  assert.is(outcome, 'home');
  assert.match(result.after.get('.commandcode/agents/a.md')!, /^tools: (?!.*read_file).*grep$/m);
  assert.equal(wrong, []);
});

tests('allows a tool to drop its own argument placeholder with the placeholder', async () => {
  const command = '@shortcuts { "/look": { prompt: true description: "Looks" content: "Look at $ARGUMENTS." } }\n';
  const { outcome, wrong, result } = await tryEdit(
    { '.instr/project.prs': head + command }, 'claude, gemini', '.claude/commands/look.md', 'Look at $ARGUMENTS', 'Look around',
  );
  assert.is(outcome, 'home');
  assert.not.match(result.after.get('.gemini/commands/look.toml')!, 'args');
  assert.equal(wrong, []);
});

tests('replaces a file adopted in the layout of the user by the generated file with the edit', async () => {
  const rule = '# Files\n\nName files well.\n';
  const files = { '.instr/project.prs': head, '.instr/rules/files.md': rule, '.github/instructions/files.instructions.md': rule };
  const { outcome, wrong, lab, result } = await tryEdit(files, 'github, qoder', '.qoder/rules/files.md', 'well', 'shortly');
  const path = '.github/instructions/files.instructions.md';
  assert.is(lab.files.get(path), rule, 'the file must be adopted unchanged');
  assert.is(outcome, 'home');
  assert.match(result.after.get(path)!, /applyTo[\s\S]*Name files shortly\./);
  assert.equal(wrong, []);
});

tests('reports words added or removed elsewhere that are not part of the edit', async () => {
  const { edit, lab, result } = await tryEdit(
    { '.instr/project.prs': head + agent }, 'jules, command-code', '.agents/agents/a.md', 'Look.', 'Glance.',
  );
  const path = '.commandcode/agents/a.md';
  const changed = new Map(result.after).set(path, result.after.get(path)!.replace('grep', 'shell_command'));
  const { wrong } = judge(edit, 'line changed', lab, { ...result, after: changed });
  assert.match(wrong.join('\n'), /beyond the edit: .*grep/);
});

tests('adds a section to a file whose last heading is a separate title', async () => {
  const lab = await openLaboratory('demo', new Map(Object.entries({
    'instr.yaml': 'id: demo\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [cursor]\n',
    '.instr/project.prs': head,
    '.instr/skills/a/SKILL.md': '---\nname: a\ndescription: Looks\n---\n\n## One\n\nLook.\n\n# Title\n\nEnd.\n',
  })));
  const text = lab.files.get('.cursor/skills/a/SKILL.md')!;
  assert.match(text, /## One[\s\S]*\n# Title/);
  for (let number = 0; number < 8; number++) {
    const edit = editOf('section added', lab, randomOf(1, number));
    assert.match(edit?.changes.get(edit.path) ?? '', /## About the/);
  }
});

tests('does not report unreadable data as a broken source', async () => {
  const { outcome, wrong, reasons } = await tryEdit(
    { '.instr/project.prs': head + agent }, 'zoo-code', '.roomodes', 'roleDefinition:', 'Look\n    roleDefinition:',
  );
  assert.is(outcome, 'refused');
  assert.match(reasons.join(), /cannot be read as YAML: .* at line \d/);
  assert.equal(wrong, []);
});

tests.run();
