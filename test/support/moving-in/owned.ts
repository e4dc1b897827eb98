/** Sample repositories with unusual content: odd names, front matter that is not valid YAML, large files, copies. */
import type { Files } from './layouts.ts';

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: Does it. Use when asked.\n---\n\n# ${name}\n\nRun \`python scripts/run.py\`.\n`;
const long = `# Long\n\n${Array.from({ length: 300 }, (_, index) => `## Section ${index}\n\n- Rule ${index}: do \`x${index}\`.\n`).join('\n')}`;

export const owned: Readonly<Record<string, Files>> = {
  'a workspace with links in folders of odd names': {
    'AGENTS.md':
      '# Mill\n\n## Setup\n\n- pnpm install\n\n<!-- internal: do not remove -->\n<!-- second -->\n',
    'CLAUDE.md': { link: 'AGENTS.md' },
    '.cursorrules': { link: 'AGENTS.md' },
    '.windsurfrules': { link: 'AGENTS.md' },
    '.github/copilot-instructions.md': { link: '../AGENTS.md' },
    '.gitignore': 'node_modules\nCLAUDE.local.md\n',
    'apps/web/app/(auth)/AGENTS.md': '# Sign-in\n',
    'apps/web/app/(auth)/CLAUDE.md': { link: 'AGENTS.md' },
    'apps/web/app/[slug]/CLAUDE.md': '# Slugs\n',
    'packages/ui/AGENTS.md': '# UI\n\nUse tokens.',
    'packages/ui/CLAUDE.md': { link: './AGENTS.md' },
    'packages/ui/src/AGENTS.md': '# Sources\n\nNo default exports.\n',
    'packages/with blank/AGENTS.md': '# Blank\n',
    'packages/with blank/CLAUDE.md': { link: 'AGENTS.md' },
    'packages/db/.claude/CLAUDE.md': '# DB\n',
    "it's/CLAUDE.md": 'A quote.\n',
    'a#b/CLAUDE.md': 'A hash.\n',
    'c{d}/CLAUDE.md': 'Braces.\n',
    '-dash/AGENTS.md': 'A dash.\n',
  },
  'a folder of Claude Code that grew': {
    'CLAUDE.md':
      '# Mill\n\nSee @README.md and @docs/guide.md#section, @~/.claude/mine.md, `@not/an/import`.\n\n```\n@also/not\n```\n',
    'README.md': '# Mill\n',
    'docs/guide.md': '# Guide\n',
    '.claude/commands/front/component.md': 'Create a component $ARGUMENTS\n',
    '.claude/commands/back/component.md': 'Create an endpoint\n',
    '.claude/commands/README.md': '# Our commands\n',
    '.claude/commands/1.md':
      '---\nargument-hint: <file> | [--all]\ndescription: pipes | and <angle>\n---\n$1\n',
    '.claude/commands/with.dots.v2.md': 'dots\n',
    '.claude/commands/emoji-🚀.md': '🚀\n',
    '.claude/commands/begun.md': '---\ndescription: never closed\n',
    '.claude/agents/no-front.md': 'Just a prompt.\n',
    '.claude/agents/tabbed.md': '---\nname:\ttabbed\ndescription:\tUses tabs\n---\n\tA tab\n',
    '.claude/agents/Mixed Case.md': '---\nname: Mixed Case\ndescription: blanks\n---\nHi\n',
    '.claude/agents/colons.md':
      '---\nname: colons\ndescription: Use when: x, y: z # no comment\\n<example>\\nuser: "a"\\n</example>\ntools: []\n---\nA\n',
    '.claude/agents/begun.md': '---\nname: begun\ndescription: "unterminated\n---\nF\n',
    '.claude/agents/list.md': '---\nname: list\ndescription: [no list] really\n---\nE\n',
    '.claude/agents/other.md': '---\nname: named-otherwise\ndescription: D\n---\nI\n',
    '.claude/skills/mill/SKILL.md': skill('mill'),
    '.claude/skills/mill/scripts/run.py': '#!/usr/bin/env python3\nprint(1)\n',
    '.claude/skills/mill/assets/logo.bin': '\u0000\u0001\u0002',
    '.claude/skills/mill/assets/empty.txt': '',
    '.claude/skills/mill/.hidden': 'hidden\n',
    '.claude/skills/mill/latest': { link: 'scripts/run.py' },
    '.claude/skills/Bad Name/SKILL.md': '---\nname: Bad Name\ndescription: bad\n---\nx\n',
    '.claude/settings.json':
      '{\n  // ours\n  "permissions": {\n    "allow": ["Bash(npm run lint)", "Read(~/.zshrc)"],\n    "deny": ["Bash(curl:*)"],\n    "defaultMode": "acceptEdits"\n  },\n  "hooks": {\n    "Notification": [{"hooks": [{"type": "command", "command": "notify-send \'x\'"}]}],\n  },\n}\n',
  },
  'rules of Cursor that nobody checked': {
    '.cursorrules': 'You are an expert.\n\n- Small functions',
    '.cursor/rules/100 react.mdc':
      '---\ndescription: React: hooks & components\nglobs: *.tsx,*.jsx\nalwaysApply: false\n---\n# React\n',
    '.cursor/rules/quoted.mdc':
      '---\ndescription: "Quoted: \\"yes\\""\nglobs: ["src/**/*.ts", "lib/**"]\nalwaysApply: "false"\n---\nq\n',
    '.cursor/rules/brace.mdc': '---\nglobs: src/**/*.{ts,tsx}, !src/gen/**\n---\nbrace\n',
    '.cursor/rules/begun.mdc': '---\ndescription: never closed\n\n# Body\n',
    '.cursor/rules/twice.mdc': '---\ndescription: one\ndescription: two\nalwaysApply: true\n---\ntwice\n',
    '.cursor/rules/rule.mdc': '---\ndescription: r\nalwaysApply: true\n---\n\nA\n\n---\n\nB\n',
    '.cursor/rules/tabs.mdc': '---\ndescription:\ttabbed\nglobs:\n\t- a/**\nalwaysApply: false\n---\ntabs\n',
    '.cursor/rules/a/hooks.mdc': '---\ndescription: hooks\nglobs: a/**\n---\nhooks\n',
    '.cursor/rules/a/b/hooks.mdc': '---\ndescription: hooks two\nglobs: b/**\n---\nhooks two\n',
    '.cursorignore': 'secrets/\n',
  },
  'chat modes and prompts with dots and blanks': {
    '.github/copilot-instructions.md': '# Mill\r\n\r\nUse C#.\r\n',
    '.github/chatmodes/4.1-Beast.chatmode.md':
      "---\ndescription: '4.1 beast'\nmodel: GPT-4.1\ntools: ['changes', 'codebase']\n---\n\n# Beast\n",
    '.github/agents/Two Words v2.1.agent.md': '---\ndescription: D\n---\nx\n',
    '.github/instructions/two words.instructions.md': '---\napplyTo: "w/**"\n---\nwords\n',
    '.github/prompts/old.prompt.md': "---\nmode: 'ask'\n---\nOld\n",
  },
  'one rule in the folders of eight tools, and copies that differ by a line': {
    'CLAUDE.md': long,
    'AGENTS.md': long.replace('Rule 200:', 'Rule 200 (all):'),
    '.github/copilot-instructions.md': `${long}\n`,
    '.cursorrules': long.trimEnd(),
    '.claude/rules/a.md': 'Rule A\n',
    '.cursor/rules/a.mdc': '---\nalwaysApply: true\n---\nRule A\n',
    '.clinerules/a.md': 'Rule A\n',
    '.roo/rules/a.md': 'Rule A',
    '.windsurf/rules/a.md': '---\ntrigger: always_on\n---\n\nRule A\n',
    '.continue/rules/a.md': '---\nname: a\nalwaysApply: true\n---\n\nRule A\n',
    '.kiro/steering/a.md': '---\ninclusion: always\n---\nRule A!\n',
    '.trae/rules/a.md': 'Rule A\n',
  },
  'skills that are too large, or links': {
    'AGENTS.md': '# Mill\n',
    LICENSE: 'MIT\n',
    'skills/one/SKILL.md': skill('one'),
    '.claude/skills/one': { link: '../../skills/one' },
    '.claude/skills/big/SKILL.md': skill('big'),
    '.claude/skills/big/data.json': 'x'.repeat(1_500_000),
    '.claude/skills/linked/SKILL.md': { link: '../../../skills/one/SKILL.md' },
    '.claude/skills/broken': { link: '../nowhere' },
    '.claude/skills/loop/SKILL.md': skill('loop'),
    '.claude/skills/loop/self': { link: '.' },
    '.claude/skills/out/SKILL.md': skill('out'),
    '.claude/skills/out/license': { link: '../../../LICENSE' },
  },
  'a shared skill that is too large': {
    'AGENTS.md': '# Mill\n',
    '.agents/skills/many/SKILL.md': skill('many'),
    ...Object.fromEntries(
      Array.from({ length: 210 }, (_, index) => [`.agents/skills/many/pages/${index}.md`, `${index}\n`]),
    ),
    '.agents/skills/small/SKILL.md': skill('small'),
  },
  'agents in JSON with servers, hooks and settings': {
    'AGENTS.md': '# Mill\n',
    '.kiro/steering/product.md': '# Product\n',
    '.kiro/agents/dev.json': `${JSON.stringify(
      {
        name: 'dev',
        description: 'Develops',
        prompt: 'You develop.\nCarefully.',
        model: 'claude-sonnet-4',
        tools: ['read', 'write', '@git'],
        allowedTools: ['read'],
        resources: ['file://README.md'],
        mcpServers: { git: { command: 'uvx', args: ['git'] } },
        hooks: { agentSpawn: [{ command: 'git status' }] },
        toolsSettings: { write: { allowedPaths: ['src/**'] } },
        includeMcpJson: true,
      },
      null,
      2,
    )}\n`,
    '.kiro/agents/far.json':
      '{"name":"fp","description":"From a file","prompt":"file://./fp.md","tools":["*"]}\n',
  },
  'skills in the own folder of Codex': {
    'AGENTS.md': '# Mill\n',
    '.codex/config.toml': '[mcp_servers.a]\ncommand = "npx"\n\n[features]\nskills = true\n',
    '.codex/skills/mill/SKILL.md': skill('mill'),
    '.codex/skills/mill/scripts/run.py': 'print(1)\n',
  },
  'servers with a mark of the byte order': {
    'CLAUDE.md': '\ufeff# Titel\r\n\r\n* eins\r\n* zwei',
    'AGENTS.md': '# Titel\n\n* eins\n* zwei',
    '.mcp.json': '\ufeff{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "npx"\r\n\t\t}\r\n\t}\r\n}',
    'mixed/AGENTS.md': 'a\r\nb\nc\r\n',
  },
};
