import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import { splitSource } from '../text/source-name.ts';
import { refsOf } from './git.ts';
import { reportGitProblem } from './git-source.ts';
import type { LockEntry } from './lock.ts';
import { lockedRepository } from './open.ts';
import { REGISTRY } from './reference.ts';
import { createSourceContext, type RegistryOptions } from './source-context.ts';
import { chooseVersion, isCommit, type Refs } from './version.ts';

/** What a repository currently offers for a reference, and its newest version. */
export interface Newest {
  /** What the version of the reference currently refers to: a tag or branch, and its commit. */
  readonly wanted?: { readonly name: string; readonly commit: string };
  /** The highest released version. */
  readonly latest?: string;
}

/**
 * Requests the current refs of the repositories of locked sources; `undefined` after a report for one that
 * cannot be reached.
 */
export function askNewest(
  options: RegistryOptions,
  report: Report,
): (entry: LockEntry, at: Span) => Promise<Newest | undefined> {
  const opening = createSourceContext(options, report);
  return async (entry, at) => {
    const repository = lockedRepository(entry, opening, at);
    if (!repository) return undefined;
    const context = await opening.contextAt(at);
    const answer = await refsOf(repository, context);
    const [name, asked] = splitSource(entry.source);
    const version = asked ?? (name === REGISTRY ? (options.config.registry?.git?.ref ?? 'main') : 'HEAD');
    if ('value' in answer) return newestIn(answer.value, version);
    const wanted = { source: entry.source, name, repository, version, root: entry.root ?? '' };
    reportGitProblem(answer, wanted, [repository.address.shown], opening, at);
    return undefined;
  };
}

/** Resolves a version by the refs of a repository; without a version, the default branch. */
async function newestIn(refs: Refs, version = 'HEAD'): Promise<Newest> {
  const wanted = await chooseVersion(version, refs);
  const { default: semver } = await import('semver');
  const released = refs.tags
    .map(([name]) => name)
    .filter(name => semver.valid(name) && !semver.prerelease(name));
  const latest = released.sort(semver.rcompare)[0];
  return {
    ...(wanted && {
      wanted: {
        name: isCommit(wanted.name) ? wanted.commit.slice(0, 12) : wanted.name,
        commit: wanted.commit,
      },
    }),
    ...(latest !== undefined && { latest }),
  };
}
