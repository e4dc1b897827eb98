/** Sample repositories, each in the layout of one tool, with files at every path that the tool documents. */
export type Content = string | { readonly link: string } | { readonly from: string };
export type Files = Readonly<Record<string, Content>>;

const json = (data: unknown): string => `${JSON.stringify(data, null, 2)}\n`;
const skill = (name: string, text = 'Run `scripts/go.sh`.') =>
  `---\nname: ${name}\ndescription: Releases the program. Use it before a tag.\n---\n\n# Release\n\n${text}\n`;
const script = '#!/bin/sh\necho go\n';
const main = '# Harbour\n\nKeep depths in metres.\n\n## Build\n\n```sh\nnpm run build\n```\n';

export const layouts: Readonly<Record<string, Files>> = {
  'Claude Code': {
    'CLAUDE.md': `${main}\n@docs/style.md\n`,
    'docs/style.md': 'Short sentences.\n',
    'packages/api/CLAUDE.md': '# API\n\nAnswer in JSON.\n',
    '.claude/rules/general.md': '# General\n\nName things plainly.\n',
    '.claude/rules/area/api.md': '---\npaths:\n  - "src/api/**"\n---\n\nAnswer in JSON.\n',
    '.claude/rules/comma.md': '---\npaths: src/**/*.ts, test/**\n---\n\nUse types.\n',
    '.claude/agents/reviewer.md':
      '---\nname: code-reviewer\ndescription: Reads changes. Use PROACTIVELY after "big" edits: always.\ntools: Read, Grep, mcp__tide__read\nmodel: opus\ncolor: red\n---\n\nRead the diff.\n',
    '.claude/agents/unfinished.md': '---\nname: unfinished\n---\n\nThere is no description.\n',
    '.claude/agents/team/tester.md': '---\nname: tester\ndescription: Writes tests.\n---\n\nWrite a test.\n',
    '.claude/commands/ship.md':
      '---\ndescription: Ships\nargument-hint: [version] [channel]\nallowed-tools: Bash(git add:*), Bash(git commit:*)\ndisable-model-invocation: true\n---\n\nShip $ARGUMENTS.\n',
    '.claude/commands/git/sync.md': 'Sync the branch.\n\n!`git status`\n',
    '.claude/skills/release/SKILL.md': skill('release'),
    '.claude/skills/release/scripts/go.sh': script,
    '.claude/skills/other/SKILL.md': skill('named-otherwise'),
    '.claude/settings.json': json({
      permissions: { allow: ['Bash(npm test)'] },
      hooks: {
        PostToolUse: [
          {
            matcher: 'Edit|Write',
            hooks: [{ type: 'command', command: 'npm run format', timeout: 30 }],
          },
        ],
        UserPromptSubmit: [
          { hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/prompt.sh' }] },
        ],
        Stop: [{ hooks: [{ type: 'command', command: "jq -r '.cwd' | tee out.txt" }] }],
      },
    }),
    '.claude/hooks/prompt.sh': script,
    '.mcp.json': json({
      mcpServers: {
        tide: { command: 'npx', args: ['-y', 'tide'], env: { LEVEL: 'debug' } },
        charts: { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Key': 'a' } },
      },
    }),
  },
  Cursor: {
    'AGENTS.md': main,
    '.cursor/rules/always.mdc': '---\ndescription: Always\nglobs:\nalwaysApply: true\n---\n\nPlain names.\n',
    '.cursor/rules/scoped.mdc':
      '---\ndescription:\nglobs: src/**/*.ts,test/**\nalwaysApply: false\n---\n\nUse types.\n',
    '.cursor/rules/manual.mdc': '---\ndescription: \nglobs: \nalwaysApply: false\n---\n\nOnly when asked.\n',
    '.cursor/rules/agent.mdc':
      '---\ndescription: About releases\nglobs: \nalwaysApply: false\n---\n\nTag it.\n',
    '.cursor/rules/bare.mdc': 'No front matter.\n',
    '.cursor/rules/area/deep.mdc': '---\nglobs: deep/**\nalwaysApply: false\n---\n\nDeep.\n',
    '.cursor/commands/ship.md': '# Ship\n\nShip it.\n',
    '.cursor/agents/verifier.md':
      '---\nname: verifier\ndescription: Checks.\nmodel: fast\nreadonly: true\n---\n\nCheck.\n',
    '.cursor/mcp.json': json({ mcpServers: { tide: { command: 'npx', args: ['tide'] } } }),
    '.cursor/hooks.json': json({
      version: 1,
      hooks: { afterFileEdit: [{ command: './format.sh' }], stop: [{ command: 'npm test' }] },
    }),
    'packages/web/.cursor/rules/web.mdc': '---\nglobs: "**/*.tsx"\nalwaysApply: false\n---\n\nWeb.\n',
  },
  'GitHub Copilot': {
    '.github/copilot-instructions.md': main,
    '.github/instructions/ts.instructions.md':
      "---\napplyTo: '**/*.ts,**/*.tsx'\ndescription: 'TypeScript'\n---\n\nUse types.\n",
    '.github/instructions/all.instructions.md': "---\napplyTo: '**'\n---\n\nPlain names.\n",
    '.github/instructions/attached.instructions.md':
      '---\ndescription: Attach it by hand\n---\n\nOnly when attached.\n',
    '.github/instructions/backend/api.instructions.md': '---\napplyTo: "api/**"\n---\n\nAnswer in JSON.\n',
    '.github/prompts/plan.prompt.md':
      '---\nmode: agent\nmodel: GPT-4o\ntools: [codebase, search]\ndescription: Plan\n---\n\nPlan it.\n',
    '.github/prompts/plain.prompt.md': 'Do it.\n',
    '.github/chatmodes/architect.chatmode.md':
      "---\ndescription: Designs\ntools: ['codebase', 'search']\n---\n\nDesign.\n",
    '.github/agents/planner.agent.md':
      "---\nname: Planner\ndescription: Plans\ntools: ['read', 'search']\nhandoffs:\n  - label: Go\n    agent: agent\n    prompt: Go on.\n---\n\nPlan.\n",
    '.github/agents/plain.md': '---\ndescription: Plain\n---\n\nPlain.\n',
    '.github/skills/release/SKILL.md': skill('release'),
    '.vscode/mcp.json':
      '{\n  // servers\n  "inputs": [{ "type": "promptString", "id": "key", "password": true }],\n  "servers": { "tide": { "type": "stdio", "command": "npx", "args": ["tide"], "env": { "KEY": "${input:key}" } } }\n}\n',
  },
  'Gemini CLI': {
    'GEMINI.md': main,
    'packages/core/GEMINI.md': '# Core\n\nNo dependencies.\n',
    '.gemini/commands/plan.toml': 'description = "Plan"\nprompt = """\nPlan {{args}}.\n!{git status}\n"""\n',
    '.gemini/commands/git/sync.toml': 'prompt = "Sync."\n',
    '.gemini/skills/release/SKILL.md': skill('release'),
    '.gemini/agents/tester.md':
      '---\nname: tester\ndescription: Tests\ntools: [read_file, run_shell_command]\n---\n\nTest.\n',
    '.gemini/settings.json': json({
      theme: 'Default',
      mcpServers: { tide: { command: 'npx', args: ['tide'], timeout: 5000, trust: true } },
    }),
  },
  Windsurf: {
    '.windsurf/rules/always.md': '---\ntrigger: always_on\n---\n\nPlain names.\n',
    '.windsurf/rules/glob.md': '---\ntrigger: glob\nglobs: src/**\n---\n\nUse types.\n',
    '.windsurf/rules/model.md': '---\ntrigger: model_decision\ndescription: Releases\n---\n\nTag it.\n',
    '.windsurf/rules/manual.md': '---\ntrigger: manual\n---\n\nOnly when asked.\n',
    '.windsurf/workflows/ship.md': '---\ndescription: Ship\n---\n\n1. Test\n2. Tag\n',
    '.windsurf/skills/release/SKILL.md': skill('release'),
  },
  'Windsurf of old': { '.windsurfrules': main },
  'Cursor of old': { '.cursorrules': main },
  Cline: {
    '.clinerules/general.md': '# General\n\nPlain names.\n',
    '.clinerules/api.md': '---\npaths:\n  - "api/**"\n---\n\nAnswer in JSON.\n',
    '.clinerules/workflows/ship.md': '# Ship\n\nShip it.\n',
    '.clinerules/hooks/PreToolUse': '#!/bin/sh\necho "{}"\n',
  },
  'Cline of old': { '.clinerules': main },
  'Roo Code': {
    '.roo/rules/general.md': '# General\n\nPlain names.\n',
    '.roo/rules/02-style.md': '# Style\n\nShort.\n',
    '.roo/rules-code/code.md': '# Code\n\nOnly in code mode.\n',
    '.roo/commands/ship.md': '---\ndescription: Ship\nargument-hint: <version>\n---\n\nShip it.\n',
    '.roomodes':
      'customModes:\n  - slug: tester\n    name: Tester\n    roleDefinition: You test.\n    whenToUse: For tests\n    groups:\n      - read\n      - edit\n',
    '.roo/mcp.json': json({ mcpServers: { tide: { command: 'npx', args: ['tide'], disabled: false } } }),
  },
  Kiro: {
    '.kiro/steering/product.md': '---\ninclusion: always\n---\n\n# Product\n\nA harbour.\n',
    '.kiro/steering/tech.md': '# Tech\n\nTypeScript.\n',
    '.kiro/steering/api.md':
      '---\ninclusion: fileMatch\nfileMatchPattern: "api/**"\n---\n\nAnswer in JSON.\n',
    '.kiro/steering/ask.md': '---\ninclusion: manual\n---\n\nOnly when asked.\n',
    '.kiro/specs/feature/requirements.md': '# Requirements\n',
    '.kiro/settings/mcp.json': json({
      mcpServers: { tide: { command: 'uvx', args: ['tide@latest'], disabled: true, autoApprove: [] } },
    }),
    '.kiro/hooks/test.kiro.hook': json({ enabled: true, name: 'Test', when: { type: 'fileEdited' } }),
  },
  'Amazon Q': {
    '.amazonq/rules/general.md': '# General\n\nPlain names.\n',
    '.amazonq/rules/area/style.md': '# Style\n\nShort.\n',
    '.amazonq/prompts/ship.md': 'Ship it.\n',
    '.amazonq/cli-agents/tester.json': json({ name: 'tester', description: 'Tests', tools: ['*'] }),
    '.amazonq/mcp.json': json({ mcpServers: { tide: { command: 'npx', args: ['tide'] } } }),
  },
  Continue: {
    '.continue/rules/general.md': '---\nname: General\nalwaysApply: true\n---\n\nPlain names.\n',
    '.continue/rules/ts.md': '---\nname: TypeScript\nglobs: "**/*.ts"\n---\n\nUse types.\n',
    '.continue/rules/plain.md': '# Plain\n\nText.\n',
    '.continue/prompts/ship.md': '---\nname: Ship\ndescription: Ship it\ninvokable: true\n---\n\nShip it.\n',
    '.continue/mcpServers/tide.yaml':
      'name: Tide\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: tide\n    command: npx\n    args:\n      - tide\n',
  },
  Junie: {
    '.junie/guidelines.md': main,
    '.junie/commands/ship.md': '---\ndescription: Ship\n---\n\nShip it.\n',
    '.junie/agents/tester.md': '---\nname: tester\ndescription: Tests\n---\n\nTest.\n',
    '.junie/mcp/mcp.json': json({ mcpServers: { tide: { command: 'npx', args: ['tide'] } } }),
  },
  Augment: {
    '.augment/rules/always.md': '---\ntype: always_apply\n---\n\nPlain names.\n',
    '.augment/rules/auto.md': '---\ntype: agent_requested\ndescription: Releases\n---\n\nTag it.\n',
    '.augment/commands/ship.md': '---\ndescription: Ship\nargument-hint: [version]\n---\n\nShip it.\n',
  },
  Codex: {
    'AGENTS.md': main,
    'services/pay/AGENTS.override.md': '# Pay\n\nMind the money.\n',
    '.codex/config.toml':
      'model = "x"\n\n[mcp_servers.tide]\ncommand = "npx"\nargs = ["tide"]\nstartup_timeout_sec = 20\n',
    '.codex/agents/tester.toml':
      'name = "tester"\ndescription = "Tests"\ndeveloper_instructions = """\nTest.\n"""\n',
    '.agents/skills/release/SKILL.md': skill('release'),
    '.agents/skills/release/scripts/go.sh': script,
  },
  OpenCode: {
    'AGENTS.md': main,
    'opencode.json':
      '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": { "tide": { "type": "local", "command": ["npx", "tide"], "enabled": true } }\n}\n',
    '.opencode/agent/tester.md':
      '---\ndescription: Tests\nmode: subagent\ntemperature: 0.1\ntools:\n  write: false\n---\n\nTest.\n',
    '.opencode/command/ship.md': '---\ndescription: Ship\nagent: build\n---\n\nShip it.\n',
  },
  'one rule for three tools': {
    'AGENTS.md': main,
    'CLAUDE.md': { link: 'AGENTS.md' },
    '.github/copilot-instructions.md': { link: '../AGENTS.md' },
    '.cursor/rules/api.mdc': '---\nglobs: api/**\nalwaysApply: false\n---\n\nAnswer in JSON.\n',
    '.claude/rules/api.md': '---\npaths: ["api/**"]\n---\n\nAnswer in JSON.\n',
    '.github/instructions/api.instructions.md': '---\napplyTo: "api/**"\n---\n\nAnswer in JSON.\n',
    '.claude/commands/ship.md': '---\ndescription: Ship\n---\n\nShip it.\n',
    '.cursor/commands/ship.md': 'Ship it.\n',
    '.claude/agents/tester.md': '---\nname: tester\ndescription: Tests\nmodel: opus\n---\n\nTest.\n',
    '.cursor/agents/tester.md': '---\nname: tester\ndescription: Tests\nmodel: fast\n---\n\nTest.\n',
    '.github/agents/tester.agent.md': '---\nname: tester\ndescription: Tests\n---\n\nTest.\n',
  },
  'one folder as source of several tools': {
    'AGENTS.md': main,
    'CLAUDE.md': { link: 'AGENTS.md' },
    'ai/rules/style.md': '# Style\n\nShort.\n',
    '.claude/rules': { link: '../ai/rules' },
    '.roo/rules': { link: '../ai/rules' },
    'ai/commands/ship.md': 'Ship it.\n',
    '.claude/commands': { link: '../ai/commands' },
    '.cursor/commands': { link: '../ai/commands' },
    '.agents/skills/release/SKILL.md': skill('release'),
    '.claude/skills': { link: '../.agents/skills' },
    '.cursor/skills': { link: '../.agents/skills' },
  },
  'skills that differ': {
    'CLAUDE.md': main,
    'AGENTS.md': '# Other\n\nText.\n',
    '.claude/skills/release/SKILL.md': skill('release'),
    '.claude/skills/release/scripts/go.sh': script,
    '.cursor/skills/release/SKILL.md': skill('release', 'Start it.'),
    '.agents/skills/release/SKILL.md': skill('release', 'Call it.'),
  },
  'nested files of several tools': {
    'AGENTS.md': main,
    'CLAUDE.md': '@AGENTS.md\n',
    'packages/api/AGENTS.md': '# API\n\nAnswer in JSON.\n',
    'packages/api/CLAUDE.md': '@AGENTS.md\n',
    'packages/web/AGENTS.md': '# Web\n\nUse the components.\n',
    'packages/web/CLAUDE.md': { link: 'AGENTS.md' },
    'packages/cli/CLAUDE.md': '# CLI\n\nNo colours.\n',
    'apps/[id]/AGENTS.md': '# A folder with brackets\n\nText.\n',
    'packages/empty/AGENTS.md': '',
    'packages/head/AGENTS.md': '---\ntitle: Head\n---\n\nText.\n',
    'packages/plugin/.mcp.json': json({ mcpServers: { other: { command: 'npx' } } }),
    'packages/plugin/.claude/skills/inner/SKILL.md': skill('inner'),
    'packages/plugin/.claude-plugin/plugin.json': json({ name: 'plugin' }),
    'packages/plugin/commands/x.md': 'Text.\n',
  },
  'near misses': {
    'AGENTS.md': main,
    'Claude.md': '# In other letters\n',
    '.claude/skills/wrong/skill.md': skill('wrong'),
    '.cursor/rules/text.md': 'Not read: the ending is wrong.\n',
    '.github/instructions/plain.md': 'Not read: the ending is wrong.\n',
  },
  'an empty main file': { 'AGENTS.md': '', 'CLAUDE.md': main },
};
