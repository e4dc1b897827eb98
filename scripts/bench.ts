/**
 * Measures the program against a baseline, `node -e 0`. Every round runs all rows once, so that other load on the machine
 * affects all rows alike. Options: `--runs 15`, `--cpu` for CPU time instead of wall-clock time, `--json` for machine
 * readable output, `--peers` for other instruction compilers, `--program path` for another build, `--node path` for
 * another Node. Further arguments select rows by prefix. `readers` measures each reader on hostile text instead.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median, quantile, runNode } from './bench/measure.ts';
import { measureReaders } from './bench/readers.ts';
import { ownRows, type Row, threeTargets } from './bench/rows.ts';
import { allTargets, sample, writeFiles } from './bench/samples.ts';
import { filesBelow } from './files.ts';
import { root } from './generate.ts';

interface Result {
  readonly name: string;
  readonly median: number;
  /** The 10th and 90th percentile of the runs. */
  readonly low: number;
  readonly high: number;
  readonly unit: 'ms' | 'MB';
  readonly ratio?: number;
  readonly goal?: number;
  readonly met?: boolean;
  /** For another compiler: its time divided by that of our row for the same work. The goal is `leastLead`. */
  readonly lead?: number;
  /** Number of files that a fresh run writes, to compare equal work. */
  readonly files?: number;
}

/** The program should be at least this many times as fast as other compilers. */
const leastLead = 8;

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '15' },
    cpu: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    program: { type: 'string', default: join(root, 'dist/prs.cjs') },
    node: { type: 'string', default: process.execPath },
  },
});
const { node, cpu } = options;
const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
const base = mkdtempSync(join(tmpdir(), 'prs-bench-'));
// Measurements must not use the user's cache.
process.env.INSTR_CACHE_DIR = join(base, 'cache');
try {
  await main();
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function main(): Promise<void> {
  if (chosen[0] === 'readers') return measureReaders(chosen.slice(1));
  const results = await measureRows();
  const report = {
    node: nodeVersion,
    cpu,
    targets: allTargets.length,
    runs: Number(options.runs),
    rows: results,
  };
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else print(report.rows);
}

async function measureRows(): Promise<Result[]> {
  const program = resolve(options.program);
  const own = ownRows(program);
  const peers = options.peers ? (await import('./bench/peers.ts')).peerRows(join(base, 'peers'), node) : [];
  const rows = [...own.filter(row => isWanted(row, own)), ...peers];
  const values = measureInTurn(rows);
  const results = rows.map(row => resultOf(row, values));
  if (isChosen('watch')) results.push(await watchResult(program));
  if (isChosen('editor'))
    results.push(await editorResult('each', program), await editorResult('once', program));
  return results;
}

function isChosen(name: string): boolean {
  return chosen.length === 0 || chosen.some(word => name.startsWith(word));
}

/** Whether a row is selected, or a selected row is compared with it. */
function isWanted({ name }: Row, rows: readonly Row[]): boolean {
  return name === 'floor' || isChosen(name) || rows.some(row => isChosen(row.name) && row.against === name);
}

/** Runs all rows in rounds. Returns the values by row: milliseconds, or megabytes for memory rows. */
function measureInTurn(rows: readonly Row[]): Map<string, number[]> {
  const values = new Map(rows.map(({ name }) => [name, [] as number[]]));
  for (const row of rows) prepare(row);
  // A run only records file states for the next run if the files have not changed for a while.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  for (const row of rows) if (row.files) measure(row, 'first');
  const most = Number(options.runs);
  for (let run = 0; run < most; run++) {
    for (const row of rows)
      if (run < Math.min(row.runs ?? most, most)) values.get(row.name)!.push(measure(row, run));
  }
  return values;
}

function folderOf({ name }: Row): string {
  return join(base, 'work', name);
}

/** Each row has its own cache, so that its result does not depend on the other rows. */
function environmentOf({ name, environment }: Row): Record<string, string> {
  return { INSTR_CACHE_DIR: join(base, 'cache', name), ...environment };
}

/**
 * The copy of the sources for a fresh run. Copies are only removed at the end: ext4 without a journal does not reuse inode
 * numbers for minutes and searches past all of them for each new file, which takes longer than the measured run.
 */
function copyOf(row: Row, run: number | 'first'): string {
  return `${folderOf(row)}-copy-${run}`;
}

/** Writes the sources and, unless the row measures fresh runs, compiles them. */
function prepare(row: Row): void {
  const folder = folderOf(row);
  mkdirSync(folder, { recursive: true });
  if (!row.files) return;
  writeFiles(folder, row.files);
  if (!row.fresh)
    runNode(row.compared ? row.args : [row.args[0]!, 'compile'], folder, {
      node,
      environment: environmentOf(row),
    });
}

function measure(row: Row, run: number | 'first'): number {
  const folder = row.fresh ? copyOf(row, run) : folderOf(row);
  if (row.fresh) cpSync(folderOf(row), folder, { recursive: true });
  const environment = environmentOf(row);
  const measuring = row.memory ? { node, memory: true, environment } : { node, cpu, environment };
  const { milliseconds, memory } = runNode(row.args, folder, measuring);
  return row.memory ? memory / 1024 : milliseconds;
}

function resultOf(row: Row, values: ReadonlyMap<string, readonly number[]>): Result {
  const { name, goal, memory } = row;
  const own = spread(values.get(name)!);
  const other = values.get(row.against ?? (memory ? 'memory-floor' : 'floor'));
  const ratio = other && own.median / median(other);
  // The goal of a memory row without a row to compare with is in megabytes.
  const reached = memory && !row.against ? own.median : ratio;
  const compared = row.compared && values.get(row.compared);
  const lead = compared && own.median / median(compared);
  return {
    name,
    unit: memory ? 'MB' : 'ms',
    ...own,
    ...(lead && { lead: round(lead), met: lead >= leastLead }),
    ...(ratio !== undefined && { ratio: round(ratio) }),
    ...(goal !== undefined && reached !== undefined && { goal, met: reached <= goal }),
    ...(row.fresh && { files: filesBelow(copyOf(row, 0)).length - filesBelow(folderOf(row)).length }),
  };
}

/** Measures the time from an edit until all outputs are written, without the debounce. */
async function watchResult(program: string): Promise<Result> {
  const { measureWatch } = await import('./bench/watch.ts');
  const folder = join(base, 'work', 'watch');
  writeFiles(folder, sample(threeTargets));
  const edits = await measureWatch([node, program], folder, 40);
  const p95 = quantile(edits, 0.95);
  return { name: 'watch-p95', unit: 'ms', ...spread(edits), median: round(p95), goal: 15, met: p95 <= 15 };
}

/** Measures the time from an edit until the editor receives diagnostics, with all targets and 200 items. */
async function editorResult(layout: string, program: string): Promise<Result> {
  const { measureEdits } = await import('./bench/edits.ts');
  const name = `editor-${layout}-p95`;
  const folder = join(base, 'work', name);
  const files = sample(allTargets);
  writeFiles(folder, { ...files, 'instr.yaml': `${files['instr.yaml']}output: { layout: ${layout} }\n` });
  const edits = await measureEdits([node, program], folder, 60, cpu);
  const p95 = quantile(edits, 0.95);
  return { name, unit: 'ms', ...spread(edits), median: round(p95), goal: 50, met: p95 <= 50 };
}

function spread(values: readonly number[]): {
  readonly median: number;
  readonly low: number;
  readonly high: number;
} {
  return {
    median: round(median(values)),
    low: round(quantile(values, 0.1)),
    high: round(quantile(values, 0.9)),
  };
}

function print(rows: readonly Result[]): void {
  const what = cpu ? 'medians of CPU time' : 'medians';
  console.log(`Node ${nodeVersion}, ${allTargets.length} targets, ${what}, ${options.runs} runs`);
  const cells = rows.map(({ name, median, low, high, unit, ratio, goal, met, files, lead }) => [
    name,
    `${median.toFixed(1)} ${unit}`,
    `${low.toFixed(1)} – ${high.toFixed(1)}`,
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    lead !== undefined ? `${lead.toFixed(1)} × ours, ≥ ${leastLead}` : goal === undefined ? '' : `≤ ${goal}`,
    met === undefined ? '' : met ? 'met' : 'missed',
    files === undefined ? '' : `${files} files`,
  ]);
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map(row => row[column]!.length)));
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
