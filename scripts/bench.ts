/**
 * Measures the program against the floor, `node -e 0`, all rows in turn within one run so that a busy moment hits all
 * of them alike. `--json` for comparing later, `--runs 15`, and names of rows to choose some.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { median, quantile, runNode } from './bench/measure.ts';
import {
  type Files,
  layers,
  manySkills,
  manyUses,
  muchKnowledge,
  sample,
  writeFiles,
} from './bench/samples.ts';
import { measureWatch } from './bench/watch.ts';
import { root } from './generate.ts';

interface Row {
  readonly name: string;
  readonly files?: Files;
  /** Arguments of the program; the floor has none. */
  readonly args?: readonly string[];
  /** Every run starts from the sources alone. */
  readonly fresh?: boolean;
  /** Goal as a ratio to the floor, or to another row. */
  readonly goal?: number;
  readonly against?: string;
  /** Fewer runs for what takes long. */
  readonly runs?: number;
  readonly memory?: boolean;
}

const all = readdirSync(join(root, 'targets'))
  .filter(file => file.endsWith('.yaml'))
  .map(file => basename(file, '.yaml'));
const three = ['claude', 'cursor', 'github'];

const rows: readonly Row[] = [
  { name: 'floor' },
  { name: 'version', args: ['--version'], goal: 1.3 },
  { name: 'help', args: ['--help'], goal: 1.3 },
  { name: 'unchanged', files: sample(three), args: ['compile'], goal: 2 },
  { name: 'fresh', files: sample(three), args: ['compile'], fresh: true, goal: 2.5 },
  { name: 'fresh-all', files: sample(all), args: ['compile'], fresh: true, goal: 8 },
  { name: 'validate', files: sample(three), args: ['validate'], goal: 2 },
  { name: 'skills-1000', files: manySkills(1000, three), args: ['compile', '--dry-run', '--json'], goal: 8 },
  {
    name: 'skills-10000',
    files: manySkills(10_000, three),
    args: ['compile', '--dry-run', '--json'],
    goal: 11,
    against: 'skills-1000',
    runs: 3,
  },
  { name: 'knowledge-2mb', files: muchKnowledge(three), args: ['compile', '--dry-run'], goal: 3 },
  { name: 'layers-50', files: layers(50, three), args: ['compile', '--dry-run'], goal: 3 },
  { name: 'uses-1000', files: manyUses(1000, three), args: ['compile', '--dry-run'], goal: 6 },
];

const options = process.argv.slice(2);
const runsAt = options.indexOf('--runs');
const runs = runsAt === -1 ? 15 : Number(options[runsAt + 1]);
const chosen = options.filter((option, at) => !option.startsWith('--') && at !== runsAt + 1);
const program = join(root, 'dist/prs.js');
const base = mkdtempSync(join(tmpdir(), 'prs-bench-'));

const used = rows.filter(
  ({ name }) =>
    chosen.length === 0 ||
    name === 'floor' ||
    chosen.includes(name) ||
    rows.some(row => chosen.includes(row.name) && row.against === name),
);
const times = new Map(used.map(({ name }) => [name, [] as number[]]));
for (const row of used) prepare(row);
for (let run = 0; run < runs; run++) {
  for (const row of used) if (run < (row.runs ?? runs)) times.get(row.name)!.push(measure(row));
}

function prepare({ name, files, fresh }: Row): void {
  if (!files) return;
  writeFiles(join(base, name), files);
  if (!fresh) runNode([program, 'compile'], join(base, name));
}

function measure({ name, args, files, fresh }: Row): number {
  if (!args) return runNode(['-e', '0'], base).milliseconds;
  let folder = files ? join(base, name) : base;
  if (fresh) {
    folder = join(base, 'copy');
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(base, name), folder, { recursive: true });
  }
  return runNode([program, ...args], folder).milliseconds;
}

const floor = median(times.get('floor')!);
const results = used.map(({ name, goal, against }) => {
  const values = times.get(name)!;
  const middle = median(values);
  const ratio = middle / (against ? median(times.get(against)!) : floor);
  return {
    name,
    milliseconds: round(middle),
    low: round(quantile(values, 0.1)),
    high: round(quantile(values, 0.9)),
    ratio: round(ratio),
    ...(goal !== undefined && { goal, met: ratio <= goal }),
    ...(against && { against }),
  };
});

const memory = (args: readonly string[], folder: string) =>
  median([1, 2, 3].map(() => runNode(args, folder, true).memory));
const extra: object[] = [];
if (chosen.length === 0 || chosen.includes('memory')) {
  writeFiles(join(base, 'memory'), sample(all));
  const node = memory(['-e', '0'], base);
  const ours = memory([program, 'compile'], join(base, 'memory'));
  extra.push({
    name: 'memory',
    kilobytes: ours,
    floor: node,
    ratio: round(ours / node),
    goal: 2,
    met: ours / node <= 2,
  });
}
if (chosen.length === 0 || chosen.includes('watch')) {
  writeFiles(join(base, 'watch'), sample(three));
  const edits = await measureWatch(program, join(base, 'watch'), 40);
  const p95 = quantile(edits, 0.95);
  extra.push({
    name: 'watch-p95',
    milliseconds: round(p95),
    median: round(median(edits)),
    goal: 30,
    met: p95 <= 30,
  });
}

rmSync(base, { recursive: true, force: true });
const report = { node: process.version, targets: all.length, runs, rows: [...results, ...extra] };
if (options.includes('--json')) console.log(JSON.stringify(report, null, 2));
else {
  console.log(`Node ${process.version}, ${all.length} targets, medians of ${runs}`);
  console.table(report.rows);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
