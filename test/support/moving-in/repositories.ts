/** Sample repositories to measure. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Files, layouts } from './layouts.ts';
import { owned } from './owned.ts';
import { varied } from './varied.ts';

export interface Repository {
  readonly name: string;
  make(root: string): void;
}

/** Repositories for several tools: links, nested files, one source folder for several tools, skills with scripts. */
function assembled(): Readonly<Record<string, Files>> {
  const main = '# Harbour\n\nKeep depths in metres.\n\n## Build\n\n```sh\nnpm run build\n```\n\n## Tests\n\n- Run `npm test`.\n';
  const other = '# Lighthouse\n\n1. Read the log.\n2. Trim the lamp.\n\n> Never at night.\n';
  const skill =
    '---\nname: release\ndescription: Releases the program. Use it before a tag.\n---\n\n# Release\n\nRun `scripts/go.sh`.\n';
  const script = '#!/bin/sh\necho go\n';
  const server = { command: 'npx', args: ['-y', 'tide'], env: { LEVEL: 'debug' } };
  const servers = `${JSON.stringify({ mcpServers: { tide: server } }, null, 2)}\n`;
  return {
    'one AGENTS.md': { 'AGENTS.md': main },
    'one CLAUDE.md': { 'CLAUDE.md': main },
    'AGENTS.md and a link': { 'AGENTS.md': main, 'CLAUDE.md': { link: 'AGENTS.md' } },
    'three links': {
      'AGENTS.md': main,
      'CLAUDE.md': { link: 'AGENTS.md' },
      'GEMINI.md': { link: 'AGENTS.md' },
      '.github/copilot-instructions.md': { link: '../AGENTS.md' },
    },
    'CLAUDE.md in its folder': { '.claude/CLAUDE.md': main, 'AGENTS.md': other },
    'an import line': { 'AGENTS.md': main, 'CLAUDE.md': '@AGENTS.md\n' },
    'equal copies': { 'AGENTS.md': main, 'CLAUDE.md': main, '.cursorrules': main },
    'different texts': { 'AGENTS.md': main, 'CLAUDE.md': other, 'GEMINI.md': '# Gemini\n\nBe short.\n' },
    'nested files': {
      'AGENTS.md': main,
      'CLAUDE.md': other,
      'packages/api/AGENTS.md': '# API\n\nAnswer in JSON.\n',
      'packages/api/CLAUDE.md': { link: 'AGENTS.md' },
      'packages/web/CLAUDE.md': '@../../AGENTS.md\n\nUse the components.\n',
      'tests/fixtures/AGENTS.md': 'A fixture.\n',
      'docs/agents.md': '# Agents\n\nA page.\n',
    },
    'linked skills': {
      'AGENTS.md': main,
      'CLAUDE.md': { link: 'AGENTS.md' },
      '.agents/skills/release/SKILL.md': skill,
      '.agents/skills/release/scripts/go.sh': script,
      '.claude/skills': { link: '../.agents/skills' },
    },
    'single linked skills': {
      'AGENTS.md': main,
      'CLAUDE.md': { link: 'AGENTS.md' },
      '.agents/skills/release/SKILL.md': skill,
      '.agents/skills/release/scripts/go.sh': script,
      '.claude/skills/release': { link: '../../.agents/skills/release' },
      '.claude/skills/local/SKILL.md': skill.replace('release', 'local'),
    },
    'skills of one tool': {
      'CLAUDE.md': main,
      'AGENTS.md': other,
      '.claude/skills/release/SKILL.md': skill,
      '.claude/skills/release/scripts/go.sh': script,
      '.claude/skills/release/reference/agents.md': '# Not instructions\n',
    },
    'skills through a link elsewhere': {
      'CLAUDE.md': main,
      'tools/skills/release/SKILL.md': skill,
      '.claude/skills': { link: '../tools/skills' },
    },
    'skills that differ': {
      'CLAUDE.md': main,
      'AGENTS.md': other,
      '.claude/skills/release/SKILL.md': skill,
      '.agents/skills/release/SKILL.md': skill.replace('Run', 'Start'),
    },
    'rules and agents': {
      'CLAUDE.md': main,
      '.claude/rules/api.md': '---\npaths:\n  - "src/api/**"\n---\n\n# API\n\nAnswer in JSON.\n',
      '.claude/rules/general.md': '# General\n\nName things plainly.\n',
      '.claude/agents/reviewer.md':
        '---\nname: reviewer\ndescription: Reads changes.\ntools: Read, Grep\nmodel: opus\ncolor: red\n---\n\nRead the diff.\n',
      '.claude/agents/unfinished.md': '---\nname: unfinished\n---\n\nThere is no description.\n',
      '.claude/commands/ship.md':
        '---\ndescription: Ships\nargument-hint: [version] [channel]\ndisable-model-invocation: true\n---\n\nShip $ARGUMENTS.\n',
      '.claude/commands/git/sync.md': 'Sync the branch.\n',
    },
    'rules of an editor': {
      'AGENTS.md': main,
      '.cursor/rules/always.mdc':
        '---\ndescription: Always\nglobs:\nalwaysApply: true\n---\n\nName things plainly.\n',
      '.cursor/rules/scoped.mdc':
        '---\ndescription:\nglobs: src/**/*.ts,test/**\nalwaysApply: false\n---\n\nUse types.\n',
      '.cursor/rules/manual.mdc': '---\nalwaysApply: false\n---\n\nOnly when asked.\n',
      '.cursor/rules/agent.mdc': '---\ndescription: About releases\nalwaysApply: false\n---\n\nTag it.\n',
      '.cursor/rules/area/deep.mdc': '---\nglobs: deep/**\nalwaysApply: false\n---\n\nDeep.\n',
    },
    'two formats of one server': {
      'CLAUDE.md': main,
      'AGENTS.md': other,
      '.mcp.json': servers,
      '.cursor/mcp.json': servers,
      '.codex/config.toml':
        'model = "x"\n\n[mcp_servers.tide]\ncommand = "npx"\nargs = ["-y", "tide"]\n\n[mcp_servers.tide.env]\nLEVEL = "debug"\n',
    },
    'servers that differ': {
      'CLAUDE.md': main,
      '.mcp.json': servers,
      '.cursor/mcp.json': servers.replace('debug', 'info'),
      'plugins/x/.mcp.json': servers.replace('tide', 'other'),
    },
    'hooks and settings': {
      'CLAUDE.md': main,
      '.claude/settings.json': `${JSON.stringify({ permissions: { allow: ['Bash(npm test)'] }, hooks: { Stop: [{ hooks: [{ type: 'command', command: 'npm test' }] }] } }, null, 2)}\n`,
    },
    'awkward texts': {
      'AGENTS.md': '\ufeff---\ntitle: With front matter\n---\r\n\r\nNo heading.\r\n\r\n\r\n* a star  \r\n',
      'CLAUDE.md': '\n\n# Later\n\n{{template}} ${HOME} `__dirname` \\_ <!-- a --> <!-- b -->\n\n\n',
      'GEMINI.md': 'No end of line',
      'packages/a/AGENTS.md': '   \n',
      'packages/b/AGENTS.md': '---\nname: b\ndescription: like a skill\n---\nText.\n',
    },
  };
}

/** Sample repositories: for several tools, in the layouts of tools, in unusual shapes, and owned by other compilers. */
export const writtenRepositories = (): Repository[] =>
  madeOf({ ...assembled(), ...layouts, ...varied, ...owned });

const madeOf = (all: Readonly<Record<string, Files>>): Repository[] =>
  Object.entries(all).map(([name, files]) => ({
    name: `made: ${name}`,
    make: root => makeFiles(root, files),
  }));

function makeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    if (typeof content === 'string') writeFileSync(full, content);
    else symlinkSync(content.link, full);
    if (path.endsWith('.sh')) chmodSync(full, 0o755);
  }
}
