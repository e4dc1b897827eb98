/**
 * Compiles an example of several files for every target into a temporary directory and shows what came out.
 * `npm run demo [project]`: a folder of test/projects.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parseDocument } from 'yaml';
import { wrapLines } from '../src/text/wrap.ts';
import { filesBelow } from './files.ts';
import { root } from './generate.ts';

const name = process.argv[2] ?? 'kitchen-sink';
const folder = mkdtempSync(join(tmpdir(), 'prs-demo-'));
cpSync(join(root, 'test/projects', name), folder, { recursive: true });

const targets = readdirSync(join(root, 'targets'))
  .filter(file => file.endsWith('.yaml'))
  .map(file => basename(file, '.yaml'));
const config = parseDocument(readFileSync(join(folder, 'instr.yaml'), 'utf8'));
config.set('targets', targets);
writeFileSync(join(folder, 'instr.yaml'), String(config));

console.log(`The sources (test/projects/${name})\n`);
print(filesBelow(folder));

const prs = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/prs.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, CI: '' },
  });

// What each tool lacks is no news for somebody who enables all of them: the report stands in the folder.
const run = prs('compile', '--color', '--verbose');
const told = `${run.stderr}${run.stdout}`;
if (run.status !== 0) console.log(told);
else closing();
process.exitCode = run.status ?? 1;

interface Report {
  readonly files: readonly {
    readonly path: string;
    readonly targets: readonly string[];
    readonly bytes: number;
  }[];
  readonly omissions: readonly {
    readonly target: string;
    readonly source: string;
    readonly advice: string;
  }[];
}

/** What is left on the screen at the end: the tools, the files of one of them, and what has no place there. */
function closing(): void {
  const report = join(folder, 'report.txt');
  writeFileSync(report, stripVTControlCharacters(told));
  const { files, omissions } = JSON.parse(prs('compile', '--dry-run', '--json').stdout) as Report;
  // The order in which `prs targets` lists them: the best known first.
  const listed = JSON.parse(prs('targets', '--json').stdout).targets as { id: string; title: string }[];
  const leftOut = (id: string) =>
    omissions
      .filter(({ target }) => target === id)
      .filter(({ advice }, at, all) => all.findIndex(other => other.advice === advice) === at);
  const of = (id: string) => files.filter(one => one.targets.includes(id));
  const known = listed.slice(0, 10);
  const { id, title } = known.reduce((a, b) => (places(of(b.id)).length > places(of(a.id)).length ? b : a));
  const titles = `${known.map(one => one.title).join(', ')} and ${listed.length - known.length} more`;
  const lines = [
    ...wrapLines(`${listed.length} tools, ${files.length} files: ${titles}.`, 78, '').split('\n'),
    '',
    `For ${title}:`,
    '',
    ...places(of(id)),
    '',
    `What ${title} has no place for, and what can be done:`,
    '',
    ...leftOut(id)
      .slice(0, 3)
      .flatMap(({ source, advice }) => wrapLines(`  ${source}: ${advice}`, 78, '    ').split('\n')),
    '',
    `Look around in ${folder}; what the compiler told is in report.txt.`,
  ];
  console.log(`\n${lines.join('\n')}`);
}

/** A line for each file, and one for each folder that holds several. */
function places(files: Report['files']): string[] {
  const groups = new Map<string, number[]>();
  for (const { path, bytes } of files) {
    const group = path.split('/').length > 2 ? `${path.split('/').slice(0, 2).join('/')}/` : path;
    groups.set(group, [...(groups.get(group) ?? []), bytes]);
  }
  const width = Math.max(...[...groups.keys()].map(({ length }) => length));
  return [...groups].map(([group, sizes]) => {
    const total = sizes.reduce((sum, size) => sum + size, 0);
    return `  ${group.padEnd(width)}  ${group.endsWith('/') ? `${sizes.length} ${sizes.length === 1 ? 'file' : 'files'}, ` : ''}${total} B`;
  });
}

/** A tree with the size of each file. */
function print(paths: readonly string[]): void {
  let last: readonly string[] = [];
  for (const path of paths) {
    const parts = path.split('/');
    const common = parts.findIndex((part, at) => part !== last[at]);
    for (let at = common; at < parts.length - 1; at++) console.log(`  ${'  '.repeat(at)}${parts[at]}/`);
    const indent = '  '.repeat(parts.length - 1);
    console.log(`  ${indent}${parts.at(-1)}  ${statSync(join(folder, path)).size} B`);
    last = parts;
  }
}
