/**
 * Rows for other instruction compilers, installed from npm into a separate folder, with the content of the sample in their
 * formats. The files that they write are counted, to compare equal work.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './rows.ts';
import type { Files } from './samples.ts';

/** The rows. If the packages cannot be installed, the reason is printed and there are no rows. */
export function peerRows(folder: string, node: string): Row[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const packages = ['rulesync@latest', '@intellectronica/ruler@latest'];
  const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (installed.status !== 0) {
    console.error(`Other compilers are skipped: ${installed.stderr.trim().split('\n').at(-1)}`);
    return [];
  }
  const rulesync = scriptOf(folder, 'rulesync', 'rulesync');
  const ruler = scriptOf(folder, '@intellectronica/ruler', 'ruler');
  const generate = [rulesync, 'generate'];
  const rows: readonly Row[] = [
    { name: 'rulesync-version', args: [rulesync, '--version'], compared: 'version' },
    { name: 'rulesync-3', args: generate, files: forRulesync(threeTools), fresh: true, compared: 'fresh' },
    { name: 'rulesync-3-unchanged', args: generate, files: forRulesync(threeTools), compared: 'unchanged' },
    {
      name: 'rulesync-all',
      args: generate,
      files: forRulesync(['*']),
      fresh: true,
      compared: 'fresh-all',
      runs: 5,
    },
    { name: 'ruler-version', args: [ruler, '--version'] },
    { name: 'ruler-all', args: [ruler, 'apply'], files: forRuler(), fresh: true },
  ];
  return rows.filter(({ args: [script] }) => runsHere(node, script!, folder));
}

/** Whether a program runs with this Node; some require a newer one. */
function runsHere(node: string, script: string, folder: string): boolean {
  const { status, stderr } = spawnSync(node, [script, '--version'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0)
    console.error(
      `Skipped, because it does not run with this Node: ${script}\n${stderr.trim().split('\n').at(0)}`,
    );
  return status === 0;
}

const threeTools = ['claudecode', 'cursor', 'copilot'];

/** The script that the command of an installed package runs. */
function scriptOf(home: string, name: string, command: string): string {
  const folder = join(home, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  return join(folder, typeof bin === 'string' ? bin : bin[command]!);
}

const prose = (length: number) => 'Prefer small functions. '.repeat(Math.ceil(length / 24)).slice(0, length);
const standards = Array.from({ length: 24 }, (_, index) => `- Rule ${index}: ${prose(80)}`).join('\n');
const servers = {
  files: { command: 'npx', args: ['-y', 'files-server'] },
  search: { type: 'http', url: 'https://search.example.com/mcp' },
};

function forRulesync(targets: readonly string[]): Files {
  const files: Record<string, string> = {
    'rulesync.jsonc': JSON.stringify({
      targets,
      features: ['*'],
    }),
    '.rulesync/rules/overview.md': `---\nroot: true\ntargets: ["*"]\ndescription: Overview\nglobs: ["**/*"]\n---\n\n${prose(400)}\n\n${standards}\n`,
    '.rulesync/mcp.json': JSON.stringify({ mcpServers: servers }),
  };
  for (let at = 0; at < 20; at++)
    files[`.rulesync/rules/guard-${at}.md`] =
      `---\ntargets: ["*"]\ndescription: Area ${at}\nglobs: ["src/area${at}/**/*.ts"]\n---\n\n${prose(300)}\n`;
  for (let at = 0; at < 10; at++)
    files[`.rulesync/skills/skill-${at}/SKILL.md`] =
      `---\nname: skill-${at}\ndescription: Does task ${at}\n---\n\n${prose(600)}\n`;
  for (let at = 0; at < 5; at++)
    files[`.rulesync/commands/command-${at}.md`] =
      `---\ntargets: ["*"]\ndescription: Do step ${at}\n---\n\n${prose(60)}\n`;
  for (let at = 0; at < 3; at++)
    files[`.rulesync/subagents/agent-${at}.md`] =
      `---\nname: agent-${at}\ntargets: ["*"]\ndescription: Knows part ${at}\n---\n\n${prose(400)}\n`;
  return files;
}

/** Ruler has no rules with globs, commands or agents, so their text is in the main document. */
function forRuler(): Files {
  const files: Record<string, string> = {
    '.ruler/AGENTS.md': `${prose(400)}\n\n${standards}\n\n${prose(20 * 300 + 5 * 60 + 3 * 400)}\n`,
    '.ruler/mcp.json': JSON.stringify({ mcpServers: servers }),
  };
  for (let at = 0; at < 10; at++)
    files[`.ruler/skills/skill-${at}/SKILL.md`] =
      `---\nname: skill-${at}\ndescription: Does task ${at}\n---\n\n${prose(600)}\n`;
  return files;
}
