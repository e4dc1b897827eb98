/** What the proof of absorbing calls wrong: a change beyond the edit, and not the ways in which tools say the same. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { editOf } from '../support/absorb/edits.ts';
import { judge } from '../support/absorb/judge.ts';
import { openLaboratory } from '../support/absorb/laboratory.ts';
import { randomOf } from '../support/absorb/projects.ts';

const tests = suite('absorb: judge');

const head = '@meta { id: "demo" syntax: "1.6.0" }\n';
const agent = '@agents { a: { description: "Looks" content: "Look." tools: [Read, Grep] } }\n';

/** What an edit of a project leads to, and what of that is wrong. */
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

tests('a tool that has its own word for a member of a list loses that with the member', async () => {
  const { outcome, wrong, result } = await tryEdit(
    { '.instr/project.prs': head + agent }, 'jules, command-code', '.agents/agents/a.md', 'Read', 'Look',
  );
  assert.is(outcome, 'home');
  assert.match(result.after.get('.commandcode/agents/a.md')!, /^tools: (?!.*read_file).*grep$/m);
  assert.equal(wrong, []);
});

tests('a tool that has its own mark for what is typed behind a command loses that with the mark', async () => {
  const command = '@shortcuts { "/look": { prompt: true description: "Looks" content: "Look at $ARGUMENTS." } }\n';
  const { outcome, wrong, result } = await tryEdit(
    { '.instr/project.prs': head + command }, 'claude, gemini', '.claude/commands/look.md', 'Look at $ARGUMENTS', 'Look around',
  );
  assert.is(outcome, 'home');
  assert.not.match(result.after.get('.gemini/commands/look.toml')!, 'args');
  assert.equal(wrong, []);
});

tests('a file that was adopted in a layout of its user gets the generated one with the edit', async () => {
  const rule = '# Files\n\nName files well.\n';
  const files = { '.instr/project.prs': head, '.instr/rules/files.md': rule, '.github/instructions/files.instructions.md': rule };
  const { outcome, wrong, lab, result } = await tryEdit(files, 'github, qoder', '.qoder/rules/files.md', 'well', 'shortly');
  const path = '.github/instructions/files.instructions.md';
  assert.is(lab.files.get(path), rule, 'it was not adopted as it stands');
  assert.is(outcome, 'home');
  assert.match(result.after.get(path)!, /applyTo[\s\S]*Name files shortly\./);
  assert.equal(wrong, []);
});

tests('words that come or go elsewhere and are none of the edit are wrong', async () => {
  const { edit, lab, result } = await tryEdit(
    { '.instr/project.prs': head + agent }, 'jules, command-code', '.agents/agents/a.md', 'Look.', 'Glance.',
  );
  const path = '.commandcode/agents/a.md';
  const changed = new Map(result.after).set(path, result.after.get(path)!.replace('grep', 'shell_command'));
  const { wrong } = judge(edit, 'line changed', lab, { ...result, after: changed });
  assert.match(wrong.join('\n'), /beyond the edit: .*grep/);
});

tests('a section comes where the last heading of a file is a title of its own', async () => {
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

tests('data that cannot be read any more is no broken source', async () => {
  const { outcome, wrong, reasons } = await tryEdit(
    { '.instr/project.prs': head + agent }, 'zoo-code', '.roomodes', 'roleDefinition:', 'Look\n    roleDefinition:',
  );
  assert.is(outcome, 'refused');
  assert.match(reasons.join(), /cannot be read as YAML: .* at line \d/);
  assert.equal(wrong, []);
});

tests.run();
