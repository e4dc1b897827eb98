/**
 * The examples of the catalogue as projects. What a section (`## Wrong`, `## Right`) shows is a project: a fence `prs`
 * is its entry file, `yaml` its configuration, a fence with `file=…` any other file, and `sh` the commands that are run
 * in it, line by line, in a real directory. Without `sh` the project is compiled in memory. `text` is not run.
 * What an example leaves out is the smallest thing that works; `my-tool` and `other-tool` are tools of the project.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { compile } from '../../src/index.ts';
import { environment, project, runProgram } from '../cli/prs.ts';
import type { Request } from '../support/resident.ts';

export const catalogue = fileURLToPath(new URL('../../src/text/diagnostics/catalogue', import.meta.url));
const support = fileURLToPath(new URL('support', import.meta.url));

export interface Fence {
  readonly language: string;
  readonly file?: string;
  readonly text: string;
}

export interface Page {
  readonly code: string;
  readonly why: string;
  readonly wrong: readonly Fence[];
  readonly right: readonly Fence[];
}

/** What running an example found: codes, of all commands and of the last one. */
export interface Findings {
  readonly all: readonly string[];
  readonly last: readonly string[];
  /** Codes of errors and warnings, with their messages. */
  readonly serious: readonly { readonly code: string; readonly message: string }[];
}

export function readPages(): Page[] {
  return readdirSync(catalogue)
    .filter(name => name.endsWith('.md'))
    .sort()
    .map(name => {
      const text = readFileSync(join(catalogue, name), 'utf8');
      const page = text.slice(text.indexOf('\n---\n', 4) + 5);
      const [why = '', wrong = '', right = ''] = page.split(/^## (?:Wrong|Right)\n/m);
      return { code: name.slice(0, -3), why: why.trim(), wrong: readFences(wrong), right: readFences(right) };
    });
}

/** The fenced blocks of a Markdown text. */
export function readFences(markdown: string): Fence[] {
  return [...markdown.matchAll(/^(`{3,})(\w+)(?: file=(\S+))?\n([\s\S]*?)^\1$/gm)].map(
    ([, , language, file, text]) => ({ language: language!, text: text!, ...(file !== undefined && { file }) }),
  );
}

export const isText = (fences: readonly Fence[]): boolean =>
  fences.every(({ language, file }) => language === 'text' && file === undefined);

const places: Readonly<Record<string, string>> = { prs: '.instr/project.prs', yaml: 'instr.yaml' };

/** The files of an example. `nothing` of a missing entry is as much an example: then it names the files it has. */
export function filesOf(fences: readonly Fence[]): Record<string, string> {
  const files: Record<string, string> = {
    'instr.yaml': 'id: shop\nsyntax: "1.5.0"\ntargets: [my-tool]\nincludeInstrSkill: false\n',
    '.instr/project.prs': '@meta { id: "shop" syntax: "1.5.0" }\n@identity { "You work on a shop." }\n',
    '.gitignore': '*.local.md\n',
  };
  for (const name of readdirSync(support)) files[`.instr/targets/${name}`] = readFileSync(join(support, name), 'utf8');
  for (const { language, file, text } of fences) {
    const path = file ?? places[language];
    if (path !== undefined) files[path] = text;
  }
  return files;
}

export async function runExample(fences: readonly Fence[]): Promise<Findings> {
  const files = filesOf(fences);
  const script = fences.filter(({ language, file }) => language === 'sh' && file === undefined);
  if (script.length > 0) return runScript(script.map(({ text }) => text).join('\n'), files);
  const { diagnostics } = await compile({ files, environment: { HOME: '/home/somebody' } });
  const codes = diagnostics.map(({ code }) => code);
  return { all: codes, last: codes, serious: diagnostics.filter(({ severity }) => severity !== 'info') };
}

/** Hands a command line with its directory and environment to whoever reads descriptor 3; 4 brings the exit code. */
const bash = `prs() {
  { printf '%s\\0' "$#" "$PWD" "$@"; env -0; printf '\\n'; } >&3
  local status; read -r status <&4; return "$status"
}
`;

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
}

/** Runs lines in a fresh directory; `prs` stays in one process for all of them, which is all that they do not see. */
async function runScript(script: string, files: Record<string, string>): Promise<Findings> {
  const folder = project(files);
  const home = project({});
  const env = environment({
    HOME: home,
    INSTR_CACHE_DIR: join(home, 'cache'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Author',
    GIT_AUTHOR_EMAIL: 'author@example.com',
    GIT_COMMITTER_NAME: 'Author',
    GIT_COMMITTER_EMAIL: 'author@example.com',
    GIT_CEILING_DIRECTORIES: join(folder, '..'),
    LC_ALL: 'C',
  });
  const child = spawn('bash', ['-c', bash + script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const reports: Report[] = [];
  const wrong: string[] = [];
  let stderr = '';
  child.stdout!.resume();
  child.stderr!.on('data', data => {
    stderr += data;
  });
  const [, , , requests, statuses] = child.stdio as [null, Readable, Readable, Readable, Writable];
  let asked = '';
  requests.on('data', data => {
    asked += data;
    const request = readRequest(asked);
    if (!request) return;
    asked = '';
    const { status, ...said } = runProgram(request);
    // A fleet has a line for each repository before its report.
    const start = Math.max(said.stdout.indexOf('{'), said.stdout.lastIndexOf('{"version":1'));
    if (start === -1) wrong.push(`no report in ${JSON.stringify(said.stdout)}\n${said.stderr}`);
    else reports.push(JSON.parse(said.stdout.slice(start)));
    statuses.write(`${status}\n`);
  });
  await new Promise(resolve => child.on('close', resolve));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  if (reports.length === 0) throw new Error(`no command of prs was run\n${stderr}`);
  const codes = reports.map(({ diagnostics }) => diagnostics.map(({ code }) => code));
  return {
    all: codes.flat(),
    last: codes.at(-1)!,
    serious: reports.at(-1)!.diagnostics.filter(({ severity }) => severity !== 'info'),
  };
}

/** The number of arguments, the directory, the arguments, the variables, each closed by a zero byte, and the end of the line. */
function readRequest(text: string): Request | undefined {
  if (!text.endsWith('\0\n')) return undefined;
  const [count, cwd, ...rest] = text.slice(0, -2).split('\0');
  const variables = rest.slice(Number(count)).map(line => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  return { cwd: cwd!, args: [...rest.slice(0, Number(count)), '--json'], environment: Object.fromEntries(variables) };
}

/** Runs jobs two at a time, as many as a small machine takes; results in the order of the jobs. */
export async function inPairs<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all([worker(), worker()]);
  return results;
}
