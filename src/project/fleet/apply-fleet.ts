import { join, resolve } from 'node:path';
import { badOptionValue, importOutputExists } from '../../generated/diagnostics.ts';
import { readTextAt } from '../../host/host.ts';
import { parseAddress } from '../../registry/address.ts';
import { posixWord } from '../../text/shell.ts';
import { remoteOf } from '../git/queries.ts';
import type { OpenFailure } from '../open/open.ts';
import type { CompileContext } from '../session/world.ts';
import { type Change, isFolder, namedVersion, splitChange } from './change.ts';
import { type FleetPlan, type FleetRequest, planFleet } from './plan-fleet.ts';

/** The files of a recipe, and its plan. */
export interface Recipe {
  readonly folder: string;
  readonly files: readonly string[];
  readonly plan: FleetPlan;
  /** Repositories to change, as `owner/name`. */
  readonly repositories: readonly string[];
  /** Repositories to change whose clones have no remote. */
  readonly withoutServer: readonly string[];
}

/**
 * Plans a change and writes the files that carry it out with multi-gitter in the affected repositories.
 * Other existing files are not replaced. Returns no recipe after a report.
 */
export async function writeRecipe(
  request: FleetRequest & { readonly output: string; readonly force: boolean },
  context: CompileContext,
): Promise<Recipe | OpenFailure | undefined> {
  const { report, disk, cwd } = context;
  const { change: text = '' } = request;
  const { version } = splitChange(text);
  const isReleased =
    text !== '' && (version === undefined || (!isFolder(version) && namedVersion(version).kind === 'named'));
  if (!isReleased) {
    const hint =
      text === ''
        ? 'Say which source moves: `--change @lumen@v1.3.0`.'
        : 'Repositories pin releases: tag the change, push the tag, and name it.';
    report(badOptionValue({ option: '--change', value: text, allowed: '<source>@<tag>' }, { hint }));
    return 'wrong-request';
  }
  const plan = await planFleet(request, context);
  if (typeof plan === 'string') return plan;
  if (!plan.change || plan.sources.length === 0) return undefined;
  const changed = plan.repositories.filter(({ files }) => files.length > 0);
  const named = changed.map(({ root, repository }) => ({ repository, name: serverName(root) }));
  const repositories = named.flatMap(({ name }) => name ?? []);
  const files: readonly (readonly [path: string, text: string, mode?: number])[] = [
    [scriptName, updateScript(plan.change, plan.sources), 0o755],
    ['multi-gitter.yaml', multiGitterConfig(repositories, plan.change)],
  ];
  const folder = resolve(cwd, request.output);
  for (const [name] of files) {
    const present = readTextAt(disk, join(folder, name));
    if (present === undefined || request.force || present.includes(mark)) continue;
    report(importOutputExists({ path: join(request.output, name) }));
    return undefined;
  }
  disk.makeDirectory(folder);
  for (const [name, content, mode] of files) {
    disk.writeBytes(join(folder, name), new TextEncoder().encode(content));
    if (mode !== undefined) disk.setMode(join(folder, name), mode);
  }
  const withoutServer = named.filter(({ name }) => name === undefined).map(({ repository }) => repository);
  return { folder, files: files.map(([name]) => name), plan, repositories, withoutServer };
}

/** `owner/name` of the remote of a clone; `undefined` without a server. */
function serverName(root: string): string | undefined {
  const url = remoteOf(root);
  const address = url === undefined ? undefined : parseAddress(url, root);
  if (!address || 'refused' in address || address.protocol === 'file') return undefined;
  const { shown, host = '' } = address;
  const path = /^[a-z+]+:\/\//.test(shown)
    ? new URL(shown).pathname
    : shown.slice(shown.indexOf(`${host}:`) + host.length + 1);
  return path.replace(/^\/+|(?:\.git)?\/*$/g, '');
}

/** A line in every file of a recipe. Files with this line may be replaced. */
const mark = 'Written by `prs fleet apply`.';

const scriptName = 'update.sh';

/**
 * The script that applies the change in one working copy: it updates the source and compiles in every project, without
 * committing. On failure the repository is unchanged.
 */
function updateScript({ to }: Change, sources: readonly string[]): string {
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

/** The configuration of multi-gitter: repositories and text of the pull requests. */
const multiGitterConfig = (repositories: readonly string[], change: Change): string =>
  `# ${mark} Run: multi-gitter run ./${scriptName} --config multi-gitter.yaml
branch: instr/update
pr-title: ${JSON.stringify(titleOf(change))}
commit-message: ${JSON.stringify(titleOf(change))}
repo:
${repositories.map(name => `  - ${name}\n`).join('')}`;

const titleOf = ({ text }: Change): string => `Update shared instructions: ${text}`;
