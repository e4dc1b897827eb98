/**
 * Compiles an example project for every target in a temporary directory and shows the result.
 * `npm run demo [project]`: the name of a folder in test/projects.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parseDocument } from 'yaml';
import { wrapLines } from '../src/text/wrap.ts';
import { filesBelow, namesIn } from './files.ts';
import { root } from './generate.ts';

const name = process.argv[2] ?? 'kitchen-sink';
const folder = mkdtempSync(join(tmpdir(), 'prs-demo-'));
cpSync(join(root, 'test/projects', name), folder, { recursive: true });

const config = parseDocument(readFileSync(join(folder, 'instr.yaml'), 'utf8'));
config.set('targets', namesIn(join(root, 'targets'), '.yaml'));
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

// With all targets enabled, the list of omissions is long, so the output of the compiler is written to a file.
const run = prs('compile', '--color', '--verbose');
const messages = `${run.stderr}${run.stdout}`;
if (run.status !== 0) console.log(messages);
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

/** Prints a summary: the tools, the files of one tool, and its omissions. */
function closing(): void {
  const report = join(folder, 'report.txt');
  writeFileSync(report, stripVTControlCharacters(messages));
  const { files, omissions } = JSON.parse(prs('compile', '--dry-run', '--json').stdout) as Report;
  // In the order of `prs targets`: the best known tools first.
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
    `Content that ${title} has no place for, with advice:`,
    '',
    ...leftOut(id)
      .slice(0, 3)
      .flatMap(({ source, advice }) => wrapLines(`  ${source}: ${advice}`, 78, '    ').split('\n')),
    '',
    `The project is in ${folder}. report.txt contains the output of the compiler.`,
  ];
  console.log(`\n${lines.join('\n')}`);
}

/** One line per file. Files in a folder below the second level are combined. */
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

/** Prints a tree with the size of each file. */
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
