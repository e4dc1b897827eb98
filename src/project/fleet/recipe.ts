import { posixWord } from '../../text/shell.ts';
import type { Change } from './change.ts';

/** What every file of a recipe says of itself; a file that says it may be replaced. */
export const mark = 'Written by `prs fleet apply`.';

/** Name of the program of a recipe. */
export const scriptName = 'update.sh';

/**
 * The program that carries a change out in one repository, in its working copy: it moves the source and compiles, in
 * every project of the repository, and commits nothing. Where it cannot, the repository stays as it is.
 */
export function updateScript({ to }: Change, sources: readonly string[]): string {
  const release = to.kind === 'named' ? posixWord(to.name) : "''";
  return `#!/bin/sh
# ${mark}
# Moves one shared source in every project of a repository and compiles. Run it at the root of a clone; it commits nothing.
# Where it ends with 1 it has said why, and left the project as it was.
#   PRS      the program, where it is not called prs: PRS='npx prs'
#   ACCEPT   1 where you have read what becomes executable: it is recorded then
set -u
sources=${posixWord(sources.join(' '))}
release=${release}
prs=\${PRS:-prs}
unset CI

update() {
  cd "$1" || return 1
  # The lock has each source in a line of its own, by itself or with a version.
  locked=$(sed -n 's/^  "\\{0,1\\}\\([^"]*\\)"\\{0,1\\}:$/ \\1@/p' instr.lock)
  names=
  for source in $sources; do
    if echo "$locked" | grep -qF " $source@"; then names="$names $source"; fi
  done
  [ -n "$names" ] || return 0
  if ! $prs compile --no-recursive --check --frozen --quiet; then
    echo "$1 is not as its sources say; compile and commit there first." >&2
    return 1
  fi
  # Names of sources have no blanks.
  $prs update $names --quiet >&2 || return 1
  # A version that came after the plan is another change.
  moved=$(git diff -U0 -- instr.lock | sed -n 's/^+ *ref: //p' | sort -u)
  if [ -n "$release" ] && [ -n "$moved" ] && [ "$moved" != "$release" ]; then
    git checkout --quiet -- instr.lock
    echo "$1 would move to $moved, and not to $release." >&2
    return 1
  fi
  if [ "\${ACCEPT:-}" = 1 ]; then $prs lock --quiet >&2 || return 1; fi
  if ! $prs compile --no-recursive --quiet; then
    git checkout --quiet -- instr.lock
    return 1
  fi
  # Where no file changes, the lock need not either.
  if [ -z "$(git status --porcelain -- . ':(exclude)instr.lock')" ]; then git checkout --quiet -- instr.lock; fi
}

git -c core.quotePath=false ls-files -- instr.lock '*/instr.lock' | {
  failed=0
  while IFS= read -r lock; do (update "$(dirname "$lock")" < /dev/null) || failed=1; done
  exit $failed
}
`;
}

/** What multi-gitter has to know: which repositories, and what the pull requests say. */
export const multiGitterConfig = (repositories: readonly string[], change: Change): string =>
  `# ${mark} Run: multi-gitter run ./${scriptName} --config multi-gitter.yaml
branch: instr/update
pr-title: ${JSON.stringify(titleOf(change))}
commit-message: ${JSON.stringify(titleOf(change))}
repo:
${repositories.map(name => `  - ${name}\n`).join('')}`;

const titleOf = ({ text }: Change): string => `Update shared instructions: ${text}`;

/** The same for octoherd, whose scripts are modules: it clones, runs the program, pushes a branch and opens the request. */
export const octoherdScript = (change: Change): string =>
  `// ${mark} Run: npx @octoherd/cli run -S ./octoherd.mjs -R $(cat repositories.txt)
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const update = fileURLToPath(new URL('./${scriptName}', import.meta.url));
const title = ${JSON.stringify(titleOf(change))};

/** Git signs in as it does elsewhere on this machine. */
export async function script(octokit, repository, { branch = 'instr/update' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'instr-fleet-'));
  const run = (program, ...args) => execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    run('git', 'clone', '--quiet', '--depth=1', repository.clone_url, '.');
    run('sh', update);
    if (run('git', 'status', '--porcelain') === '') {
      octokit.log.info('%s: nothing changes', repository.full_name);
      return;
    }
    run('git', 'add', '--all');
    run('git', 'commit', '--quiet', '--message', title);
    run('git', 'push', '--quiet', '--force', 'origin', \`HEAD:refs/heads/\${branch}\`);
    const { data } = await octokit.request('POST /repos/{owner}/{repo}/pulls', {
      owner: repository.owner.login,
      repo: repository.name,
      head: branch,
      base: repository.default_branch,
      title,
    });
    octokit.log.info('%s: %s', repository.full_name, data.html_url);
  } catch (error) {
    octokit.log.error('%s: %s', repository.full_name, error.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
`;
