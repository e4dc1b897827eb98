import { lockIncomplete, lockOutdated } from '../generated/diagnostics.ts';
import type { Span } from '../text/source.ts';
import { parseAddress } from './address.ts';
import type { Failure } from './failure.ts';
import { type GitProblem, hasFreshRefs } from './git.ts';
import { type GitSource, type GitSurroundings, openGitSource, reportGitProblem } from './git-source.ts';
import type { GitContext } from './git-transport.ts';
import type { LockEntry } from './lock.ts';
import type { Candidate } from './reference.ts';
import type { OpenSource } from './tree.ts';

interface Try {
  readonly candidate: Candidate;
  readonly source: GitSource;
}

type Opened = OpenSource | GitProblem;

/**
 * Opens references that begin with a host. Each repository is asked once in a run, and each failure is reported once.
 */
export function createHostSources(
  root: string,
  locked: ReadonlyMap<string, LockEntry>,
  onOpen: (source: string, opened: OpenSource) => void,
  surroundings: Omit<GitSurroundings, 'context'>,
) {
  const { frozen, hasLock, report } = surroundings;
  const asked = new Map<string, Promise<Opened>>();
  const told = new Set<string>();

  const tellOnce = (key: string, tell: () => void): undefined => {
    if (!told.has(key)) tell();
    told.add(key);
    return undefined;
  };

  /**
   * The repository that the lock knows, else the first candidate that exists, those with fresh answers in the cache
   * first. `undefined`: none does, which has been reported.
   */
  return async (
    candidates: readonly Candidate[],
    version: string | undefined,
    context: GitContext,
    at: Span,
  ): Promise<{ readonly source: OpenSource; readonly path: string } | undefined> => {
    const around = { ...surroundings, context };
    const tries = candidates.flatMap(candidate => triesOf(candidate, version, root));
    const pinned = tries.find(
      ({ source }) => locked.get(source.source)?.url === source.repository.address.shown,
    );
    const [first] = tries;
    if (!first) return undefined;
    const what = `\`${first.source.source}\``;
    if (!pinned && frozen) return tellOnce(what, () => report(lockOutdated({ what }, { span: at })));

    const fresh = tries.filter(({ source }) => hasFreshRefs(source.repository.address, context));
    const order = pinned ? [pinned] : [...fresh, ...tries.filter(one => !fresh.includes(one))];
    let worst: { readonly failure: Failure; readonly source: GitSource } | undefined;
    for (const { candidate, source } of order) {
      const key = `${source.source} ${source.repository.address.url}`;
      let opening = asked.get(key);
      if (!opening) {
        opening = openGitSource(source, pinned && locked.get(source.source), around, at);
        asked.set(key, opening);
      }
      const opened = await opening;
      if ('tree' in opened) {
        onOpen(source.source, opened);
        if (!pinned && hasLock) {
          tellOnce(source.source, () =>
            report(lockIncomplete({ what: `\`${source.source}\`` }, { span: at })),
          );
        }
        return { source: opened, path: candidate.path };
      }
      const tried = [source.repository.address.shown];
      // A server that hides private repositories refuses access to those that do not exist.
      if (!('failure' in opened) || !['missing', 'access'].includes(opened.failure.kind)) {
        return tellOnce(key, () => reportGitProblem(opened, source, tried, around, at));
      }
      const weightier = opened.failure.kind === 'access' && worst?.failure.kind !== 'access';
      if (!worst || weightier) worst = { failure: opened.failure, source };
    }
    if (!worst) return undefined;
    const { failure, source } = worst;
    const tried = order.map(one => one.source.repository.address.shown);
    return tellOnce(what, () => reportGitProblem({ failure }, source, tried, around, at));
  };
}

function triesOf(candidate: Candidate, version: string | undefined, root: string): Try[] {
  return candidate.urls.flatMap(url => {
    const address = parseAddress(url, root);
    if ('refused' in address) return [];
    const { name } = candidate;
    const source = version === undefined ? name : `${name}@${version}`;
    return [
      { candidate, source: { source, name, repository: { address }, version: version ?? 'HEAD', root: '' } },
    ];
  });
}
