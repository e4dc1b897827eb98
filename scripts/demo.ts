/**
 * Compiles an example of several files for every target into a temporary directory and shows what came out.
 * `npm run demo [project]`: a folder of test/projects.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseDocument } from 'yaml';
import { wrapLines } from '../src/text/wrap.ts';
import { root } from './generate.ts';

const name = process.argv[2] ?? 'kitchen-sink';
const folder = mkdtempSync(join(tmpdir(), 'prs-demo-'));
cpSync(join(root, 'test/projects', name), folder, { recursive: true });
const before = new Set(list(folder));

const targets = readdirSync(join(root, 'targets'))
  .filter(file => file.endsWith('.yaml'))
  .map(file => basename(file, '.yaml'));
const config = parseDocument(readFileSync(join(folder, 'instr.yaml'), 'utf8'));
config.set('targets', targets);
writeFileSync(join(folder, 'instr.yaml'), String(config));

console.log(`The sources (test/projects/${name})\n`);
print([...before]);

const run = spawnSync(process.execPath, [join(root, 'dist/prs.cjs'), 'compile', '--color'], {
  cwd: folder,
  encoding: 'utf8',
  env: { ...process.env, CI: '' },
});
const written = list(folder).filter(path => !before.has(path) && !path.startsWith('.instr/.state/'));
console.log(`\nWhat prs compile made of them for ${targets.length} tools\n`);
print(written);
console.log(`\n${run.stderr}${run.stdout}`);
closing();
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
  const again = spawnSync(process.execPath, [join(root, 'dist/prs.cjs'), 'compile', '--dry-run', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const { files, omissions } = JSON.parse(again.stdout) as Report;
  const of = (id: string) => files.filter(one => one.targets.includes(id));
  const shown = targets.filter(id => of(id).length < 14 && omissions.some(({ target }) => target === id));
  const one = shown.sort((x, y) => of(y).length - of(x).length)[0] ?? targets[0]!;
  const lines = [
    `${targets.length} tools, ${files.length} files. For one of them, ${one}:`,
    '',
    ...of(one)
      .slice(0, 8)
      .map(({ path, bytes }) => `  ${path}  ${bytes} B`),
    ...(of(one).length > 8 ? [`  … and ${of(one).length - 8} more`] : []),
    '',
    `What ${one} has no place for, and what can be done:`,
    '',
    ...omissions
      .filter(({ target }) => target === one)
      .filter(({ advice }, at, all) => all.findIndex(other => other.advice === advice) === at)
      .slice(0, 3)
      .flatMap(({ source, advice }) => wrapLines(`  ${source}: ${advice}`, 78, '    ').split('\n')),
    '',
    `Look around in ${folder}`,
  ];
  console.log(lines.slice(-23).join('\n'));
}

/** Files below a folder as `/`-separated paths, sorted. */
function list(start: string, prefix = ''): string[] {
  return readdirSync(join(start, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = prefix ? `${prefix}/${entry.name}` : entry.name;
      return entry.isDirectory() ? list(start, path) : [path];
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
