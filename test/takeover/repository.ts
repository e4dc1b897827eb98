/** Git repositories with instruction files written by users, and functions to track every byte of them. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, cpSync, lstatSync, readdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { project } from '../cli/prs.ts';

const written = fileURLToPath(new URL('project', import.meta.url));

export function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=n', '-c', 'user.email=e@example.org'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/**
 * A repository with the files of `project/`: some committed, some staged, some changed since, some untracked, some
 * ignored.
 */
export function repository(): string {
  const folder = project({});
  cpSync(written, folder, { recursive: true });
  // As `.gitignore` it would hide files of the test data from this repository.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'rm', '-q', '--cached', 'AGENTS.md', '.cursor/rules/api.mdc', '.rules');
  git(folder, 'commit', '-q', '-m', 'first');
  git(folder, 'add', '.rules');
  appendFileSync(join(folder, '.github/copilot-instructions.md'), '\nChanged since.\n');
  chmodSync(join(folder, 'AGENTS.md'), 0o600);
  return folder;
}

export interface Seen {
  readonly sha256: string;
  readonly mode: string;
}

/** Every file and link with hash and mode, except the state of git and of the compiler. */
export function seen(folder: string): Map<string, Seen> {
  const found = new Map<string, Seen>();
  const walk = (inner: string) => {
    for (const entry of readdirSync(join(folder, inner), { withFileTypes: true })) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (path === '.git' || path.endsWith('.instr/.state')) continue;
      if (entry.isDirectory()) walk(path);
      else {
        const at = join(folder, path);
        const content = entry.isSymbolicLink() ? readlinkSync(at) : readFileSync(at);
        const sha256 = createHash('sha256').update(content).digest('hex');
        found.set(path, { sha256, mode: (lstatSync(at).mode & 0o777).toString(8) });
      }
    }
  };
  walk('');
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Hashes of all files below a folder: content that can still be recovered. */
export function hashesBelow(folder: string): Set<string> {
  const hashes = new Set<string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile())
      hashes.add(createHash('sha256').update(readFileSync(join(entry.parentPath, entry.name))).digest('hex'));
  return hashes;
}
