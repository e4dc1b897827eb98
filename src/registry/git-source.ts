import {
  fallbackAddressUsed,
  registryCopyOutdated,
  registryFolderMissing,
  registryVersionNotFound,
  tagNotSigned,
} from '../generated/diagnostics.ts';
import type { Span } from '../text/source.ts';
import { splitSource } from '../text/source-name.ts';
import { labelOf } from './address.ts';
import { explainFailure } from './explain.ts';
import { type GitProblem, openRepository, refetchSnapshot } from './git.ts';
import type { LockEntry } from './lock.ts';
import { openLockRecorder } from './lock-recorder.ts';
import type { GitSource } from './overrides.ts';
import { REGISTRY } from './settings.ts';
import { checkSignature } from './signed-tag.ts';
import { snapshotTrees } from './snapshot.ts';
import type { SourceContext } from './source-context.ts';
import type { OpenSource } from './tree.ts';
import { isCommit } from './version.ts';

/** The lock entry of a repository without its commit. */
export const factsOf = ({ source, repository, root }: Omit<GitSource, 'version'>) =>
  ({ source, kind: 'git', url: repository.address.shown, ...(root !== '' && { root }) }) as const;

/**
 * Opens a repository at the locked commit, or at the commit that the version currently refers to. Reports
 * warnings only.
 */
export async function openGitSource(
  wanted: GitSource,
  entry: LockEntry | undefined,
  opening: SourceContext,
  at: Span,
): Promise<OpenSource | GitProblem> {
  const { options, hasLock, report } = opening;
  const context = await opening.contextAt(at);
  const { repository, root, version } = wanted;
  const { address, fallback } = repository;
  const moved = await options.registryOverrides?.moves?.(wanted, context);
  if (moved && !('commit' in moved)) return moved;
  // File hashes in the lock file apply to the locked version only.
  const pin = moved ? undefined : entry;
  const pinned =
    moved ?? (pin?.commit === undefined ? undefined : { commit: pin.commit, name: pin.ref ?? pin.commit });
  const result = await openRepository(repository, version, root, pinned, context);
  if (!('snapshot' in result)) return result;
  const { snapshot, choice } = result;
  if (repository.signers) {
    const problem = await checkSignature(repository, choice, context);
    if (problem) return problem;
  }
  if (result.stale) {
    report(registryCopyOutdated({ address: address.shown, reason: result.stale.reason }, { span: at }));
  }
  if (result.fallback && fallback) {
    report(fallbackAddressUsed({ address: address.shown, fallback: fallback.shown }, { span: at }));
  }
  const facts = {
    ...factsOf(wanted),
    commit: choice.commit,
    ...(!isCommit(choice.name) && { ref: choice.name }),
  };
  const recorder = openLockRecorder(facts, pin, { frozen: options.frozen, hasLock }, report);
  const place =
    address.protocol === 'file' ? wanted.name : [labelOf(address), root].filter(Boolean).join('/');
  const id = `${place}@${choice.commit.slice(0, 12)}`;
  return {
    registry: address.shown,
    entry: recorder.entry,
    tree: snapshotTrees({
      id,
      shown: address.shown,
      snapshot,
      recorder,
      report,
      heal: () => refetchSnapshot(repository, choice, root, context),
    }),
  };
}

/** Reports why a repository could not be opened. `tried` are the requested addresses. */
export function reportGitProblem(
  problem: GitProblem,
  { source, repository, version, root }: GitSource,
  tried: readonly string[],
  { limits, options, report }: SourceContext,
  at: Span,
): void {
  const { address, fallback, token, keyFile } = repository;
  if ('failure' in problem) {
    const attempt = {
      address: problem.at ?? address,
      ...(fallback && { fallback }),
      tried,
      hasToken: token !== undefined || address.password !== undefined,
      ...(splitSource(source)[0] === REGISTRY && {
        auth: 'registry.git.auth',
        unset: options.config.registry?.git?.auth?.tokenEnvVar,
      }),
      hasKey: keyFile !== undefined,
      seconds: Math.ceil(limits.silence / 1000),
      http: false,
    };
    report(explainFailure(problem.failure, attempt, { span: at }));
  } else if ('unsigned' in problem) {
    const { unsigned: reason } = problem;
    report(tagNotSigned({ version, address: address.shown, reason }, { span: at }));
  } else if ('noRoot' in problem) {
    report(registryFolderMissing({ path: `${root} of ${address.shown}` }, { span: at }));
  } else {
    const branch = problem.defaultBranch;
    const isBranch = version === 'main' || version === 'master';
    const names =
      problem.nearest.length > 0
        ? `The nearest names are: ${problem.nearest.join(', ')}.`
        : 'It has no tags at all.';
    const nearest =
      branch !== undefined && isBranch
        ? `Its default branch is \`${branch}\`: write \`ref: ${branch}\` in \`registry.git\`, or name that branch as the version.`
        : names;
    const what = /^[\^~<>=]|[\s*]/.test(version) ? 'tag in the range' : 'tag, branch or commit';
    report(registryVersionNotFound({ address: address.shown, what, version, nearest }, { span: at }));
  }
}
