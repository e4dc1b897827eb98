import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import { splitSource } from '../text/source-name.ts';
import { refsOf } from './git.ts';
import { reportGitProblem } from './git-source.ts';
import type { LockEntry } from './lock.ts';
import { lockedRepository, REGISTRY } from './open.ts';
import { createSourceContext, type RegistryOptions } from './source-context.ts';
import { chooseVersion, isCommit, type Refs } from './version.ts';

/** What a repository has for a reference, and the newest that it has at all. */
export interface Newest {
  /** What the version of the reference means now: a tag or branch, and its commit. */
  readonly wanted?: { readonly name: string; readonly commit: string };
  /** The highest released version. */
  readonly latest?: string;
}

/** Asks the repositories of locked sources what they have now; `undefined`: that one cannot be asked, which has been reported. */
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

/** Reads from the names of a repository what a reference with this version would lead to; without one the default branch. */
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
