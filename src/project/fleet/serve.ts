import { join } from 'node:path';
import { nodeDisk } from '../../host/disk.ts';
import { HostError } from '../../host/host.ts';
import { serveTasks } from '../../host/workers.ts';
import { keepDocuments } from '../../session/documents.ts';
import type { Compiling } from '../../session/world.ts';
import { mayListPackages } from '../listed-packages.ts';
import { findPackages, fromRoot, type Package } from '../packages.ts';
import { openCache } from './cache.ts';
import type { Change } from './change.ts';
import { nothing, type ProjectPlan } from './compile-project.ts';
import { createPlanner, type Place, type Planner } from './plan-project.ts';
import type { Repository } from './repositories.ts';

/** What every process of a plan knows. */
export interface Setup {
  readonly change?: Change | undefined;
  /** When the plan began, in milliseconds. */
  readonly since: number;
  /** Folder of the cache. */
  readonly folder: string;
  /** Tells builds of the program apart. */
  readonly program: string;
}

/** What a repository comes to: its projects as one. */
export interface Planned {
  readonly plan: ProjectPlan;
  /** Every project of it was answered from the cache. */
  readonly cached: boolean;
  /** What it reads of registries. */
  readonly places: readonly Place[];
  /** There is no project in it. */
  readonly none?: boolean;
}

/** Plans repositories for the process that started this one, until it has no more. */
export function servePlans(): Promise<void> {
  return serveTasks<Setup, Repository, Planned>(startPlanning);
}

/** Prepares for repositories that are planned one after the other. */
export function startPlanning({
  change,
  since,
  folder,
  program,
}: Setup): (repository: Repository) => Promise<Planned> {
  const cache = openCache(folder, program, worldAt('.'));
  const planner = createPlanner(change, { cache, since, parse: keepDocuments() });
  return repository => planRepository(repository, planner);
}

const worldAt = (cwd: string): Compiling => ({
  disk: nodeDisk,
  clock: () => new Date(),
  cwd,
  environment: process.env,
  report: () => {},
  progress: () => {},
});

async function planRepository({ root, named, error: known }: Repository, planner: Planner): Promise<Planned> {
  if (known !== undefined) return failed(known);
  try {
    const planned: Planned[] = [];
    for (const { root: cwd, path } of await projectsOf(root))
      planned.push(prefixed(path, await planner.plan(worldAt(cwd))));
    if (planned.length === 0 && named) return failed('It has no instr.yaml.');
    return joined(planned);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return failed(error.message);
  }
}

/** The projects of a repository: the one at its root, those that it lists, else all below it. */
async function projectsOf(root: string): Promise<readonly Package[]> {
  const context = worldAt(root);
  const isProject = ['instr.yaml', 'instr.yml'].some(
    name => context.disk.stat(join(root, name))?.kind === 'file',
  );
  const alone = [{ root, path: '.' }];
  if (isProject && !mayListPackages(context)) return alone;
  return (await findPackages(context, isProject ? undefined : true))?.all ?? alone;
}

const failed = (error: string): Planned => ({ plan: { ...nothing, error }, cached: false, places: [] });

function prefixed(path: string, { plan, cached, places }: Awaited<ReturnType<Planner['plan']>>): Planned {
  const files = plan.files.map(file => ({ ...file, path: fromRoot(path, file.path) }));
  const error = plan.error !== undefined && path !== '.' ? `${path}: ${plan.error}` : plan.error;
  return { plan: { ...plan, files, ...(error !== undefined && { error }) }, cached, places };
}

function joined(planned: readonly Planned[]): Planned {
  const plans = planned.map(({ plan }) => plan);
  const error = plans.find(plan => plan.error !== undefined)?.error;
  return {
    plan: {
      files: plans.flatMap(({ files }) => files),
      executable: plans.flatMap(({ executable }) => executable),
      findings: plans.flatMap(({ findings }) => findings),
      over: [...new Set(plans.flatMap(({ over }) => over))],
      ...(error !== undefined && { error }),
    },
    cached: planned.every(({ cached }) => cached),
    places: planned.flatMap(({ places }) => places).filter(isFirst),
    ...(planned.length === 0 && { none: true }),
  };
}

const isFirst = (place: Place, at: number, all: readonly Place[]): boolean =>
  all.findIndex(({ source, url }) => source === place.source && url === place.url) === at;
