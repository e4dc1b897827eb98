/** Migration into blocks: order and hierarchy are kept, texts stay with their tools, and the sources compile. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contextFor } from '../../scripts/corpus/projects.ts';
import { compileProject } from '../../src/project/compile.ts';
import { migrateProject } from '../../src/project/move-in/migrate.ts';
import { needing } from '../support/machine.ts';
import { sortRepository } from '../support/moving-in/sorting.ts';

const tests = suite('migrate --static');

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function moved(files: Readonly<Record<string, string>>, see: (read: (path: string) => string, targets: readonly string[]) => void) {
  const root = mkdtempSync(join(tmpdir(), 'prs-static-'));
  try {
    write(root, { 'package.json': '{}', ...files });
    const errors: string[] = [];
    const context = contextFor(root, ({ severity, code, message }) => {
      if (severity === 'error') errors.push(`${code} ${message}`);
    });
    const outcome = await migrateProject({ dryRun: false, files: [] }, context);
    const compiled = await compileProject({ mode: 'write', force: true }, context);
    assert.is.not(typeof compiled, 'string');
    assert.equal(errors, []);
    see(path => readFileSync(join(root, path), 'utf8'), outcome!.targets);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Sections of different blocks, not in the order of the blocks, with subsections of other kinds. */
const mixed = `# Harbour

You are a careful harbour master.

<!-- BEGIN part -->

Harbour plans berths.

## Never

- Never commit secrets.
- Do not edit \`generated/\`.

## Commands

\`\`\`bash
npm test
\`\`\`

### Code style of scripts

- Use tabs.
- Prefer \`const\`.

## Code style

- Name things plainly.
- Always write tests.

<!-- END part -->

## Architecture

The service is written in TypeScript and uses PostgreSQL.
`;

tests('sections keep their order and their subsections', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'prs-static-'));
  try {
    const make = (root: string) => write(root, { 'CLAUDE.md': mixed });
    const { problems, ...counts } = await sortRepository({ name: 'mixed', make }, join(scratch, 'mixed'));
    assert.equal(problems, []);
    assert.equal(counts, { name: 'mixed', mains: 1, ordered: 1, headed: 1 });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

needing(tests, 'symbolic links')('a main file that is the target of links, and that a tool reads at its path, is read as before', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'prs-static-'));
  try {
    const make = (root: string) => {
      write(root, { '.agents/AGENTS.md': mixed, '.factory/droids/d.md': '---\nname: d\ndescription: D\nmodel: inherit\n---\nD\n' });
      symlinkSync('.agents/AGENTS.md', join(root, 'AGENTS.md'));
      symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
    };
    const { problems, mains, ordered, headed } = await sortRepository({ name: 'linked', make }, join(scratch, 'linked'));
    assert.equal(problems, []);
    assert.ok(mains > 0);
    assert.equal([ordered, headed], [mains, mains]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

tests('sorts what can be sorted, and the most certain sections decide', () =>
  moved({ 'CLAUDE.md': mixed }, read => {
    const source = read('.instr/migrated/instructions.prs');
    assert.match(source, /@identity \{[^}]*careful harbour master/);
    assert.match(source, /@context \{[^@]*Harbour plans berths/);
    assert.is(read('.instr/migrated/document.md'), '# Harbour\n');
    assert.match(read('instr.yaml'), '  layout: once\n');
    assert.ok(read('CLAUDE.md').startsWith('# Harbour\n\n'));
    assert.ok(read('CLAUDE.md').indexOf('BEGIN part') < read('CLAUDE.md').indexOf('END part'));
  }));

tests('a text of one tool stays with that tool, and text that all share is written once', () =>
  moved(
    {
      'CLAUDE.md': '# Harbour\n\nOnly Claude reads this.\n\n## Style\n\n- Use tabs.\n- Name things plainly.\n',
      'GEMINI.md': '# Harbour\n\nOnly Gemini reads that.\n\n## Style\n\n- Use tabs.\n- Name things plainly.\n',
      '.claude/commands/deploy.md': 'Deploy to staging.\n',
      '.gemini/commands/deploy.toml': 'prompt = "Deploy to production."\n',
    },
    (read, targets) => {
      assert.equal(targets, ['claude', 'gemini']);
      assert.not.match(read('CLAUDE.md'), 'Only Gemini');
      assert.not.match(read('GEMINI.md'), 'Only Claude');
      assert.match(read('.claude/commands/deploy.md'), 'staging');
      const sources = ['document', 'claude', 'gemini'].map(name => {
        try {
          return read(`.instr/migrated/${name}.md`);
        } catch {
          return '';
        }
      });
      const all = [...sources, read('.instr/migrated/instructions.prs')].join('\n');
      assert.is(all.match(/Name things plainly/g)!.length, 1);
    },
  ));

tests('a rule that is invoked by hand stays a rule, and one that is always loaded stays a file', () =>
  moved(
    {
      '.cursor/rules/manual.mdc': '---\ndescription:\nglobs:\nalwaysApply: false\n---\n\nOnly when asked.\n',
      '.cursor/rules/always.mdc': '---\nalwaysApply: true\n---\n\n## Always\n\nUse tabs.\n',
      'AGENTS.md': '## Project\n\nA harbour.\n',
    },
    read => {
      assert.not.match(read('AGENTS.md'), /Only when asked|Use tabs/);
      assert.match(read('.cursor/rules/manual.mdc'), /^---\n(?:.*\n)*?alwaysApply: false\n---\n\nOnly when asked\.\n$/);
      assert.match(read('.cursor/rules/always.mdc'), 'alwaysApply: true');
    },
  ));

tests('its sources compile: a command set twice, an agent without a description, an empty file', () =>
  moved(
    {
      'CLAUDE.md': '## Commands\n\n- `/deploy`: Deploys to staging\n- `/test`: Runs the tests\n',
      '.claude/commands/deploy.md': 'Deploy to staging.\n',
      '.claude/agents/pilot.md': '---\nname: pilot\n---\n\n# Pilot\n\nBring the boat in. Mind the tide.\n',
      'packages/api/CLAUDE.md': ' \n',
    },
    read => {
      assert.match(read('.instr/migrated/agents.prs'), 'description: "Bring the boat in."');
      assert.match(read('.instr/migrated/agents.prs'), '# REVIEW: The file had no description');
      assert.match(read('CLAUDE.md'), 'Deploys to staging');
      assert.match(read('.claude/commands/deploy.md'), 'Deploy to staging.');
    },
  ));

tests('files of skills, samples and texts for people are not instructions of the project', () =>
  moved(
    {
      'AGENTS.md': '## Project\n\nA harbour.\n',
      '.agents/skills/tide/SKILL.md': '---\nname: tide\ndescription: Reads tides.\n---\n\nRead.\n',
      '.agents/skills/tide/AGENTS.md': 'Inside a skill.\n',
      '.agents/skills/tide/references/depths.md': 'Depths of a skill.\n',
      'docs/AGENTS.md': 'For people.\n',
      'test/fixtures/app/CLAUDE.md': 'A sample.\n',
    },
    (read, targets) => {
      const sources = ['all.prs', 'instructions.prs'].map(name => read(`.instr/migrated/${name}`)).join('\n');
      assert.match(sources, 'A harbour.');
      assert.not.match(sources, /Inside a skill|Depths of a skill|For people|A sample|rules/);
      assert.equal(targets, ['agents']);
    },
  ));

tests('a file in a folder below a skill is not a rule, however its `SKILL.md` is spelled', () =>
  moved(
    {
      'AGENTS.md': '# House\n\nRun the tests first.\n',
      '.agents/skills/low/Skill.md': 'Low.\n',
      '.agents/skills/low/pages/deep.md': 'Deep.\n',
    },
    (read, targets) => {
      assert.equal(targets, ['agents']);
      assert.not.match(read('.instr/migrated/all.prs'), 'rules');
    },
  ));

tests('the next steps name originals that nothing replaces, and nested files', async () => {
  const root = mkdtempSync(join(tmpdir(), 'prs-static-'));
  try {
    write(root, {
      'package.json': '{}',
      '.cursor/rules/api.mdc': '---\nglobs: src/api/**\nalwaysApply: false\n---\n\nValidate input.\n',
      '.cursor/rules/area/deep.mdc': '---\nglobs: deep/**\nalwaysApply: false\n---\n\nDeep.\n',
      'AGENTS.md': '# House\n\nRun the tests first.\n',
      '.mcp.json': '{"mcpServers": {"tide": {"command": "tide"}}}',
      'packages/plugin/.mcp.json': '{"mcpServers": {"other": {"command": "npx"}}}',
      'packages/plugin/.claude/skills/inner/SKILL.md': '---\nname: inner\ndescription: Inner.\n---\n\nInner.\n',
    });
    const outcome = await migrateProject({ dryRun: true, files: [] }, contextFor(root, () => {}));
    const { steps, files, found } = outcome!;
    assert.match(steps, /nothing replaces them[^\n]*\n {3}\.cursor\/rules\/area\/deep\.mdc: Cursor\n/);
    assert.not.match(steps, /AGENTS\.md: /);
    assert.not.match(steps, /api\.mdc: /);
    assert.match(
      steps,
      /Not taken[^\n]*\n {3}packages\/plugin\/\.claude\/skills\/inner\/SKILL\.md\n {3}packages\/plugin\/\.mcp\.json\n/,
    );
    assert.not.ok(found.some(({ path }) => path.startsWith('packages/')));
    assert.not.match(files.map(({ text }) => text).join('\n'), /other|inner/);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

const house = '# House\n\nRun the tests first.\n\n## Style\n\n- Use tabs.\n';

for (const [name, files] of Object.entries({
  'a main file of old': { '.windsurfrules': house },
  'one that is replaced by a folder': { '.clinerules': house },
  'one of old beside the new files': {
    '.cursorrules': house,
    '.cursor/rules/api.mdc': '---\nglobs: src/api/**\nalwaysApply: false\n---\n\nValidate input.\n',
  },
  'one of old beside the main file': { 'AGENTS.md': house, '.cursorrules': '# Old\n\nSmall letters.\n' },
  'a folder that is a pattern': { 'AGENTS.md': house, 'apps/[id]/AGENTS.md': '# Of it\n\nText.\n' },
  'a nested file beside a main file': { 'CLAUDE.md': house, 'packages/api/CLAUDE.md': '# API\n\nAnswer.\n' },
}))
  tests(`a file that no block can reproduce at its path is kept: ${name}`, async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'prs-static-'));
    try {
      const root = join(scratch, 'project');
      const make = (at: string) => write(at, files);
      const { problems, mains, ordered, headed } = await sortRepository({ name, make }, root);
      assert.equal(problems, []);
      assert.equal([ordered, headed], [mains, mains]);
      // Nothing is lost, and nothing is duplicated.
      const texts = Object.keys(files).map(path => readFileSync(join(root, path), 'utf8'));
      for (const [index, text] of Object.values(files).entries()) {
        const last = text.trimEnd().split('\n').at(-1)!;
        assert.match(texts[index]!, last);
        assert.is(texts.filter(other => other.includes(last)).length, 1, last);
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });

tests('names are matched in the letter case that tools require', () =>
  moved(
    {
      'AGENTS.md': house,
      'notes/agents.md': '# Agents\n\nA page about people.\n',
      'lib/claude.md': '# Somebody\n\nA page.\n',
      '.claude/Agents/x.md': 'Nothing.\n',
    },
    (read, targets) => {
      assert.equal(targets, ['agents']);
      assert.not.match(read('.instr/migrated/all.prs'), /rules|agents|kept/);
    },
  ));

tests.run();
