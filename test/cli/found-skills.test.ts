/** A skill in the universal directory is a source, and tools that read the directory get it unchanged. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, write } from './prs.ts';

const tests = suite('skills in the universal directory');

const skill = '---\nname: deploy\ndescription: Deploys the shop\n---\n\nRun it.\n';

const files = (at: string) => ({
  'instr.yaml': 'id: shop\nsyntax: "1.5.0"\ntargets: [claude, codex, amp, aider]\nincludeInstrSkill: false\n',
  '.instr/project.prs': '@meta { id: "shop" syntax: "1.5.0" }\n@identity { "You sell lamps." }\n@extend skills.deploy { content: "Mind the tide." }\n',
  [`${at}/deploy/SKILL.md`]: skill,
});

tests('reports, with a fix, every tool that reads the skill without the additions of the program', () => {
  const folder = project(files('.agents/skills'));
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  for (const target of ['codex', 'amp', 'aider'])
    assert.match(stderr, `PRS8025: .agents/skills/deploy/SKILL.md is a source, so ${target} reads it unchanged, without what the program adds to it. [output-is-source] [${target}]`);
  const reportedFor = [...stderr.matchAll(/PRS8025: .*\[(\S+)\]$/gm)].map(([, target]) => target);
  assert.equal(reportedFor.sort(), ['aider', 'amp', 'codex']);
  assert.match(stderr, 'help: Move it below `.instr/` (a skill to `.instr/skills/`)');
  assert.is(read(folder, '.agents/skills/deploy/SKILL.md'), skill);
  assert.match(read(folder, '.claude/skills/deploy/SKILL.md'), 'Mind the tide.');
});

tests('validate reports it too, and detects two conflicting outputs', () => {
  const folder = project(files('.agents/skills'));
  const { status, stderr } = prs(folder, ['validate', '--strict']);
  assert.is(status, 1, stderr);
  const reportedFor = [...stderr.matchAll(/PRS8025: .*\[(\S+)\]$/gm)].map(([, target]) => target);
  assert.equal(reportedFor.sort(), ['aider', 'amp', 'codex']);

  const nested = project({
    'instr.yaml': 'id: shop\nsyntax: "1.5.0"\ntargets: [{ claude: { output: DOCS.md } }, { codex: { output: docs.md/CODEX.md } }]\n',
    '.instr/project.prs': '@meta { id: "shop" syntax: "1.5.0" }\n@identity { "You sell lamps." }\n',
  });
  const found = prs(nested, ['validate']);
  assert.is(found.status, 1);
  assert.match(found.stderr, 'PRS8007');
});

tests('keeps an edited file that is no longer needed, and does not report it as removed', () => {
  const own = '.instr/skills/review/SKILL.md';
  const folder = project({ ...files('.instr/skills'), [own]: skill.replace('deploy', 'review') });
  prs(folder, ['compile']);
  write(folder, '.agents/skills/review/SKILL.md', `${skill}More.\n`);
  rmSync(join(folder, own));
  const { status, stdout } = prs(folder, ['compile']);
  assert.is(status, 0);
  assert.match(stdout, / 1 kept\)/);
  assert.match(prs(folder, ['compile', '--check', '--verbose']).stdout, /^kept .*\.agents\/skills\/review\/SKILL\.md/m);
});

tests('the fix gives every tool the complete skill', () => {
  const folder = project(files('.agents/skills'));
  prs(folder, ['compile']);
  rmSync(join(folder, '.agents/skills/deploy'), { recursive: true });
  write(folder, '.instr/skills/deploy/SKILL.md', skill);
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  assert.not.match(stderr, 'PRS8025');
  for (const path of ['.agents', '.claude']) assert.match(read(folder, `${path}/skills/deploy/SKILL.md`), 'Mind the tide.');
});

tests.run();
