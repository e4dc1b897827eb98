import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Variables of the user's environment that could affect programs or Git, and are removed for tests. */
const personal =
  /^(?:GIT_|SSH_|XDG_|INSTR_|PRS_|npm_|(?:https?|all|no)_proxy$|NODE_EXTRA_CA_CERTS$|NETRC$|(?:GIT_)?EDITOR$|VISUAL$|PAGER$|CDPATH$|FORCE_COLOR$)/i;

export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

/** Free space, in bytes, that a memory disk must have. Tests need much less. */
const enough = 4 * 2 ** 30;

/** Creates a temporary directory for a run. On Linux, a memory disk is preferred, because tests write many small files. */
function makeFolder(): string {
  const memory = '/dev/shm';
  if (process.platform === 'linux' && existsSync(memory)) {
    const { bavail, bsize } = statfsSync(memory);
    const folder = bavail * bsize < enough ? undefined : mkdtempSync(join(memory, 'prs-tests-'));
    if (folder && runsPrograms(folder)) return folder;
    if (folder) rmSync(folder, { recursive: true });
  }
  return mkdtempSync(join(tmpdir(), 'prs-tests-'));
}

/** Whether programs can be run from a folder. Some memory disks are mounted with `noexec`. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  return spawnSync(program).status === 0;
}

/** Creates an environment with an empty home and a Git author, so that results do not depend on the user's settings. */
export function createSurroundings(from: NodeJS.ProcessEnv = process.env): Surroundings {
  const folder = makeFolder();
  // Some tests run programs as another user.
  chmodSync(folder, 0o755);
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const path of [home, temporary]) mkdirSync(path);
  const settings = join(home, '.gitconfig');
  writeFileSync(
    settings,
    '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const kept = Object.entries(from).filter(([name]) => !personal.test(name));
  const environment = {
    ...Object.fromEntries(kept),
    TMPDIR: temporary,
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'roaming'),
    LOCALAPPDATA: join(home, 'local'),
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
  };
  return { environment, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
