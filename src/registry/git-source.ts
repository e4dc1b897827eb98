import { join } from 'node:path';
import {
  fallbackAddressUsed,
  registryCopyOutdated,
  registryFolderMissing,
  registryVersionNotFound,
  tagNotSigned,
} from '../generated/diagnostics.ts';
import { nodeDisk } from '../host/disk.ts';
import { sha256 } from '../host/hash.ts';
import { HostError } from '../host/host.ts';
import { readRecord, writeRecord } from '../host/records.ts';
import type { Span } from '../text/source.ts';
import { type Address, labelOf } from './address.ts';
import { explainFailure } from './failure.ts';
import { folderOf, isRefRefused, openRepository, withGitWorkFolder } from './git.ts';
import {
  askLocalGit,
  failureIn,
  fetchInto,
  type GitContext,
  GitError,
  type GitProblem,
  type GitSource,
  otherFailure,
  type Repository,
  runLocalGit,
} from './git-transport.ts';
import { type LockEntry, openLockRecorder } from './lock.ts';
import { REGISTRY } from './reference.ts';
import { snapshotTrees } from './snapshot.ts';
import type { SourceContext } from './source-context.ts';
import type { OpenSource } from './tree.ts';
import { type Choice, isCommit } from './version.ts';

/** The lock entry of a repository without its commit. */
export const factsOf = ({ source, repository, root }: Omit<GitSource, 'version'>) =>
  ({ source, kind: 'git', url: repository.address.shown, ...(root !== '' && { root }) }) as const;

/**
 * Opens a repository at the locked commit, or at the commit that the version currently refers to. `undefined`
 * after a report.
 */
export const openGitSource = (
  source: GitSource,
  entry: LockEntry | undefined,
  context: SourceContext,
  at: Span,
): Promise<OpenSource | undefined> =>
  reportGitErrors(source, context, at, () => openAt(source, entry, context, at));

async function openAt(
  source: GitSource,
  entry: LockEntry | undefined,
  opening: SourceContext,
  at: Span,
): Promise<OpenSource> {
  const context = opening.contextAt(at);
  const { options, report } = opening;
  const { repository, root, name } = source;
  const { address, fallback } = repository;
  const moved = await options.registryOverrides?.moves?.(source, context);
  // File hashes in the lock file apply to the locked version only.
  const pin = moved ? undefined : entry;
  const pinned =
    moved ?? (pin?.commit === undefined ? undefined : { commit: pin.commit, name: pin.ref ?? pin.commit });
  const { snapshot, choice, stale, usesFallback } = await openRepository(source, pinned, context);
  if (repository.signers) await checkSignature(repository, choice, context);
  if (stale) report(registryCopyOutdated({ address: address.shown, reason: stale.reason }, { span: at }));
  if (usesFallback)
    report(fallbackAddressUsed({ address: address.shown, fallback: fallback!.shown }, { span: at }));
  const ref = isCommit(choice.name) ? undefined : choice.name;
  const facts = { ...factsOf(source), commit: choice.commit, ...(ref !== undefined && { ref }) };
  const recorder = openLockRecorder(facts, pin, opening);
  const place = address.protocol === 'file' ? name : [labelOf(address), root].filter(Boolean).join('/');
  const id = `${place}@${choice.commit.slice(0, 12)}`;
  return {
    layer: { registry: address.shown, ...(ref !== undefined && { chosen: ref }) },
    tree: snapshotTrees({ id, shown: address.shown, snapshot, recorder, report }),
  };
}

/**
 * Runs work on a repository. Returns `undefined` after a report of why the repository cannot be read; a full disk is such a
 * reason, like those of the network.
 */
export async function reportGitErrors<T>(
  source: GitSource,
  context: SourceContext,
  at: Span,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GitError) reportProblem(error.problem, source, context, at);
    else if (error instanceof HostError)
      reportProblem(otherFailure(error.message.replace(/\.$/, '')), source, context, at);
    else throw error;
    return undefined;
  }
}

function reportProblem(
  problem: GitProblem,
  source: GitSource,
  { limits, report }: SourceContext,
  at: Span,
): void {
  const { repository, version, root } = source;
  const { address } = repository;
  if ('failure' in problem) {
    const failed = problem.at ?? address;
    const tried = [...new Set([address, failed])].map(({ shown }) => shown);
    const seconds = Math.ceil(limits.silence / 1000);
    const request = { address: failed, tried, advice: accessAdvice(source, failed), seconds };
    report(explainFailure(problem.failure, request, { span: at }));
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
    const what = /^[\^~<>=]|[\s*]/.test(version) ? 'tag in the range' : 'tag, branch or complete commit id';
    report(registryVersionNotFound({ address: address.shown, what, version, nearest }, { span: at }));
  }
}

/** What to do when a repository refuses access at an address. */
function accessAdvice({ name, repository }: GitSource, { protocol }: Address): string {
  const { address, fallback, token, keyFile } = repository;
  const key = keyFile
    ? 'Check that the server knows the public key that belongs to `sshKeyPath`.'
    : 'Add your SSH key to the server and to your agent, or set `sshKeyPath`.';
  if (protocol === 'ssh') return key;
  const hasToken = token !== undefined || address.password !== undefined;
  const isMain = name === REGISTRY;
  let web =
    'Sign in with a credential helper of git, or configure this repository as `registry.git`, which can have a token.';
  if (hasToken) {
    const secret = isMain ? 'token of `registry.git.auth`' : 'password in the address';
    web = `Check that the ${secret} is still valid and may read the repository.`;
  } else if (isMain)
    web =
      'Set `registry.git.auth` with `type` and `tokenEnvVar`, and set the environment variable that it names, or sign in with a credential helper of git.';
  return fallback?.protocol === 'ssh' ? `${web} ${key}` : web;
}

/**
 * Signatures of other kinds are rejected: other programs would check them, with keys that are not configured
 * here.
 */
const sshOnly: readonly (readonly [string, string])[] = [
  ['gpg.format', 'ssh'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'ssh-keygen'],
];

/** Requires that the chosen version is a tag signed by an allowed signer. Git verifies it; the result is cached. */
async function checkSignature(
  repository: Repository,
  { commit, name }: Choice,
  context: GitContext,
): Promise<void> {
  // Local changes under trial were never released.
  if (context.localSnapshot?.(commit, '')) return;
  const { signers = [] } = repository;
  const noTag = new GitError({ unsigned: 'is no tag' });
  if (isCommit(name)) throw noTag;
  const folder = folderOf(context, repository.address);
  const proof = join(folder, `signed-${sha256(Buffer.from(JSON.stringify([commit, name, signers])))}`);
  if (readRecord(proof)) return;
  await withGitWorkFolder(context, async work => {
    const copy = join(work, 'tag');
    const tag = `refs/tags/${name}`;
    try {
      await fetchInto(copy, repository, { commit, refs: [`+${tag}:${tag}`], shallow: true }, context);
    } catch (error) {
      throw isRefRefused(failureIn(error)) ? noTag : error;
    }
    const reason = await whyNot(copy, name, commit, signers, context);
    if (reason !== undefined) throw new GitError({ unsigned: reason });
    writeRecord(proof, {}, []);
  });
}

async function whyNot(
  copy: string,
  name: string,
  commit: string,
  signers: readonly string[],
  context: GitContext,
): Promise<string | undefined> {
  const tag = `refs/tags/${name}`;
  const leads = await askLocalGit(copy, ['rev-parse', '--verify', '--quiet', `${tag}^{commit}`], context);
  if (leads !== commit) return 'is a tag that leads to another commit now';
  const text = (await askLocalGit(copy, ['cat-file', 'tag', tag], context)) ?? '';
  if (!text.includes('-----BEGIN SSH SIGNATURE-----')) return 'is a tag without a signature of ssh';
  // A tag that was signed with another name could be an older release.
  if (/^tag (.*)$/m.exec(text)?.[1] !== name) return 'is a tag that was signed under another name';
  const file = join(copy, 'allowed-signers');
  nodeDisk.writeBytes(file, new TextEncoder().encode(`${signers.join('\n')}\n`));
  const config = [...sshOnly, ['gpg.ssh.allowedSignersFile', file] as const];
  const checked = await runLocalGit(copy, ['verify-tag', '--', tag], context, { config });
  return checked.kind === 'done' ? undefined : 'is not signed by anybody whom `signers` names';
}
