/**
 * Sample repositories in real-world shapes that do not come from the layout of a single tool: links, encodings, old
 * files, settings.
 */
import type { Files } from './layouts.ts';

export const varied: Readonly<Record<string, Files>> = {
  'a monorepo with links between main files': {
    'AGENTS.md': '# Forge\n\nA toolchain.\n\n- One\n- Two\n',
    'CLAUDE.md': { link: 'AGENTS.md' },
    'README.md': '# x\n',
    'package.json': '{}\n',
    '.agents/skills': { link: '../.claude/skills' },
    '.claude/skills/ship/SKILL.md':
      '---\nname: ship\ndescription: Does ship. Use it before a tag.\n---\n\n# ship\n\nRun `scripts/go.sh`.\n',
    '.claude/skills/ship/scripts/go.sh': '#!/bin/sh\n',
    '.cursor/rules/main.mdc':
      '---\ndescription: Main\nglobs: \nalwaysApply: true\n---\n\nSee [AGENTS.md](mdc:AGENTS.md)\n',
    'apps/desktop/.cursor/rules/x.mdc': '---\nglobs: "*.ts"\n---\nhi\n',
    'apps/mobile/AGENTS.md': '# Mobile\n\nTouch.\n',
    'apps/mobile/GEMINI.md': { link: 'AGENTS.md' },
    'packages/api/AGENTS.md': '# API\n\nJSON only.\n',
    'packages/api/CLAUDE.md': { link: 'AGENTS.md' },
    'packages/cli/AGENTS.md': { link: 'CLAUDE.md' },
    'packages/cli/CLAUDE.md': '# CLI\n\nNo colours.\n',
    'packages/web/AGENTS.md': '# Web\n\nUse components.\n',
    'packages/web/CLAUDE.md': '@AGENTS.md\n',
  },
  'skills linked both ways': {
    'AGENTS.md': '# Knit\n\nFinds what is not used.\n',
    'CLAUDE.md': 'See @AGENTS.md for everything.\n\n- Prefer plan mode.\n',
    '.agents/skills/b': { link: '../../.claude/skills/b' },
    '.agents/skills/a/SKILL.md':
      '---\nname: a\ndescription: Does a. Use it before a tag.\n---\n\n# a\n\nRun `scripts/go.sh`.\n',
    '.agents/skills/a/ref/one.md': '# one\n',
    '.claude/commands/x.md': '---\ndescription: X\nallowed-tools: [Bash, Read]\n---\nDo $1 and @src/x.ts\n',
    '.claude/skills/a': { link: '../../.agents/skills/a' },
    '.claude/skills/b/SKILL.md':
      '---\nname: b\ndescription: Does b. Use it before a tag.\n---\n\n# b\n\nRun `scripts/go.sh`.\n',
    '.cursor/commands': { link: '../.claude/commands' },
    '.cursor/skills': { link: '../.agents/skills' },
    '.github/skills/c/SKILL.md':
      '---\nname: c\ndescription: Does c. Use it before a tag.\n---\n\n# c\n\nRun `scripts/go.sh`.\n',
  },
  'line ends of Windows and byte order marks': {
    '.gitattributes': '* text=auto\n',
    'AGENTS.md': '\ufeff# Lighthouse\r\n\r\nKeep it lit.\r\n\r\n## Build\r\n\r\n```sh\r\nmake\r\n```\r\n',
    'CLAUDE.md': '# Lighthouse\r\n\r\nKeep it lit.\r\n\r\n## Build\r\n\r\n```sh\r\nmake\r\n```\r\n',
    '.claude/agents/r.md':
      '\ufeff---\r\nname: r\r\ndescription: "Use: when"\r\ntools: Read\r\n---\r\nRead.\r\n',
    '.claude/skills/w/SKILL.md':
      '---\r\nname: w\r\ndescription: Does w. Use it before a tag.\r\n---\r\n\r\n# w\r\n\r\nRun `scripts/go.sh`.\r\n',
    '.cursor/rules/bom.mdc':
      '\ufeff---\r\ndescription: B\r\nglobs: **/*.py\r\nalwaysApply: false\r\n---\r\nPy.\r\n',
    '.github/copilot-instructions.md': '\ufeff# Cop\r\n\r\nText\r\n',
    '.github/chatmodes/plan.chatmode.md':
      '---\r\ndescription: Plan\r\ntools: ["codebase"]\r\nmodel: GPT-4.1\r\n---\r\nPlan only.\r\n',
    '.github/instructions/ts.instructions.md':
      '---\r\napplyTo: "**/*.ts,**/*.tsx"\r\ndescription: TS\r\n---\r\n\r\nUse types.\r\n',
    '.github/prompts/rev.prompt.md':
      "---\r\nmode: agent\r\ntools: ['codebase', 'search']\r\ndescription: Review\r\n---\r\nReview ${input:what:Which part}\r\n",
  },
  'names of other scripts': {
    'AGENTS.md': '# プロジェクト\n\n日本語で。\n',
    'CLAUDE.md': { link: 'AGENTS.md' },
    '.claude/agents/проверка.md': '---\nname: проверка\ndescription: Проверяет.\n---\n\nЧитай.\n',
    '.claude/commands/отчёт.md': 'Напиши отчёт.\n',
    '.claude/skills/データ/SKILL.md':
      '---\nname: データ\ndescription: Does データ. Use it before a tag.\n---\n\n# データ\n\nRun `scripts/go.sh`.\n',
    '.cursor/rules/Übergröße rule.mdc': '---\ndescription: Größe\nalwaysApply: true\n---\n\nGroß.\n',
    '.cursor/rules/コーディング規約.mdc':
      '---\ndescription: 規約\nglobs: src/**\nalwaysApply: false\n---\n\n型を使う。\n',
    '.github/instructions/日本.instructions.md': '---\napplyTo: "日本/**"\n---\n日本\n',
    'pakete/größe/AGENTS.md': '# Größe\n',
    'pakete/größe/CLAUDE.md': { link: 'AGENTS.md' },
  },
  'front matter of other tools': {
    'AGENTS.md': '---\nalwaysApply: true\ntrigger: always_on\n---\n\n# A\n\nx\n',
    'CLAUDE.md': '---\ndescription: main\nglobs: ["**"]\n---\n# C\n',
    '.claude/agents/x.md':
      '---\nname: x\ndescription: |\n  Multi\n  line <example>user: "hi"</example>\nmodel: inherit\ncolor: blue\npermissionMode: plan\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./x.sh\n---\n\nX.\n',
    '.claude/rules/paths.md': '---\npaths: "src/**/*.{ts,tsx}"\n---\nP\n',
    '.cursor/rules/a.mdc':
      '---\ndescription: has: colon\nglobs: *.ts, *.tsx\nalwaysApply: false\ntags: [x]\npriority: 3\n---\nA\n',
    '.cursor/rules/b.md': '---\nglobs: x\n---\nplain md in rules\n',
    '.github/agents/p.agent.md':
      '---\nname: p\ndescription: Plan\ntools: ["read", "search"]\nhandoffs:\n  - label: Go\n    agent: impl\n    prompt: now\n---\nPlan.\n',
    '.windsurf/rules/m.md': '---\ntrigger: model_decision\ndescription: Deploy\n---\nM\n',
    '.windsurf/rules/w.md': '---\ntrigger: glob\nglobs: **/*.py\n---\nW\n',
    '.windsurf/workflows/f.md': '---\ndescription: Flow\nauto_execution_mode: 3\n---\n1. a\n// turbo\n2. b\n',
  },
  'old files beside new folders': {
    '.cursorrules': 'Old cursor text.\n',
    '.roomodes':
      'customModes:\n  - slug: docs\n    name: Docs\n    roleDefinition: You write docs\n    groups: [read]\n',
    '.roorules': 'old roo\n',
    '.windsurfrules': 'Old windsurf.\n',
    'AGENTS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    '.clinerules/01-a.md': '# A\n',
    '.clinerules/workflows/w.md': '# W\n1. x\n',
    '.cursor/rules/new.mdc': '---\nalwaysApply: true\n---\nNew.\n',
    '.roo/rules/r.md': 'R\n',
    '.roo/rules-code/c.md': 'C\n',
    '.windsurf/rules/n.md': '---\ntrigger: always_on\n---\nN\n',
  },
  '.clinerules as a file': {
    '.clinerules': 'Plain file.\n',
    '.windsurfrules': 'W\n',
    'CLAUDE.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
  },
  'Gemini with settings': {
    'AGENTS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    'CLAUDE.md': { link: 'AGENTS.md' },
    '.gemini/settings.json':
      '{\n  "contextFileName": [\n    "AGENTS.md"\n  ],\n  "mcpServers": {\n    "x": {\n      "command": "npx",\n      "args": [\n        "x"\n      ]\n    }\n  },\n  "hooks": {\n    "BeforeTool": [\n      {\n        "matcher": "run_shell_command",\n        "hooks": [\n          {\n            "type": "command",\n            "command": "$GEMINI_PROJECT_DIR/x.sh",\n            "timeout": 5000,\n            "name": "x"\n          }\n        ]\n      }\n    ]\n  }\n}\n',
    '.gemini/agents/q.md': '---\nname: q\ndescription: Q\nkind: local\ntools: [read_file]\n---\nQ\n',
    '.gemini/commands/git/commit.toml':
      'description = "Commit"\nprompt = """\nWrite {{args}}\n!{git diff}\n"""\n',
    '.gemini/skills/g/SKILL.md':
      '---\nname: g\ndescription: Does g. Use it before a tag.\n---\n\n# g\n\nRun `scripts/go.sh`.\n',
    'sub/GEMINI.md': '# Sub\n',
  },
  'a context file of its own': {
    'CONTEXT.md': '# Ctx\n',
    'GEMINI.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    '.gemini/settings.json':
      '{\n  "context": {\n    "fileName": [\n      "GEMINI.md",\n      "CONTEXT.md"\n    ]\n  }\n}\n',
    'docs/x.md': 'x\n',
  },
  'OpenCode with instructions': {
    'AGENTS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    'CONTRIBUTING.md': '# C\n',
    'opencode.json':
      '{\n  "$schema": "https://opencode.ai/config.json",\n  // extra\n  "instructions": ["CONTRIBUTING.md", "docs/*.md", ".cursor/rules/*.md"],\n  "mcp": { "ctx": { "type": "remote", "url": "https://x.example/mcp", "headers": { "A": "{env:TOKEN}" }, "enabled": true }, "loc": {"type":"local","command":["bun","x"],"environment":{"A":"b"}} },\n  "agent": { "build": { "model": "a/b" } },\n}\n',
    '.opencode/agent/rev.md':
      '---\ndescription: Rev\nmode: subagent\ntools:\n  write: false\n  bash: false\n---\nRev.\n',
    '.opencode/command/t.md': '---\ndescription: T\nagent: build\n---\nRun $ARGUMENTS !`x`\n',
    'docs/a.md': '# a\n',
  },
  'Aider with conventions': {
    '.aider.conf.yml': '# conf\nread: [CONVENTIONS.md, docs/style.md]\nauto-commits: false\n',
    'CONVENTIONS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    'docs/style.md': 'S\n',
  },
  'Aider with AGENTS.md': {
    '.aider.conf.yml': 'read:\n  - AGENTS.md\nlint-cmd: "x"\n',
    'AGENTS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
  },
  'overrides and servers with comments': {
    '.gitignore': 'CLAUDE.local.md\n',
    '.mcp.json':
      '// comment\n{\n  "mcpServers": {\n    // one\n    "a": { "command": "npx", "args": ["-y", "a"], "env": { "K": "${K:-x}" } }, /* two */\n    "h": { "type": "sse", "url": "https://h.example", "headers": {"Authorization": "Bearer ${T}"} }\n  }\n}\n',
    'AGENTS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    'AGENTS.override.md': '# Local override\n',
    'CLAUDE.local.md': 'mine\n',
    'CLAUDE.md': '@AGENTS.md\n',
    '.codex/config.toml':
      'model = "gpt-5"\n# servers\n[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "a"]\nstartup_timeout_sec = 20\n\n[mcp_servers.b]\nurl = "https://b.example"\nbearer_token_env_var = "B"\n\n[projects."/x"]\ntrust_level = "trusted"\n',
    '.codex/prompts/p.md': '---\ndescription: P\n---\nP\n',
    '.vscode/mcp.json':
      '{\n  // c\n  "inputs": [{"id":"k","type":"promptString","description":"K","password":true}],\n  "servers": { "a": { "type": "stdio", "command": "npx", "args": ["-y","a"], "env": {"K": "${input:k}"} } }\n}\n',
    'pkg/AGENTS.override.md': '# pkg\n',
  },
  'rules of a dozen tools': {
    '.augment-guidelines': 'old\n',
    '.goosehints': 'goose @AGENTS.md\n',
    '.rules': 'zed\n',
    'AGENTS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    'CRUSH.md': '# Cr\n',
    'QWEN.md': { link: 'AGENTS.md' },
    'WARP.md': '# W\n',
    '.amazonq/cli-agents/t.json':
      '{\n  "name": "t",\n  "description": "T",\n  "prompt": "Write",\n  "tools": [\n    "fs_read"\n  ],\n  "allowedTools": [\n    "fs_read"\n  ],\n  "resources": [\n    "file://README.md"\n  ]\n}\n',
    '.amazonq/rules/a.md': '# AQ\n',
    '.augment/rules/a.md': '---\ntype: agent_requested\ndescription: D\n---\nA\n',
    '.continue/mcpServers/t.yaml':
      'name: T\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: T\n    command: npx\n    args:\n      - t\n',
    '.continue/prompts/p.md': '---\nname: p\ndescription: P\ninvokable: true\n---\nP\n',
    '.continue/rules/r.md': '---\nname: R\nglobs: "**/*.ts"\nalwaysApply: false\n---\nR\n',
    '.factory/droids/d.md': '---\nname: d\ndescription: D\nmodel: inherit\ntools: ["Read"]\n---\nD\n',
    '.idx/airules.md': 'x\n',
    '.junie/guidelines.md': '# J\n',
    '.kiro/settings/mcp.json':
      '{\n  "mcpServers": {\n    "k": {\n      "command": "x",\n      "args": [],\n      "disabled": false,\n      "autoApprove": [\n        "a"\n      ]\n    }\n  }\n}\n',
    '.kiro/steering/f.md': '---\ninclusion: fileMatch\nfileMatchPattern: "**/*.ts"\n---\nF\n',
    '.kiro/steering/m.md': '---\ninclusion: manual\n---\nM\n',
    '.kiro/steering/product.md': '---\ninclusion: always\n---\n# P\n',
    '.openhands/microagents/k.md': '---\nname: k\ntype: knowledge\ntriggers:\n- db\n---\nK\n',
    '.openhands/microagents/repo.md': '---\nname: repo\ntype: repo\nagent: CodeActAgent\n---\nOH\n',
    '.trae/rules/project_rules.md': '# T\n',
  },
  'a marketplace of plug-ins': {
    'CLAUDE.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    '.claude/settings.json':
      '{\n  "enabledPlugins": {\n    "p@m": true\n  },\n  "statusLine": {\n    "type": "command",\n    "command": "x"\n  }\n}\n',
    '.claude/settings.local.json': '{\n  "permissions": {\n    "allow": [\n      "Bash"\n    ]\n  }\n}\n',
    '.claude-plugin/marketplace.json':
      '{\n  "name": "m",\n  "owner": {\n    "name": "o"\n  },\n  "plugins": [\n    {\n      "name": "p",\n      "source": "./plugins/p"\n    }\n  ]\n}\n',
    '.claude/output-styles/o.md': '---\nname: O\ndescription: o\n---\nO\n',
    'plugins/p/.claude-plugin/plugin.json': '{\n  "name": "p"\n}\n',
    'plugins/p/agents/a.md': '---\nname: a\ndescription: A\n---\nA\n',
    'plugins/p/commands/c.md': 'C\n',
    'plugins/p/hooks/hooks.json': '{\n  "hooks": {}\n}\n',
    'plugins/p/skills/s/SKILL.md':
      '---\nname: s\ndescription: Does s. Use it before a tag.\n---\n\n# s\n\nRun `scripts/go.sh`.\n',
    'skills/top/SKILL.md':
      '---\nname: top\ndescription: Does top. Use it before a tag.\n---\n\n# top\n\nRun `scripts/go.sh`.\n',
  },
  'names in other letters': {
    'Agents.md': '# Cap\n',
    'CLAUDE.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    'agents.md': '# lower\n',
    'claude.md': 'x\n',
    '.claude/skills/low/skill.md':
      '---\nname: low\ndescription: Does low. Use it before a tag.\n---\n\n# low\n\nRun `scripts/go.sh`.\n',
    'docs/AGENTS.md': '# Docs\n',
    'src/skill.md': 'x\n',
  },
  'files without a text': {
    'AGENTS.md': '',
    'CLAUDE.md': '\n',
    'GEMINI.md': '---\nx: 1\n---\n',
    '.claude/agents/e.md': '---\nname: e\ndescription: E\n---\n',
    '.claude/commands/e.md': '',
    '.cursor/rules/e.mdc': '',
    '.cursor/rules/f.mdc': '---\nalwaysApply: true\n---\n',
    '.github/copilot-instructions.md': '# Only\n',
  },
  'hooks of six tools': {
    'AGENTS.md': '# Lighthouse\n\nKeep it lit.\n\n## Build\n\n```sh\nmake\n```\n',
    '.claude/settings.json':
      '{\n  "hooks": {\n    "SessionStart": [\n      {\n        "matcher": "startup",\n        "hooks": [\n          {\n            "type": "command",\n            "command": "bash \\"$CLAUDE_PROJECT_DIR/.claude/hooks/s.sh\\""\n          }\n        ]\n      }\n    ],\n    "Notification": [\n      {\n        "hooks": [\n          {\n            "type": "command",\n            "command": "notify-send hi"\n          }\n        ]\n      }\n    ],\n    "PreToolUse": [\n      {\n        "matcher": "Task",\n        "hooks": [\n          {\n            "type": "prompt",\n            "prompt": "Is it ok? $ARGUMENTS"\n          }\n        ]\n      }\n    ],\n    "UserPromptSubmit": [\n      {\n        "matcher": "*",\n        "hooks": [\n          {\n            "type": "command",\n            "command": "x"\n          }\n        ]\n      }\n    ]\n  }\n}\n',
    '.codex/hooks.json':
      '{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n        "hooks": [\n          {\n            "type": "command",\n            "command": "python3 \\"$(git rev-parse --show-toplevel)/.codex/hooks/a.py\\"",\n            "timeout": 30,\n            "statusMessage": "Checking"\n          }\n        ]\n      }\n    ]\n  }\n}\n',
    '.cursor/hooks.json':
      '{\n  "version": 1,\n  "hooks": {\n    "afterFileEdit": [\n      {\n        "command": ".cursor/hooks/f.sh"\n      }\n    ],\n    "beforeShellExecution": [\n      {\n        "command": "./x.sh --a \\"b c\\""\n      },\n      {\n        "command": "y",\n        "matcher": "git"\n      }\n    ],\n    "stop": [\n      {\n        "command": "echo $X"\n      }\n    ]\n  }\n}\n',
    '.github/hooks/h.json':
      '{\n  "version": 1,\n  "hooks": {\n    "preToolUse": [\n      {\n        "type": "command",\n        "bash": "./x.sh",\n        "powershell": "./x.ps1",\n        "cwd": ".",\n        "timeoutSec": 10\n      }\n    ]\n  }\n}\n',
    '.windsurf/hooks.json':
      '{\n  "hooks": {\n    "pre_run_command": [\n      {\n        "command": "bash x.sh",\n        "show_output": true\n      }\n    ]\n  }\n}\n',
  },
  'a structured agent': {
    'AGENTS.md': 'hi\n',
    '.amazonq/cli-agents/t.json':
      '{\n  "name": "t",\n  "description": "T",\n  "prompt": "Write",\n  "tools": [\n    "fs_read"\n  ],\n  "allowedTools": [\n    "fs_read"\n  ],\n  "resources": [\n    "file://README.md"\n  ]\n}\n',
  },
  'letters of any script, marks of byte order and Windows line ends': {
    '.claude/commands/prüfen.md':
      '---\r\ndescription: Prüfe den Stand\r\nargument-hint: [datei] [zeile]\r\n---\r\nPrüfe $ARGUMENTS.\r\n',
    '.claude/rules/über/größen.md':
      '---\r\npaths:\r\n  - "src/**/*.ts"\r\n---\r\n\r\n# Größen\r\n\r\nNur SI.\r\n',
    '.cursor/rules/日本語.mdc':
      '\ufeff---\ndescription: 日本語のルール\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\n\n# ルール\n\n\ttab\n',
    '.github/instructions/ts.instructions.md': '---\napplyTo: "**/*.ts,**/*.tsx"\n---\nUse strict.\n',
    'CLAUDE.md': '\ufeff# Hafen\r\n\r\n- Tiefen in Metern\r\n\t- auch im Dock\r\n',
  },
  'a long text, imports and main files of folders with imports': {
    'AGENTS.md': `# Big\n\n${'## Section\n\n- Rule: keep it small.\n\n'.repeat(3000)}`,
    'CLAUDE.md': '# Project\n\nSee @docs/style.md and @AGENTS.md\n\nEmail me@example.com\n',
    'docs/style.md': '# Style\nTabs.\n',
    'packages/api/CLAUDE.md': '# API\n@docs/api.md\n@../../docs/style.md\n',
    'packages/api/docs/api.md': 'JSON only\n',
    'packages/web/AGENTS.md': '# Web\n',
    'packages/web/CLAUDE.md': { link: 'AGENTS.md' },
  },
  'servers of four tools with other variables, and a skill with scripts': {
    '.claude/skills/ship/SKILL.md':
      '---\nname: ship\ndescription: Ships a release. Use when asked to release.\nallowed-tools: Bash(git *), Read\nmetadata:\n  owner: ops\n---\n\n# Ship\n\nRun `scripts/ship.sh`, see [steps](references/steps.md).\n',
    '.claude/skills/ship/references/steps.md': '# Steps\n1. tag\n',
    '.claude/skills/ship/scripts/ship.sh': '#!/bin/sh\necho ship\n',
    '.codex/config.toml':
      '# House\nmodel = "gpt-5"\n\n[mcp_servers.db]\ncommand = "npx"\nargs = ["-y", "db-mcp"]\nenv_vars = ["DB_URL"]\n',
    '.cursor/mcp.json': `{\n  "mcpServers": {\n    "db": { "command": "npx", "args": ["-y", "db-mcp"], "env": { "URL": "\${env:DB_URL}", "MODE": "cursor" } },\n    "only-cursor": { "url": "https://c.example/sse" }\n  }\n}\n`,
    '.mcp.json': `{\n\t"mcpServers": {\n\t\t"db": { "command": "npx", "args": ["-y", "db-mcp"], "env": { "URL": "\${DB_URL:-postgres://localhost}", "MODE": "claude" } },\n\t\t"web": { "type": "http", "url": "https://x.example/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } }\n\t}\n}\n`,
    '.vscode/mcp.json': `{\n  // inputs are asked for\n  "inputs": [{ "type": "promptString", "id": "tok", "description": "Token", "password": true }],\n  "servers": {\n    "db": { "type": "stdio", "command": "npx", "args": ["-y", "db-mcp"], "env": { "URL": "\${input:tok}" }, "envFile": "\${workspaceFolder}/.env" },\n  }\n}\n`,
    'AGENTS.md': '# Tools\n',
    'CLAUDE.md': { link: 'AGENTS.md' },
  },
  'rules of all kinds and former rules': {
    '.cursor/commands/review.md': 'Review the code.\n',
    '.cursor/hooks.json': '{"version":1,"hooks":{"afterFileEdit":[{"command":"./fmt.sh"}]}}\n',
    '.cursor/rules/always.mdc': '---\ndescription: \nglobs: \nalwaysApply: true\n---\nAlways.\n',
    '.cursor/rules/asked.mdc':
      '---\ndescription: Use when writing migrations\nglobs:\nalwaysApply: false\n---\nAsked.\n',
    '.cursor/rules/backend/manual.mdc':
      '---\ndescription:\nglobs:\nalwaysApply: false\n---\nManual @src/db.ts\n',
    '.cursor/rules/plain.mdc': 'No front matter\n',
    '.cursor/rules/scoped.mdc':
      '---\ndescription: TS rules\nglobs: src/**/*.ts, test/**/*.ts\nalwaysApply: false\n---\nScoped.\n',
    '.cursorrules': 'Old rules\n',
    'packages/a/.cursor/rules/inner.mdc': '---\nglobs: packages/a/**\n---\nInner\n',
  },
  'folders of three assistants with ignored files and modes': {
    '.clineignore': 'dist/\n',
    '.clinerules/01-house.md': '# Cline\n',
    '.clinerules/api.md': '---\npaths:\n  - "api/**"\n---\nAPI\n',
    '.clinerules/workflows/wf.md': '# WF\nsteps\n',
    '.codeiumignore': 'tmp/\n',
    '.roo/commands/c.md': '---\ndescription: c\nargument-hint: <x>\n---\nDo\n',
    '.roo/rules-code/01.md': 'Roo code\n',
    '.roo/rules/01.md': 'Roo all\n',
    '.rooignore': '*.env\n',
    '.roomodes':
      'customModes:\n  - slug: docs\n    name: Docs\n    roleDefinition: You write docs\n    groups: [read]\n',
    '.windsurf/rules/deploy.md': '---\ntrigger: model_decision\ndescription: When deploying\n---\nDeploy\n',
    '.windsurf/rules/hand.md': '---\ntrigger: manual\n---\nHand\n',
    '.windsurf/rules/py.md': '---\ntrigger: glob\nglobs: "**/*.py"\n---\nPEP8\n',
    '.windsurf/workflows/release.md': '---\ndescription: Release\n---\n1. Tag\n',
    'AGENTS.md': '# Shared\n',
  },
  'main files, rules and skills that are all links': {
    '.agents/skills/a': { link: '../../.ai/skills/a' },
    '.ai/main.md': '# Main\n\nUse @docs/more.md\n',
    '.ai/rules/r.md': '---\npaths: "src/**"\n---\nR\n',
    '.ai/skills/a/SKILL.md': '---\nname: a\ndescription: A skill\n---\nA\n',
    '.claude/CLAUDE.md': { link: '../.ai/main.md' },
    '.claude/rules': { link: '../.ai/rules' },
    '.claude/settings.json': { link: 'nowhere' },
    '.claude/skills': { link: '../.ai/skills' },
    '.github/copilot-instructions.md': { link: '../.ai/main.md' },
    'AGENTS.md': { link: '.ai/main.md' },
    'GEMINI.md': { link: 'AGENTS.md' },
    'docs/more.md': 'More\n',
    'docs/out.md': { link: '../../outside.md' },
  },
};
