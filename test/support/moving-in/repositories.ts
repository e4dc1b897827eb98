/**
 * Repositories to measure: those of a folder, each single file of its corpus, and repositories assembled from the
 * corpus.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Files, layouts } from './layouts.ts';
import { owned } from './owned.ts';
import { varied } from './varied.ts';

export interface Repository {
  readonly name: string;
  /** Whether the repository is a single file. */
  readonly single?: boolean;
  make(root: string): void;
}

/** A folder with `repositories/` and `corpus/`, or one whose folders are repositories. */
export function listRepositories(folder: string): Repository[] {
  if (!['repositories', 'corpus'].some(name => existsSync(join(folder, name))))
    return foldersOf(folder).map(name => ({
      name,
      make: root =>
        cpSync(join(folder, name), root, {
          ...verbatim,
          filter: from => !/[\\/]\.git(?:[\\/]|$)/.test(from),
        }),
    }));
  const copies = ['repositories', 'corpus/projects', 'corpus'].flatMap(parent =>
    foldersOf(join(folder, parent))
      .filter(name => parent !== 'corpus' || (name !== 'projects' && name !== 'prs'))
      .map((name): Repository => {
        const from = join(folder, parent, name);
        const make = (root: string) => {
          cpSync(from, root, verbatim);
          restoreLinks(root);
        };
        return { name: `${parent}/${name}`, make };
      }),
  );
  const files = ['corpus/copilot', 'corpus/cursor-rules'].flatMap(parent =>
    singles(join(folder, parent)).map((path): Repository => {
      const from = join(folder, parent, path);
      const make = (root: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        cpSync(from, join(root, path), verbatim);
      };
      return { name: `${parent}/${path}`, single: true, make };
    }),
  );
  return [...copies, ...assembled(folder), ...files];
}

const verbatim = { recursive: true, verbatimSymlinks: true } as const;

/** Restores symbolic links from files that contain the path of the link target. */
function restoreLinks(root: string, folder = root): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) restoreLinks(root, path);
    else if (entry.isFile() && lstatSync(path).size < 200) {
      const text = readFileSync(path, 'utf8');
      const target = join(folder, text);
      if (!/^[\w./-]+$/.test(text) || !target.startsWith(root) || !existsSync(target) || target === path)
        continue;
      rmSync(path, { force: true });
      symlinkSync(text, path);
    }
  }
}

const foldersOf = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

/** Files. A folder with a `SKILL.md` counts as one. */
function singles(folder: string, path = ''): string[] {
  const entries = existsSync(join(folder, path)) ? readdirSync(join(folder, path)).sort() : [];
  if (entries.includes('SKILL.md')) return [path];
  return entries.flatMap(name => {
    const below = path === '' ? name : `${path}/${name}`;
    return lstatSync(join(folder, below)).isDirectory() ? singles(folder, below) : [below];
  });
}

/** Repositories for several tools: links, nested files, one source folder for several tools, skills with scripts. */
function assembled(folder: string): Repository[] {
  const corpus = (path: string) => ({ from: join(folder, 'corpus', path) });
  const main = corpus('projects/biome/AGENTS.md');
  const other = corpus('projects/knip/AGENTS.md');
  const skill =
    '---\nname: release\ndescription: Releases the program. Use it before a tag.\n---\n\n# Release\n\nRun `scripts/go.sh`.\n';
  const script = '#!/bin/sh\necho go\n';
  const server = { command: 'npx', args: ['-y', 'tide'], env: { LEVEL: 'debug' } };
  const servers = `${JSON.stringify({ mcpServers: { tide: server } }, null, 2)}\n`;
  const assembledFiles: Record<string, Files> = {
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
  return madeOf({ ...assembledFiles, ...layouts, ...varied, ...owned });
}

/** Sample repositories in unusual shapes that need no folder on disk. */
export const writtenRepositories = (): Repository[] => madeOf({ ...varied, ...owned });

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
    else if ('link' in content) symlinkSync(content.link, full);
    else if (existsSync(content.from)) cpSync(content.from, full);
    if (path.endsWith('.sh')) chmodSync(full, 0o755);
  }
}
