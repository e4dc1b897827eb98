import { compareCodeUnits } from '../text/order.ts';

/** The refs of a repository. Tags are peeled: every hash is that of a commit. */
export interface Refs {
  readonly head?: string | undefined;
  /** The branch that `HEAD` refers to. */
  readonly defaultBranch?: string | undefined;
  readonly branches: readonly (readonly [name: string, commit: string])[];
  readonly tags: readonly (readonly [name: string, commit: string])[];
}

/** A commit, and the name it was chosen by. */
export interface Choice {
  readonly commit: string;
  /** The name for people: a tag, a branch, or the commit itself. */
  readonly name: string;
}

/** Whether a version is a complete commit id. */
export const isCommit = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/**
 * Why a version is invalid; `undefined` for a valid one. The rules are those of Git for ref names, plus the
 * characters of semver ranges.
 */
export function whyNoVersion(version: string): string | undefined {
  if (version === '') return 'it is empty';
  if (version.startsWith('-')) return 'it begins with `-`, which git would read as an option';
  if (/[\u0000-\u001f\u007f:?[\\]/.test(version)) return 'it contains a character that no version has';
  if (version.includes('..') || version.includes('@{') || version.startsWith('/'))
    return 'git has no such names';
  return undefined;
}

/** Parses the output of `git ls-remote --symref`. */
export function readRefs(output: string): Refs {
  let head: string | undefined;
  const defaultBranch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(output)?.[1];
  const branches = new Map<string, string>();
  const tags = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [commit, name] = line.trimEnd().split('\t');
    if (!commit || !name || !isCommit(commit)) continue;
    if (name === 'HEAD') head = commit;
    else if (name.startsWith('refs/heads/')) branches.set(name.slice(11), commit);
    else if (name.startsWith('refs/tags/')) {
      const tag = name.slice(10);
      // An annotated tag has a second line with its commit.
      if (tag.endsWith('^{}')) tags.set(tag.slice(0, -3), commit);
      else tags.set(tag, commit);
    }
  }
  return { head, defaultBranch, branches: [...branches], tags: [...tags] };
}

/**
 * Chooses the commit for a version: the tag with this name with or without `v`, the highest tag in a range, a
 * branch, or a commit. `undefined` when no ref matches.
 */
export async function chooseVersion(version: string, refs: Refs): Promise<Choice | undefined> {
  const tags = new Map(refs.tags);
  const branches = new Map(refs.branches);
  const bare = version.replace(/^v(?=\d)/, '');
  for (const tag of [version, `v${bare}`, bare]) {
    const commit = tags.get(tag);
    if (commit) return { commit, name: tag };
  }
  const { default: semver } = await import('semver');
  if (semver.validRange(version) !== null && !branches.has(version)) {
    const tag = semver.maxSatisfying([...tags.keys()], version);
    if (tag !== null) return { commit: tags.get(tag)!, name: tag };
  }
  const branch = branches.get(version);
  if (branch) return { commit: branch, name: version };
  if (version === 'HEAD' && refs.head) return { commit: refs.head, name: refs.head };
  if (isCommit(version)) return { commit: version, name: version };
  return undefined;
}

/** The tags most similar to an unknown version: at most five, the most likely first. */
export async function nearestNames(version: string, refs: Refs): Promise<string[]> {
  const { distance } = await import('fastest-levenshtein');
  const { default: semver } = await import('semver');
  const plain = version.replace(/^[\^~=<>v\s]+/, '');
  const rank = (name: string): number => distance(plain, name.replace(/^v(?=\d)/, ''));
  const names = refs.tags.length > 0 ? refs.tags : refs.branches;
  return names
    .map(([name]) => name)
    .sort((a, b) => {
      const byDistance = rank(a) - rank(b);
      if (byDistance !== 0) return byDistance;
      const [first, second] = [semver.valid(a), semver.valid(b)];
      if (first && second) return semver.rcompare(first, second);
      return compareCodeUnits(a, b);
    })
    .slice(0, 5);
}
