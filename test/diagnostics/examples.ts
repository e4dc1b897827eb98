/**
 * The examples of the catalogue as projects. Each section (`## Wrong`, `## Right`) describes a project. A `prs` fence is its
 * entry file, a `yaml` fence its configuration, and a fence with `file=…` any other file. An `sh` fence holds commands, which
 * are run line by line in a real directory. Without an `sh` fence the project is compiled in memory. A `text` fence is not run.
 * Omitted files get minimal defaults. `my-tool` and `other-tool` are tools of the project.
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

/** The codes that an example reports: of all commands, and of the last one. */
export interface Findings {
  readonly all: readonly string[];
  readonly last: readonly string[];
  /** Errors and warnings: their codes and messages. */
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

/** Returns the fenced blocks of a Markdown text. */
export function readFences(markdown: string): Fence[] {
  return [...markdown.matchAll(/^(`{3,})(\w+)(?: file=(\S+))?\n([\s\S]*?)^\1$/gm)].map(
    ([, , language, file, text]) => ({ language: language!, text: text!, ...(file !== undefined && { file }) }),
  );
}

export const isText = (fences: readonly Fence[]): boolean =>
  fences.every(({ language, file }) => language === 'text' && file === undefined);

const places: Readonly<Record<string, string>> = { prs: '.instr/project.prs', yaml: 'instr.yaml' };

/** Returns the files of an example: the defaults, replaced and extended by its fences. */
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

/** Sends a command line with its directory and environment to the reader of descriptor 3, and reads the exit code from 4. */
const bash = `prs() {
  { printf '%s\\0' "$#" "$PWD" "$@"; env -0; printf '\\n'; } >&3
  local status; read -r status <&4; return "$status"
}
`;

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
}

/** Runs lines in a new directory. All `prs` commands run in one process, which the script cannot observe. */
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
  let buffer = '';
  requests.on('data', data => {
    buffer += data;
    const request = readRequest(buffer);
    if (!request) return;
    buffer = '';
    const { status, ...output } = runProgram(request);
    // A fleet command prints a line for each repository before its report.
    const start = Math.max(output.stdout.indexOf('{'), output.stdout.lastIndexOf('{"version":1'));
    if (start === -1) wrong.push(`no report in ${JSON.stringify(output.stdout)}\n${output.stderr}`);
    else reports.push(JSON.parse(output.stdout.slice(start)));
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

/**
 * Parses a request: the number of arguments, the directory, the arguments and the variables, each terminated by a NUL byte, then
 * a newline.
 */
function readRequest(text: string): Request | undefined {
  if (!text.endsWith('\0\n')) return undefined;
  const [count, cwd, ...rest] = text.slice(0, -2).split('\0');
  const variables = rest.slice(Number(count)).map(line => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  return { cwd: cwd!, args: [...rest.slice(0, Number(count)), '--json'], environment: Object.fromEntries(variables) };
}

/** Runs two jobs at a time, which suits a small machine. The results keep the order of the jobs. */
export async function inPairs<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all([worker(), worker()]);
  return results;
}
