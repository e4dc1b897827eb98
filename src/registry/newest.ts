import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import { splitSource } from '../text/source-name.ts';
import { askRefs } from './git.ts';
import { reportGitErrors } from './git-source.ts';
import type { LockEntry } from './lock.ts';
import { gitSourceOf } from './open.ts';
import { settingOf } from './reference.ts';
import { createSourceContext, type RegistryOptions } from './source-context.ts';
import { type Choice, chooseVersion, isCommit, type Refs } from './version.ts';

/** What a repository currently offers for a reference, and its newest version. */
export interface Newest {
  /** What the version of the reference currently refers to: a tag or branch, and its commit. */
  readonly wanted?: Choice;
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
    const [name, version] = splitSource(entry.source);
    const setting = settingOf(name, options.config);
    const git = setting?.kind === 'git' ? setting : { url: entry.url, ref: 'HEAD', root: '' };
    const source = gitSourceOf(name, version, git, opening, at);
    if (!source) return undefined;
    const { repository } = source;
    const listed = await reportGitErrors(source, opening, at, () =>
      askRefs(repository, opening.contextAt(at)),
    );
    return listed && newestIn(listed.refs, source.version);
  };
}

/** Resolves a version by the refs of a repository. */
async function newestIn(refs: Refs, version: string): Promise<Newest> {
  const wanted = await chooseVersion(version, refs);
  const { default: semver } = await import('semver');
  const released = refs.tags
    .map(([name]) => name)
    .filter(name => semver.valid(name) && !semver.prerelease(name));
  const latest = released.sort(semver.rcompare)[0];
  const name = wanted && isCommit(wanted.name) ? wanted.commit.slice(0, 12) : wanted?.name;
  return {
    ...(wanted && { wanted: { name: name!, commit: wanted.commit } }),
    ...(latest !== undefined && { latest }),
  };
}
