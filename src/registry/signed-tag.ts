import { join } from 'node:path';
import { nodeDisk } from '../host/disk.ts';
import { sha256 } from '../host/hash.ts';
import { readRecord, writeRecord } from '../host/records.ts';
import { runGit } from '../host/repository.ts';
import type { Address } from './address.ts';
import { catchFullDisk, folderOf, type GitProblem, withGitWorkFolder } from './git.ts';
import {
  type GitContext,
  type Repository,
  runLocalGit,
  runWithFallback,
  timeLimitsOf,
} from './git-transport.ts';
import { type Choice, isCommit } from './version.ts';

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

/**
 * Checks that the chosen version is a tag signed by an allowed signer. Git verifies it; the result is cached.
 * Returns `undefined` for a valid signature, else the problem.
 */
export async function checkSignature(
  repository: Repository,
  { commit, name, ref }: Choice,
  context: GitContext,
): Promise<GitProblem | undefined> {
  // Local changes under trial were never released.
  if (context.localSnapshot?.(commit, '')) return undefined;
  const { signers = [] } = repository;
  if (isCommit(name) || (ref !== undefined && !ref.startsWith('refs/tags/')))
    return { unsigned: 'is no tag' };
  const folder = folderOf(context, repository.address);
  const proof = join(folder, `signed-${sha256(Buffer.from(JSON.stringify([commit, name, signers])))}`);
  if (readRecord(proof)) return undefined;
  return catchFullDisk(() =>
    withGitWorkFolder<GitProblem | undefined>(context, async work => {
      const copy = join(work, 'tag');
      const format = commit.length === 64 ? 'sha256' : 'sha1';
      await runLocalGit(
        work,
        ['init', '--quiet', '--bare', `--object-format=${format}`, '--', copy],
        context,
      );
      const tag = `refs/tags/${name}`;
      const fetching = ({ url }: Address) => [
        'fetch',
        '--no-tags',
        '--no-write-fetch-head',
        '--depth=1',
        '--',
        url,
        `+${tag}:${tag}`,
      ];
      const fetched = await runWithFallback(repository, copy, fetching, context);
      if ('failure' in fetched) {
        const { kind } = fetched.failure;
        return kind === 'object' || kind === 'other' ? { unsigned: 'is no tag' } : fetched;
      }
      const reason = await whyNot(copy, name, commit, signers, context);
      if (reason !== undefined) return { unsigned: reason };
      writeRecord(proof, {}, []);
      return undefined;
    }),
  );
}

async function whyNot(
  copy: string,
  name: string,
  commit: string,
  signers: readonly string[],
  context: GitContext,
): Promise<string | undefined> {
  const tag = `refs/tags/${name}`;
  const leads = await runLocalGit(copy, ['rev-parse', '--verify', '--quiet', `${tag}^{commit}`], context);
  if (leads.kind !== 'done' || leads.output.toString('utf8').trim() !== commit)
    return 'is a tag that leads to another commit now';
  const read = await runLocalGit(copy, ['cat-file', 'tag', tag], context);
  const text = read.kind === 'done' ? read.output.toString('utf8') : '';
  if (!text.includes('-----BEGIN SSH SIGNATURE-----')) return 'is a tag without a signature of ssh';
  // A tag that was signed with another name could be an older release.
  if (/^tag (.*)$/m.exec(text)?.[1] !== name) return 'is a tag that was signed under another name';
  const file = join(copy, 'allowed-signers');
  nodeDisk.writeBytes(file, new TextEncoder().encode(`${signers.join('\n')}\n`));
  const config = [...sshOnly, ['gpg.ssh.allowedSignersFile', file] as const];
  const checked = await runGit({
    folder: copy,
    args: ['verify-tag', '--', tag],
    config,
    ...timeLimitsOf(context),
  });
  return checked.kind === 'done' ? undefined : 'is not signed by anybody whom `signers` names';
}
