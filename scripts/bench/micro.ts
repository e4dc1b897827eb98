/** The phases by themselves, in one warm process: what a change of one of them does, without the start of Node. */

import { emitTargets } from '../../src/emit/emit.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { buildModel } from '../../src/model/build.ts';
import { gatherUnits } from '../../src/project/gather/gather.ts';
import { type Build, chooseBuilds } from '../../src/project/open/builds.ts';
import { openProject, type Project } from '../../src/project/open/open.ts';
import { readEmitSettings } from '../../src/project/outputs.ts';
import { givenWorld, textFiles } from '../../src/project/session/given.ts';
import type { CompileContext } from '../../src/project/session/world.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import { allTargets, type Files, layers, sample } from './samples.ts';

export interface Phase {
  readonly name: string;
  readonly unit: 'MB/s' | 'programs/s' | 'files/s';
  /** One of every round. */
  readonly values: readonly number[];
}

const rounds = 15;
const entry = '.instr/project.prs';
const ignore = () => {};

/** Measures parsing, resolving, emitting and importing. */
export async function measureMicro(): Promise<Phase[]> {
  const small = sample(allTargets);
  return [
    { name: 'parse', unit: 'MB/s', values: await rates(() => parseText(small[entry]!)) },
    { name: 'resolve', unit: 'programs/s', values: await rates(await resolver(layers(50, allTargets))) },
    { name: 'emit', unit: 'files/s', values: await rates(await emitter(small)) },
    { name: 'import', unit: 'MB/s', values: await rates(await importer(small)) },
  ];
}

/** Work of one call; gives how much of its unit was done. */
type Work = () => number | Promise<number>;

/** Amounts a second, after calls that let the optimiser do its work. */
async function rates(work: Work): Promise<number[]> {
  for (let call = 0; call < 10; call++) await work();
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    let amount = 0;
    while (performance.now() - start < 50) amount += await work();
    values.push((amount * 1000) / (performance.now() - start));
  }
  return values;
}

const megabytes = (text: string) => Buffer.byteLength(text) / 1e6;

function parseText(text: string): number {
  parseDocument({ name: entry, text }, ignore);
  return megabytes(text);
}

const root = '/bench';

function contextOf(files: Files): CompileContext {
  return givenWorld(root, textFiles(files), ignore);
}

async function open(files: Files): Promise<{ context: CompileContext; project: Project }> {
  const context = contextOf(files);
  const project = await openProject(context);
  if (!project) throw new Error('the sample has no usable configuration');
  return { context, project };
}

async function programOf(files: Files) {
  const { context, project } = await open(files);
  const gathered = await gatherUnits({ disk: context.disk, root, entry }, ignore);
  return { context, project, resolve: () => resolveProgram({ ...gathered, env: () => undefined }, ignore) };
}

async function resolver(files: Files): Promise<Work> {
  const { resolve } = await programOf(files);
  return () => {
    resolve();
    return 1;
  };
}

/** Makes the outputs of all targets, again at every call. */
async function emitterOf(files: Files) {
  const { context, project, resolve } = await programOf(files);
  const model = buildModel(resolve(), { guardRequiresDepth: 3 }, ignore);
  const chosen = await chooseBuilds(project, {}, context);
  if (chosen === 'wrong-request') throw new Error('the sample has no usable targets');
  const [build] = chosen.builds as readonly [Build];
  // Settings of its own, so that nothing is found again.
  return async () => {
    const settings = await readEmitSettings(build, project, context, undefined, false);
    return emitTargets(model, build.requests, settings, ignore).files;
  };
}

async function emitter(files: Files): Promise<Work> {
  const emit = await emitterOf(files);
  return async () => (await emit()).length;
}

/** Reads back the document that most tools share. */
async function importer(files: Files): Promise<Work> {
  const outputs = await (await emitterOf(files))();
  const shared = outputs.find(({ path, targets }) => /^\w+\.md$/.test(path) && targets.length > 10);
  if (shared?.kind !== 'whole' || typeof shared.content !== 'string')
    throw new Error('the sample has no document to read back');
  const bytes = new TextEncoder().encode(shared.content);
  const specs = builtinIds().map(id => builtinSpec(id)!.spec);
  return async () => {
    await importFile({ path: shared.path, bytes, specs, named: false }, ignore);
    return bytes.length / 1e6;
  };
}
