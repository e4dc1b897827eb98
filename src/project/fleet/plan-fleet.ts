import { join, resolve } from 'node:path';
import { badOptionValue, fleetNoSuchSource } from '../../generated/diagnostics.ts';
import { cacheDirectory } from '../../host/cache-dir.ts';
import { sha256 } from '../../host/hash.ts';
import { dropOldRecords, passingFolder, whyUnwritable, writeRecord } from '../../host/records.ts';
import { coreCount, workTogether } from '../../host/workers.ts';
import type { Compiling } from '../../session/world.ts';
import { splitSource } from '../../text/source-name.ts';
import type { Unusable } from '../open/open.ts';
import { type Change, folderSnapshot, isFolder, isSource, namedVersion, splitChange } from './change.ts';
import { prepareClones } from './clones.ts';
import { nothing, type ProjectPlan } from './compile-project.ts';
import type { Place } from './plan-project.ts';
import { dropOldClones, findRepositories, type Repository } from './repositories.ts';
import { type Planned, type Setup, startPlanning } from './serve.ts';

/** Which repositories, and what happens to them. */
export interface FleetRequest {
  /** A folder of clones, or a file that lists paths and addresses. */
  readonly repos: string;
  /** `<source>@<version>`; absent: nothing but a compile. */
  readonly change?: string | undefined;
  /** How many processes work at once; absent: one for each core. */
  readonly processes?: number | undefined;
  /** Arguments of this program that make a process serve plans. */
  readonly serve: readonly string[];
}

/** What a change does to one repository. */
export interface RepositoryPlan extends ProjectPlan {
  readonly repository: string;
  readonly root: string;
}

/** What it does to all. */
export interface FleetPlan {
  readonly repositories: readonly RepositoryPlan[];
  readonly change?: Change | undefined;
  /** How the locks call the source that changes. */
  readonly sources: readonly string[];
  /** Repositories that were answered from the cache alone. */
  readonly cached: number;
  readonly seconds: number;
}

/**
 * Says what a change of a shared source does to every repository, and writes nothing into any. `onPlan` gets each plan in
 * the order of the repositories, as soon as all before it are known. What is wrong with the request has been reported.
 */
export async function planFleet(
  request: FleetRequest,
  context: Compiling,
  onPlan: (plan: RepositoryPlan) => void = () => {},
): Promise<FleetPlan | Unusable> {
  const { cwd, disk, clock, progress } = context;
  const since = clock().getTime();
  const clones = join(cacheDirectory(context.environment), 'fleet-clones');
  const found = findRepositories(request.repos, cwd, clones, disk);
  if (!found || found.length === 0) {
    const hint = found
      ? 'None of its folders has `.git` or `instr.yaml`; give the folder that holds the clones, or a file with a path or an address in each line.'
      : 'There is no such folder or file.';
    const allowed = 'a folder of clones, or a file with the path or the address of one in each line';
    context.report(badOptionValue({ option: '--repos', value: request.repos, allowed }, { hint }));
    return 'wrong-request';
  }
  const cache = cacheFolder(context);
  const change = request.change === undefined ? undefined : readChange(request.change, cache, context);
  if (change === 'wrong') return 'wrong-request';

  const planned = await planAll(
    await cloned(found, context),
    { change, since, folder: cache, program: programKey(context) },
    request,
    {
      onPlan,
      progress,
    },
  );
  dropOldRecords(cache, since - keptFor);
  dropOldClones(clones, since - keptFor, disk);
  const plans = planned.filter(one => !one.planned?.none);
  const places = plans.flatMap(one => one.planned?.places ?? []);
  const theirs = places.filter(place => change && isSource(change, place));
  const sources = [...new Set(theirs.map(({ source }) => splitSource(source)[0]))].sort();
  if (change && theirs.length === 0) reportUnknown(change, places, context);
  const seconds = Math.round((clock().getTime() - since) / 10) / 100;
  const repositories = plans.map(({ repository }) => repository);
  return { repositories, change, sources, cached: plans.filter(one => one.planned?.cached).length, seconds };
}

/** Milliseconds for which what nobody asks for is kept. */
const keptFor = 30 * 24 * 3_600_000;

function cacheFolder({ environment }: Compiling): string {
  const folder = join(cacheDirectory(environment), 'fleet');
  return whyUnwritable(folder) === undefined ? folder : passingFolder();
}

/** Brings those that a list names by their addresses; the transport is loaded for them. */
async function cloned(found: readonly Repository[], context: Compiling): Promise<readonly Repository[]> {
  if (!found.some(({ address }) => address)) return found;

  return prepareClones(found, context);
}

/** Identifies this build: names of chunks in the entry are made of their content. */
function programKey({ disk }: Compiling): string {
  const bytes = disk.readBytes(process.argv[1] ?? '');
  return bytes ? sha256(bytes) : '';
}

/** What is asked for as what it is; a folder is read once, so that all processes see the same. */
function readChange(
  text: string,
  cache: string,
  { cwd, disk, report }: Compiling,
): Change | undefined | 'wrong' {
  const { name, version } = splitChange(text);
  if (version === undefined) return { text, name, to: { kind: 'newest' } };
  if (!isFolder(version)) return { text, name, to: namedVersion(version) };
  const folder = resolve(cwd, version);
  if (disk.stat(folder)?.kind !== 'directory') {
    const allowed = '<source>@<commit, tag or folder>';
    const hint = `There is no folder ${version}.`;
    report(badOptionValue({ option: '--change', value: text, allowed }, { hint }));
    return 'wrong';
  }
  const { header, body } = folderSnapshot(folder, disk);
  const record = join(cache, `folder-${header.commit}`);
  writeRecord(record, header, body);
  return { text, name, to: { kind: 'folder', folder, commit: header.commit, record } };
}

interface Told {
  readonly repository: RepositoryPlan;
  readonly planned?: Planned | undefined;
}

async function planAll(
  repositories: readonly Repository[],
  setup: Setup,
  { serve, processes = coreCount() }: FleetRequest,
  { onPlan, progress }: Pick<Compiling, 'progress'> & { readonly onPlan: (plan: RepositoryPlan) => void },
): Promise<Told[]> {
  const results: Told[] = new Array(repositories.length);
  let [next, count] = [0, 0];
  const done = (at: number, planned: Planned | undefined) => {
    const { name, root } = repositories[at]!;
    results[at] = { repository: { repository: name, root, ...(planned?.plan ?? lost) }, planned };
    progress(`${++count} of ${repositories.length} repositories`);
    for (; results[next]; next++) if (!results[next]!.planned?.none) onPlan(results[next]!.repository);
  };
  // A process takes longer to start than one repository takes; Node's permission model may forbid it.
  if (repositories.length === 1 || process.permission?.has('child') === false) {
    const plan = startPlanning(setup);
    for (const [at, one] of repositories.entries()) done(at, await plan(one));
  } else {
    const tasks = repositories;
    await workTogether<Setup, Repository, Planned>({ args: serve, processes, setup, tasks, done });
  }
  return results;
}

const lost: ProjectPlan = {
  ...nothing,
  error: 'The process that planned it ended before it was through; plan it again by itself.',
};

/** A name that no lock has is most likely a mistake. */
function reportUnknown({ name }: Change, places: readonly Place[], { report }: Compiling): void {
  const names = [...new Set(places.map(({ source }) => splitSource(source)[0]))].sort();
  const known = names.length > 0 ? `They use ${names.join(', ')}.` : 'None of them uses a registry.';
  report(fleetNoSuchSource({ source: name, known }));
}
