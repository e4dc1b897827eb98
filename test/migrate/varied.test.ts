/** Migrates repositories in unusual shapes: each keeps its meaning, and undoing both runs leaves nothing behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sample } from '../support/depth.ts';
import { needing } from '../support/machine.ts';
import { measure } from '../support/moving-in/measure.ts';
import { writtenRepositories } from '../support/moving-in/repositories.ts';

const tests = suite('varied repositories');

/** Files that are not adopted, with the reason. All other files are adopted. */
const notAdopted: Readonly<Record<string, readonly string[]>> = {
  'a monorepo with links between main files': ['apps/desktop/.cursor/rules/x.mdc'],
  'overrides and servers with comments': ['.codex/prompts/p.md', 'CLAUDE.local.md'],
  'a context file of its own': ['.gemini/settings.json'],
  'Aider with conventions': ['.aider.conf.yml'],
  'Aider with AGENTS.md': ['.aider.conf.yml'],
  'rules of a dozen tools': ['.continue/mcpServers/t.yaml'],
  'a marketplace of plug-ins': ['.claude-plugin/marketplace.json', '.claude/output-styles/o.md', '.claude/settings.json', '.claude/settings.local.json', 'plugins/p/.claude-plugin/plugin.json', 'plugins/p/agents/a.md', 'plugins/p/commands/c.md', 'plugins/p/hooks/hooks.json', 'plugins/p/skills/s/SKILL.md'],
  'rules of all kinds and former rules': ['packages/a/.cursor/rules/inner.mdc'],
  'files without a text': ['.cursor/rules/e.mdc', '.cursor/rules/f.mdc', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
  'main files, rules and skills that are all links': ['.claude/settings.json'],
  'skills that are too large, or links': ['.claude/skills/big/SKILL.md', '.claude/skills/broken', '.claude/skills/linked/SKILL.md'],
  'a shared skill that is too large': ['.agents/skills/many/SKILL.md'],
};

needing(tests, 'symbolic links')('each is migrated as specified', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'prs-varied-'));
  try {
    for (const repository of sample(writtenRepositories())) {
      const { name, mains, adopted, conflicts, loaded, outside, restless, problem, left } = await measure(repository, scratch);
      assert.is(problem, undefined, `${name}: ${problem}`);
      assert.equal({ name, adopted, conflicts, outside, restless }, { name, adopted: mains, conflicts: 0, outside: 0, restless: 0 });
      assert.ok(loaded <= 1, `${name} loads ${loaded} times as much`);
      assert.equal(left.map(line => line.split(': ', 1)[0]), notAdopted[name.replace('made: ', '')] ?? [], left.join('\n'));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

tests.run();
