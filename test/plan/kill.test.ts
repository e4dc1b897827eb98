/** Kills runs at many different moments. No data may be lost, and no file may be incomplete. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runs, sample } from '../support/depth.ts';
import { bundle } from './support/bundle.ts';
import { generation, userLines, userSettings } from './support/generations.ts';
import { Project } from './support/project.ts';

const test = suite('killed runs');

/** `KILL_SEED` repeats a series. The message of a failure contains the seed. */
const seed = Number(process.env.KILL_SEED ?? 20_260);

/** Reproducible pseudo-random numbers. */
function randomNumbers(start: number): (below: number) => number {
  let state = start >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The expected tree of each generation without failures, computed once. */
const expected = new Map<number, Record<string, string>>();

async function treeOf(number: number): Promise<Record<string, string>> {
  let tree = expected.get(number);
  if (!tree) {
    const project = new Project();
    project.write('settings.json', userSettings);
    // Shared files contain keys of earlier generations, so start with the previous one.
    if (number > 1) await project.compile(generation(number - 1));
    const { ok } = await project.compile(generation(number));
    assert.ok(ok);
    tree = project.tree();
    expected.set(number, tree);
  }
  return tree;
}

let filesChecked = 0;

/** Asserts that each path has its old or its new content, and that the user's content is present. */
function assertWhole(project: Project, old: Record<string, string>, next: Record<string, string>, what: string): void {
  const now = project.tree();
  for (const path of new Set([...Object.keys(old), ...Object.keys(next), ...Object.keys(now)])) {
    filesChecked++;
    const fine = now[path] === old[path] || now[path] === next[path];
    assert.ok(fine, `${what}: ${path} is neither old nor new: ${JSON.stringify(now[path])?.slice(0, 200)}`);
  }
  for (const line of userLines) assert.ok(now['settings.json']!.includes(line), `${what}: the user's line is missing`);
}

/** Asserts that the manifest lists exactly the files that exist, with their content. */
function assertTruthful(project: Project, what: string): void {
  const { files } = JSON.parse(project.read('.instr/manifest.json')) as {
    files: Record<string, { sha256?: string; keys?: { path: string[] }[] }>;
  };
  for (const [path, { sha256 }] of Object.entries(files)) {
    assert.ok(project.exists(path), `${what}: the manifest names ${path}, which does not exist`);
    if (sha256) assert.is(createHash('sha256').update(project.read(path)).digest('hex'), sha256, `${what}: ${path}`);
  }
  const others = Object.keys(project.tree()).filter(path => !(path in files) && path !== '.instr/manifest.json');
  assert.equal(others, [], `${what}: files without an owner`);
}

function assertTidy(project: Project, what: string): void {
  const state = readdirSync(project.at('.instr/.state')).filter(name => name !== 'written.json').sort();
  assert.equal(state, ['.gitignore', 'runs'], `${what}: leftover files in the state folder`);
  for (const run of readdirSync(project.at('.instr/.state/runs'))) {
    assert.ok(existsSync(project.at(`.instr/.state/runs/${run}/run.json`)), `${what}: ${run} has no record`);
    assert.not.ok(existsSync(project.at(`.instr/.state/runs/${run}/new`)), `${what}: staged files of ${run} are left`);
  }
}

const program = await bundle('killed');

/** A project at generation 2, which is copied for each kill. */
const start = new Project();
start.write('settings.json', userSettings);
await start.compile(generation(1));
await start.compile(generation(2));

interface Killed {
  readonly project: Project;
  readonly status: number | null;
  readonly output: string;
}

interface Kill {
  /** The task of the program: a generation, `force` and a generation, or `undo`. */
  readonly work: string;
  /** Number of the disk operation to be killed at. 0: never. */
  readonly at: number;
  readonly half?: boolean;
}

function runProgram(project: Project, { work, at, half }: Kill): Promise<Killed> {
  const how = half ? 'half' : 'before';
  const child = spawn(process.execPath, [program, project.root, work, String(at), how]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', data => {
      output += data;
    });
  }
  return new Promise(resolve => child.on('close', status => resolve({ project, status, output })));
}

/** Runs the program in a copy of a project. */
function killedCopy(kill: Kill, of: Project = start): Promise<Killed> {
  return runProgram(of.copy(), kill);
}

async function operationsOf(kill: Kill, of?: Project): Promise<{ operations: number; tree: Record<string, string> }> {
  const { project, output } = await killedCopy(kill, of);
  const { operations } = JSON.parse(output.slice(output.lastIndexOf('{'))) as { operations: number };
  return { operations, tree: project.tree() };
}

/** Runs two rounds at a time: one program runs while the result of the other is checked. */
async function inPairs(rounds: number, body: (round: number) => Promise<void>): Promise<void> {
  let next = 0;
  const walk = async () => {
    while (next < rounds) await body(next++);
  };
  await Promise.all([walk(), walk()]);
}

/** Numbers of operations to be killed at. */
const everyThird = (operations: number): readonly number[] =>
  sample(Array.from({ length: Math.floor(operations / 3) }, (_, index) => 1 + 3 * index));

/** Asserts that a dry run changes nothing. Returns the planned action for each file, unless the killed run must be finished first. */
async function foreseen(project: Project, number: number, what: string): Promise<Record<string, string> | undefined> {
  const before = project.tree();
  const pending = ['journal', 'rollback'].some(name => project.exists(`.instr/.state/${name}.json`));
  const { states, found } = await project.plan(generation(number));
  assert.equal(project.tree(), before, what);
  assert.is(found.some(({ code }) => code === 'PRS8024'), pending, what);
  return pending ? undefined : states;
}

/** Asserts that the next run works, for one of three kinds: the same outputs, the previous ones, or newer ones. */
async function assertNextRunWorks(project: Project, number: number, what: string): Promise<void> {
  const expectedStates = await foreseen(project, number, what);
  const { ok, found, states } = await project.compile(generation(number));
  assert.ok(ok, `${what}: ${found.map(({ message }) => message).join(' ')}`);
  if (expectedStates) assert.equal(states, expectedStates, `${what}: equal to the dry run`);
  assertTruthful(project, what);
  const tree = project.tree();
  const expectedTree = await treeOf(number);
  for (const path of Object.keys(expectedTree)) {
    if (path !== 'settings.json' && path !== '.instr/manifest.json') assert.is(tree[path], expectedTree[path], `${what}: ${path}`);
  }
  assert.equal(Object.keys(tree), Object.keys(expectedTree), what);
  // A run without changes keeps temporary files of a killed run. The next run that writes removes them.
  assert.ok((await project.compile(generation(7))).ok, what);
  assertTruthful(project, what);
  assertTidy(project, what);
  rmSync(project.root, { recursive: true, force: true });
}

test('killed at random disk operations', async () => {
  const random = randomNumbers(seed);
  const { operations, tree: next } = await operationsOf({ work: '3', at: 0 });
  assert.equal(next['rules/0-odd.md'], 'rule 3 0\n');
  const old = start.tree();
  const points = new Set<string>();
  const kills = Array.from({ length: runs(200) }, () => ({ work: '3', at: 1 + random(operations), half: random(2) === 1 }));
  await inPairs(kills.length, async round => {
    const kill = kills[round]!;
    const what = `seed ${seed}, round ${round}, operation ${kill.at}${kill.half ? ' half-way' : ''}`;
    const { project, status, output } = await killedCopy(kill);
    assert.is(status, null, `${what} was not killed: ${output}`);
    points.add(`${kill.at}${kill.half}`);
    assertWhole(project, old, next, what);
    await assertNextRunWorks(project, [3, 2, 4][round % 3]!, what);
  });
  console.log(`  killed ${kills.length} times at ${points.size} different points of ${operations} operations`);
});

test('killed while it overwrites files of the user', async () => {
  const hand = new Project();
  const mine = { 'MAIN.md': 'by hand\n', 'rules/0-odd.md': 'by hand too\n', 'settings.json': userSettings };
  for (const [path, text] of Object.entries(mine)) hand.write(path, text);
  const { operations, tree: next } = await operationsOf({ work: 'force3', at: 0 }, hand);
  const points = everyThird(operations);
  await inPairs(points.length, async round => {
    const at = points[round]!;
    const what = `operation ${at} of a takeover`;
    const { project, status, output } = await killedCopy({ work: 'force3', at }, hand);
    assert.is(status, null, `${what} was not killed: ${output}`);
    const now = project.tree();
    for (const [path, text] of Object.entries(now)) {
      filesChecked++;
      assert.ok(text === mine[path as keyof typeof mine] || text === next[path], `${what}: ${path}`);
    }
    // The next run completes or restarts it. Afterwards undo restores everything.
    assert.ok((await project.compile(generation(3), { force: true })).ok, what);
    assert.ok((await project.undo()).ok, what);
    assert.equal(project.tree(), mine, what);
    rmSync(project.root, { recursive: true, force: true });
  });
  console.log(`  killed ${points.length} takeovers`);
});

test('killed during an undo', async () => {
  const { operations, tree: next } = await operationsOf({ work: 'undo', at: 0 });
  const old = start.tree();
  const points = everyThird(operations);
  await inPairs(points.length, async round => {
    const at = points[round]!;
    const what = `operation ${at} of undo`;
    const { project, status, output } = await killedCopy({ work: 'undo', at });
    assert.is(status, null, `${what} was not killed: ${output}`);
    assertWhole(project, old, next, what);
    await assertNextRunWorks(project, 3, what);
  });
  console.log(`  killed ${points.length} times in undo`);
});

test('killed from outside at random times, repeatedly in the same project', async () => {
  const random = randomNumbers(seed + 1);
  const project = start.copy();
  let killed = 0;
  for (let round = 0; round < runs(30); round++) {
    const child = spawn(process.execPath, [program, project.root, String(3 + (round % 4)), '0', ''], { stdio: 'ignore' });
    await new Promise(resolve => setTimeout(resolve, 30 + random(60)));
    if (child.kill('SIGKILL')) killed++;
    if (child.exitCode === null && child.signalCode === null) await new Promise(resolve => child.on('close', resolve));
    for (const line of userLines) assert.ok(project.read('settings.json').includes(line), `round ${round}: ${line}`);
  }
  const { ok } = await project.compile(generation(3));
  assert.ok(ok);
  assertTruthful(project, 'after many kills');
  const expectedTree = await treeOf(3);
  for (const [path, text] of Object.entries(project.tree())) {
    if (path !== 'settings.json' && path !== '.instr/manifest.json') assert.is(text, expectedTree[path], path);
  }
  console.log(`  killed ${killed} times from outside`);
});

test('killed while it recovers from being killed', async () => {
  const random = randomNumbers(seed + 2);
  const old = start.tree();
  const { tree: next } = await operationsOf({ work: '3', at: 0 });
  const points = Array.from({ length: runs(10) }, () => [30 + random(40), 3 + random(12), 3 + random(12), 3 + random(12)]);
  await inPairs(points.length, async round => {
    const [first, ...further] = points[round]!;
    const { project } = await killedCopy({ work: '3', at: first! });
    for (const at of further) {
      await runProgram(project, { work: '3', at });
      assertWhole(project, old, next, `seed ${seed}, round ${round}, kill ${at}`);
    }
    await assertNextRunWorks(project, 3, `seed ${seed}, round ${round}`);
  });
  console.log(`  ${filesChecked} files checked in all`);
});

test.run();
