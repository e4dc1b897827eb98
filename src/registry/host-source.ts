import { lockIncomplete, lockOutdated } from '../generated/diagnostics.ts';
import type { Span } from '../text/source.ts';
import { parseAddress } from './address.ts';
import type { Failure } from './failure.ts';
import { type GitProblem, hasFreshRefs } from './git.ts';
import { openGitSource, reportGitProblem } from './git-source.ts';
import type { GitSource } from './overrides.ts';
import type { Candidate } from './reference.ts';
import type { SourceContext } from './source-context.ts';
import type { OpenSource } from './tree.ts';

interface Attempt {
  readonly candidate: Candidate;
  readonly source: GitSource;
}

/**
 * Opens references that begin with a host. Each repository is requested once per run, and each failure is
 * reported once.
 */
export function createHostSources(
  opening: SourceContext,
  onOpen: (source: string, opened: OpenSource) => void,
) {
  const { options, locked, hasLock, report } = opening;
  const { root, frozen } = options;
  const opened = new Map<string, Promise<OpenSource | GitProblem>>();
  const reported = new Set<string>();

  const once = (key: string, action: () => void): undefined => {
    if (!reported.has(key)) action();
    reported.add(key);
    return undefined;
  };

  /**
   * The locked repository, else the first candidate that exists; candidates with fresh cached refs are tried
   * first. `undefined` after a report when none exists.
   */
  return async (
    candidates: readonly Candidate[],
    version: string | undefined,
    at: Span,
  ): Promise<{ readonly source: OpenSource; readonly path: string } | undefined> => {
    const context = await opening.contextAt(at);
    const tries = candidates.flatMap(candidate => triesOf(candidate, version, root));
    const pinned = tries.find(
      ({ source }) => locked.get(source.source)?.url === source.repository.address.shown,
    );
    const [first] = tries;
    if (!first) return undefined;
    const what = `\`${first.source.source}\``;
    if (!pinned && frozen) return once(what, () => report(lockOutdated({ what }, { span: at })));

    const fresh = tries.filter(({ source }) => hasFreshRefs(source.repository.address, context));
    const order = pinned ? [pinned] : [...fresh, ...tries.filter(one => !fresh.includes(one))];
    let worst: { readonly failure: Failure; readonly source: GitSource } | undefined;
    for (const { candidate, source } of order) {
      const key = `${source.source} ${source.repository.address.url}`;
      const result =
        opened.get(key) ?? openGitSource(source, pinned && locked.get(source.source), opening, at);
      opened.set(key, result);
      const found = await result;
      if ('tree' in found) {
        onOpen(source.source, found);
        if (!pinned && hasLock) {
          once(source.source, () => report(lockIncomplete({ what: `\`${source.source}\`` }, { span: at })));
        }
        return { source: found, path: candidate.path };
      }
      const tried = [source.repository.address.shown];
      // A server that hides private repositories refuses access to repositories that do not exist.
      if (!('failure' in found) || !['missing', 'access'].includes(found.failure.kind)) {
        return once(key, () => reportGitProblem(found, source, tried, opening, at));
      }
      const isWorse = found.failure.kind === 'access' && worst?.failure.kind !== 'access';
      if (!worst || isWorse) worst = { failure: found.failure, source };
    }
    if (!worst) return undefined;
    const { failure, source } = worst;
    const tried = order.map(one => one.source.repository.address.shown);
    return once(what, () => reportGitProblem({ failure }, source, tried, opening, at));
  };
}

function triesOf(candidate: Candidate, version: string | undefined, root: string): Attempt[] {
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
