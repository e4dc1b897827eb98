/**
 * Writes test/golden/<target>/<version>/: the tree that the kitchen-sink project gives, and `omissions.txt`, what had
 * no place there. `npm run golden [id…]`; `--check` writes nothing and names what differs.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Diagnostic } from '../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../src/text/diagnostics/render-text.ts';
import { generate, root } from './generate.ts';
import { formatOmissions } from './golden/omissions.ts';

export interface GoldenFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Path below test/golden to what belongs there. */
export type Goldens = ReadonlyMap<string, GoldenFile>;

export const goldenFolder = join(root, 'test/golden');

/** What the goldens of all targets, or of some, have to be; and what compiling them had to say. */
export async function makeGoldens(
  only: readonly string[] = [],
): Promise<{ goldens: Goldens; diagnostics: readonly Diagnostic[] }> {
  const { allVersions, compileModel, openKitchenSink } = await import('../test/support/compile.ts');
  const opened = await openKitchenSink();
  const goldens = new Map<string, GoldenFile>();
  const diagnostics: Diagnostic[] = [...opened.diagnostics];
  for (const { loaded, id, version } of allVersions(only)) {
    const compiled = await compileModel(opened.model, [{ loaded, config: { version } }]);
    diagnostics.push(...compiled.diagnostics);
    const start = `${id}/${version}`;
    for (const { path, bytes, executable } of compiled.files)
      goldens.set(`${start}/${path}`, { bytes, executable });
    const text = formatOmissions(compiled.omissions);
    goldens.set(`${start}/omissions.txt`, { bytes: new TextEncoder().encode(text), executable: false });
  }
  return { goldens, diagnostics };
}

/** Every file below a folder, relative to it. */
function filesBelow(folder: string, path = ''): string[] {
  if (!existsSync(join(folder, path))) return [];
  return readdirSync(join(folder, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, inner) : [inner];
    });
}

/** The goldens that are there, of all targets or of some; `golden.test.ts` is none of them. */
function presentFiles(only: readonly string[]): string[] {
  return filesBelow(goldenFolder).filter(
    path => path.includes('/') && (only.length === 0 || only.includes(path.slice(0, path.indexOf('/')))),
  );
}

/** Whether a file has the bit as it should; Windows has none. */
const hasMode = (path: string, executable: boolean): boolean =>
  process.platform === 'win32' || ((statSync(path).mode & 0o100) !== 0) === executable;

/** One line for each golden that is missing, different or too many. */
export function compareGoldens(goldens: Goldens, only: readonly string[] = []): string[] {
  const wrong: string[] = [];
  const present = new Set(presentFiles(only));
  for (const [path, { bytes, executable }] of goldens) {
    const file = join(goldenFolder, path);
    if (!present.delete(path)) wrong.push(`${path} is missing`);
    else if (!readFileSync(file).equals(bytes))
      wrong.push(`${path} differs${firstDifference(readFileSync(file), bytes)}`);
    else if (!hasMode(file, executable))
      wrong.push(`${path} should ${executable ? '' : 'not '}be executable`);
  }
  return [...wrong, ...[...present].map(path => `${path} is no longer written`)];
}

function firstDifference(before: Uint8Array, after: Uint8Array): string {
  const [old, now] = [before, after].map(bytes => new TextDecoder().decode(bytes).split('\n')) as [
    string[],
    string[],
  ];
  const at = old.findIndex((line, index) => line !== now[index]);
  const index = at === -1 ? old.length : at;
  return ` in line ${index + 1}:\n    - ${old[index] ?? '(end)'}\n    + ${now[index] ?? '(end)'}`;
}

/** Brings the folder up to date; gives the number of files that changed. */
function writeGoldens(goldens: Goldens, only: readonly string[]): number {
  let changed = 0;
  for (const path of presentFiles(only)) {
    if (goldens.has(path)) continue;
    rmSync(join(goldenFolder, path));
    changed++;
  }
  for (const [path, { bytes, executable }] of goldens) {
    const file = join(goldenFolder, path);
    if (existsSync(file) && readFileSync(file).equals(bytes) && hasMode(file, executable)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    chmodSync(file, executable ? 0o755 : 0o644);
    changed++;
  }
  removeEmptyFolders(goldenFolder);
  return changed;
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    removeEmptyFolders(path);
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' } },
  });
  await generate();
  const { builtinIds } = await import('../src/spec/load.ts');
  const unknown = positionals.find(id => !builtinIds().includes(id));
  if (unknown !== undefined) {
    console.error(`There is no spec targets/${unknown}.yaml.`);
    process.exitCode = 2;
    return;
  }
  const { goldens, diagnostics } = await makeGoldens(positionals);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  process.stderr.write(renderText(errors));
  if (errors.length > 0) process.exitCode = 1;
  if (values.check) {
    const wrong = compareGoldens(goldens, positionals);
    for (const line of wrong) console.error(line);
    if (wrong.length > 0) process.exitCode = 1;
    console.log(
      wrong.length > 0
        ? `${wrong.length} goldens differ: run \`npm run golden\` and read the changes`
        : `${goldens.size} goldens are as they should be`,
    );
    return;
  }
  console.log(`${goldens.size} goldens, ${writeGoldens(goldens, positionals)} changed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
