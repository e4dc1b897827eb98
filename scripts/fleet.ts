/**
 * Measures a fleet: `npm run fleet [repositories] [-- --keep <folder>] [--parts sizes,changes,kill,compare]`. It makes a
 * registry and repositories (1000 as a rule) with real Git, plans changes of the registry, carries one out with the
 * recipe, and compares every predicted difference with the real one. It ends with 1 when something is not as predicted;
 * times are told and judge nothing, because they are those of the machine and of what else it does. With `--keep` the
 * repositories are made once; a part leaves them as it found them, so that times can be taken when the machine is quiet
 * and what takes long can run when it is not.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  changesOf,
  git,
  makeRegistry,
  makeRepositories,
  nameOf,
  registryFiles,
  releaseRegistry,
  shapeOf,
} from './fleet/make.ts';

const partNames = ['sizes', 'changes', 'kill', 'compare'] as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, parts: { type: 'string', default: partNames.join(',') } },
});
const count = Number(positionals[0] ?? 1000);
const parts = values.parts.split(',');
const unknown = parts.filter(part => !(partNames as readonly string[]).includes(part));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}; there are ${partNames.join(', ')}.`);
const folder = values.keep ? resolve(values.keep) : mkdtempSync(join(tmpdir(), 'fleet-'));
const program = fileURLToPath(new URL('../dist/prs.cjs', import.meta.url));
const [registry, repos, cache, bin] = ['registry', 'repos', 'cache', 'bin'].map(name =>
  join(folder, name),
) as [string, string, string, string];
const { CI: _ci, ...surroundings } = process.env;
const environment = { ...surroundings, INSTR_CACHE_DIR: cache, PATH: `${bin}:${process.env.PATH}` };
const url = pathToFileURL(registry).href;
const all = Array.from({ length: count }, (_, at) => at);
const ofShapes = (...shapes: number[]) => all.filter(at => shapes.includes(shapeOf(at)));
let isRight = true;

function say(what: string, right?: boolean): void {
  if (right === false) isRight = false;
  const mark = right === undefined ? '' : right ? 'ok    ' : 'WRONG ';
  console.log(`${mark}${what}`);
}

interface Line {
  readonly repository: string;
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  readonly error?: string;
}

interface Measured {
  readonly lines: readonly Line[];
  readonly cached: number;
  readonly changed: readonly string[];
}

/** A plan, with its time on the clock and on the processors. */
function plan(title: string, change: string, list = repos): Measured {
  const start = Date.now();
  // The shell says how long the processors worked for all processes of the plan.
  const timed = 'TIMEFORMAT="%U %S"; time "$@" 2>&3';
  const run = [program, 'fleet', 'plan', '--repos', list, '--change', change, '--json'];
  const { stdout, stderr } = spawnSync('bash', ['-c', timed, 'plan', process.execPath, ...run], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe', 'inherit'],
  });
  const wall = (Date.now() - start) / 1000;
  const busy = stderr
    .trim()
    .split(' ')
    .reduce((sum, part) => sum + Number(part), 0);
  const lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const last = lines.pop() as { repositories: number; cached: number };
  const changed = (lines as Line[])
    .filter(({ files }) => files.length > 0)
    .map(({ repository }) => repository);
  const each = (seconds: number) =>
    `${seconds.toFixed(1)} s (${((seconds * 1000) / lines.length).toFixed(1)} ms each)`;
  const counts = `${changed.length} of ${lines.length} change, ${last.cached} from the cache`;
  say(
    `${title}: ${each(wall)}, of the processors ${each(busy)}; ${counts}; load ${loadavg()[0]!.toFixed(1)}`,
  );
  return { lines: lines as Line[], cached: last.cached, changed };
}

const same = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);
const edit = (path: string, changes: Parameters<typeof registryFiles>[0]) =>
  writeFileSync(join(registry, path), registryFiles(changes, url)[path]!);
const forget = () => rmSync(join(cache, 'fleet'), { recursive: true, force: true });

async function make(): Promise<void> {
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, 'prs'))) symlinkSync(program, join(bin, 'prs'));
  chmodSync(program, 0o755);
  if (existsSync(join(folder, 'made'))) return;
  for (const made of [registry, repos, cache]) rmSync(made, { recursive: true, force: true });
  const start = Date.now();
  makeRegistry(registry);
  await makeRepositories(repos, url, all, cache);
  writeFileSync(join(folder, 'made'), '');
  say(`${count} repositories in five shapes made in ${Math.round((Date.now() - start) / 1000)} s`);
}

/** The cost of each when there are few and when there are many. */
function measureSizes(): void {
  edit('base.prs', new Set(['base']));
  for (const size of [10, 100, count].filter(one => one <= count)) {
    const list = join(folder, `list-${size}.txt`);
    writeFileSync(
      list,
      all
        .slice(0, size)
        .map(at => `repos/${nameOf(at)}\n`)
        .join(''),
    );
    forget();
    plan(`cold, ${size} repositories`, '@lumen@./registry', list);
  }
}

async function measureKill(): Promise<void> {
  edit('base.prs', new Set(['base']));
  forget();
  const half = Math.floor(count / 2);
  const child = spawn(
    process.execPath,
    [program, 'fleet', 'plan', '--repos', repos, '--change', '@lumen@./registry'],
    {
      cwd: folder,
      env: environment,
      stdio: 'ignore',
    },
  );
  const kept = () => (existsSync(join(cache, 'fleet')) ? readdirSync(join(cache, 'fleet')).length : 0);
  while (kept() < half && child.exitCode === null) await new Promise(done => setTimeout(done, 20));
  child.kill('SIGKILL');
  await new Promise(done => setTimeout(done, 1000));
  const { cached, changed } = plan('killed in the middle, and resumed', '@lumen@./registry');
  say(`${cached} were there already`, cached > 0 && changed.length === ofShapes(0, 1, 2, 3).length);
}

/** Runs the recipe in every repository, those too that the plan leaves alone, and compares. */
async function carryOut(predicted: Measured, tag: string): Promise<void> {
  spawnSync(
    process.execPath,
    [program, 'fleet', 'apply', '--repos', repos, '--change', `@lumen@${tag}`, '--force'],
    {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const start = Date.now();
  const waiting = [...predicted.lines];
  let [right, stray] = [0, 0];
  const work = async () => {
    for (let line = waiting.shift(); line; line = waiting.shift()) {
      const root = join(repos, line.repository);
      const code = await new Promise(done => {
        const child = spawn(join(folder, 'fleet/update.sh'), {
          cwd: root,
          env: environment,
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        child.once('close', done);
      });
      const real = [...changesOf(root)].map(([path, lines]) => `${path} ${lines}`).sort();
      git(root, 'reset', '-q', '--hard');
      const said = line.files.map(({ path, added, removed }) => `${path} ${added},${removed}`).sort();
      if (code === 0 && same(real, said)) right++;
      else console.log(`${line.repository} (${code}): predicted ${said.join('; ')}, real ${real.join('; ')}`);
      if (said.length === 0 && real.length > 0) stray++;
      const done = predicted.lines.length - waiting.length;
      if (done % 100 === 0) console.log(`      ${done} updated`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  say(`the recipe ran in all of them in ${Math.round((Date.now() - start) / 1000)} s`);
  say(
    `${right} of ${predicted.lines.length} real differences are those predicted`,
    right === predicted.lines.length,
  );
  say(`${stray} repositories changed that were to stay`, stray === 0);
}

/** What one more change costs that is like one that was planned before. */
function measureChanges(): void {
  edit('base.prs', new Set(['base']));
  plan('before the changes', '@lumen@./registry');
  const first = plan('nothing changed since', '@lumen@./registry');
  say('what changes is what reads it', same(first.changed, ofShapes(0, 1, 2, 3).map(nameOf)));
  edit('typescript.prs', new Set(['typescript']));
  plan('one rule changed that two of five shapes use', '@lumen@./registry');
  edit('base.prs', new Set(['base', 'words']));
  plan('a rule changed that four of five shapes inherit', '@lumen@./registry');
}

/** The release stands beside the branch that other parts change. */
async function compare(): Promise<void> {
  if (git(registry, 'tag', '--list', 'v1.1.0') === '') {
    git(registry, 'checkout', '-q', '-b', 'release');
    releaseRegistry(registry, 'v1.1.0', new Set(['base', 'typescript']));
    git(registry, 'checkout', '-q', 'main');
  }
  forget();
  await carryOut(plan('the release of both', '@lumen@v1.1.0'), 'v1.1.0');
}

const run = { sizes: measureSizes, changes: measureChanges, kill: measureKill, compare };
await make();
for (const part of partNames.filter(name => parts.includes(name))) {
  await run[part]();
  git(registry, 'checkout', '-q', '.');
}
if (!values.keep) rmSync(folder, { recursive: true, force: true });
process.exit(isRight ? 0 : 1);
