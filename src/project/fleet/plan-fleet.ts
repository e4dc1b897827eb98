import { resolve } from 'node:path';
import { badOptionValue, fleetNoSuchSource } from '../../generated/diagnostics.ts';
import { splitSource } from '../../text/source-name.ts';
import type { OpenFailure } from '../open/open.ts';
import { keepDocuments } from '../session/documents.ts';
import type { CompileContext } from '../session/world.ts';
import { type Change, folderSnapshot, isFolder, isSource, namedVersion, splitChange } from './change.ts';
import { type ProjectPlan, planRepository, type SourceName } from './plan-repository.ts';
import { findRepositories } from './repositories.ts';

export interface FleetRequest {
  /** A folder of clones, or a file with paths. */
  readonly repos: string;
  /** `<source>@<version>`; absent for a plain compile. */
  readonly change?: string | undefined;
}

/** The effect of a change on one repository. */
export interface RepositoryPlan extends ProjectPlan {
  readonly repository: string;
  readonly root: string;
}

/** The effect on all repositories. */
export interface FleetPlan {
  readonly repositories: readonly RepositoryPlan[];
  readonly change?: Change | undefined;
  /** Names of the changed source in the locks. */
  readonly sources: readonly string[];
  readonly seconds: number;
}

/**
 * Plans the effect of a change on every repository without writing. `onPlan` receives each plan in order, as soon as it
 * is known. An invalid request is reported.
 */
export async function planFleet(
  request: FleetRequest,
  context: CompileContext,
  onPlan: (plan: RepositoryPlan) => void = () => {},
): Promise<FleetPlan | OpenFailure> {
  const { cwd, disk, clock, progress } = context;
  const since = clock().getTime();
  const found = findRepositories(request.repos, cwd, disk);
  if (!found || found.length === 0) {
    const hint = found
      ? 'None of its folders has `.git` or `instr.yaml`; give the folder that holds the clones, or a file with a path in each line.'
      : 'There is no such folder or file.';
    const allowed = 'a folder of clones, or a file with the path of one in each line';
    context.report(badOptionValue({ option: '--repos', value: request.repos, allowed }, { hint }));
    return 'wrong-request';
  }
  const change = request.change === undefined ? undefined : readChange(request.change, context);
  if (change === 'wrong') return 'wrong-request';

  const options = { change, since, parse: keepDocuments() };
  const repositories: RepositoryPlan[] = [];
  const sources: SourceName[] = [];
  for (const [at, repository] of found.entries()) {
    const planned = await planRepository(repository, options, context);
    progress(`${at + 1} of ${found.length} repositories`);
    if (!planned) continue;
    const { sources: pinned, ...effect } = planned;
    sources.push(...pinned);
    const plan = { repository: repository.name, root: repository.root, ...effect };
    repositories.push(plan);
    onPlan(plan);
  }
  const theirs = sources.filter(source => change && isSource(change, source));
  if (change && theirs.length === 0) reportUnknown(change, sources, context);
  const seconds = Math.round((clock().getTime() - since) / 10) / 100;
  return { repositories, change, sources: namesOf(theirs), seconds };
}

const namesOf = (sources: readonly SourceName[]): string[] =>
  [...new Set(sources.map(({ source }) => splitSource(source)[0]))].sort();

/** Parses `--change`. A folder is read once, so that all repositories get the same snapshot. */
function readChange(text: string, { cwd, disk, report }: CompileContext): Change | undefined | 'wrong' {
  const { name, version } = splitChange(text);
  if (version === undefined) return { text, name, to: { kind: 'newest' } };
  if (!isFolder(version)) return { text, name, to: namedVersion(version) };
  const folder = resolve(cwd, version);
  if (disk.stat(folder)?.kind === 'directory')
    return { text, name, to: { kind: 'folder', ...folderSnapshot(folder, disk) } };
  const allowed = '<source>@<commit, tag or folder>';
  const hint = `There is no folder ${version}.`;
  report(badOptionValue({ option: '--change', value: text, allowed }, { hint }));
  return 'wrong';
}

/** Reports a source that no lock contains. */
function reportUnknown({ name }: Change, sources: readonly SourceName[], { report }: CompileContext): void {
  const names = namesOf(sources);
  const known = names.length > 0 ? `They use ${names.join(', ')}.` : 'None of them uses a registry.';
  report(fleetNoSuchSource({ source: name, known }));
}
