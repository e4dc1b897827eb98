/**
 * A disk that fails permanently from some operation on: the messages match the state on disk, and the next run
 * recovers.
 */
import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { HostError, type WritableDisk } from '../../src/host/host.ts';
import { sample } from '../support/depth.ts';
import { generation, userSettings } from './support/generations.ts';
import { Project } from './support/project.ts';

const test = suite('lasting failures');

/** Operations that need space, and other operations that change a disk. */
const growing: readonly (keyof WritableDisk)[] = ['makeDirectory', 'writeBytes', 'makeLink'];
const changing = [...growing, 'sync', 'rename', 'setMode', 'removeFile', 'removeEmptyDirectory', 'removeTree'] as const;

/** A disk on which these operations fail from the given one on, counted from 1. */
function failingFrom(from: number, code: string, names: readonly PropertyKey[]) {
  let operations = 0;
  const disk = new Proxy(nodeDisk, {
    get(target, name: keyof WritableDisk) {
      const original = target[name] as (...args: unknown[]) => unknown;
      if (!names.includes(name)) return original;
      return (...args: unknown[]) => {
        operations++;
        if (operations >= from) throw new HostError(`${args[0]} fails.`, String(args[0]), code);
        return original(...args);
      };
    },
  });
  return { disk, count: () => operations };
}


interface Work {
  readonly prepare: (project: Project) => Promise<unknown>;
  readonly run: (project: Project, disk: WritableDisk) => Promise<Pick<Awaited<ReturnType<Project['undo']>>, 'ok' | 'codes' | 'found'>>;
}

const works: Record<string, Work> = {
  compile: { prepare: project => project.compile(generation(1)), run: (project, disk) => project.compile(generation(2), { disk }) },
  takeover: {
    prepare: async project => project.write('MAIN.md', 'mine\n'),
    run: (project, disk) => project.compile(generation(2), { disk, force: true }),
  },
  undo: {
    prepare: async project => {
      await project.compile(generation(1));
      await project.compile(generation(2));
    },
    run: (project, disk) => project.undo(false, disk),
  },
};

const disks = { EIO: changing, EROFS: changing, ENOSPC: growing };
const tried = [['compile', 'EIO'], ['compile', 'ENOSPC'], ['takeover', 'EROFS'], ['undo', 'EIO'], ['undo', 'ENOSPC']] as const;

for (const [number, [name, code]] of tried.entries()) {
  test(`${name} on a disk that fails permanently with ${code}`, async () => {
    const { prepare, run } = works[name]!;
    const start = async () => {
      const project = new Project();
      project.write('settings.json', userSettings);
      await prepare(project);
      return project;
    };
    const healthy = await start();
    const { disk, count } = failingFrom(Number.POSITIVE_INFINITY, code, disks[code]);
    assert.ok((await run(healthy, disk)).ok);
    const after = healthy.tree();
    assert.ok(count() > 10, `${count()} operations`);
    const places = sample(Array.from({ length: count() }, (_, index) => index + 1), number);
    for (const at of places) {
      const project = await start();
      const before = project.tree();
      const { ok, codes, found } = await run(project, failingFrom(at, code, disks[code]).disk);
      const now = project.tree();
      const context = `operation ${at}: ${found.map(({ message }) => message).join(' ')}`;
      const text = context.replaceAll(project.root, '');
      if (ok) assert.equal(now, after, text);
      else assert.is(codes.filter(one => one === 'PRS8016' || one === 'PRS8023').length, 1, text);
      if (/Nothing was changed/.test(text)) assert.equal(now, before, text);
      // A completed run needs no other. Another `undo` would undo one more run.
      if (!ok) assert.ok((await run(project, nodeDisk)).ok, text);
      assert.equal(project.tree(), after, text);
      rmSync(project.root, { recursive: true });
    }
    console.log(`  ${places.length} lasting failures tried`);
  });
}

test.run();
