import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a person's machine says to programs and to Git, and no test may hear. */
const personal =
  /^(?:GIT_|SSH_|XDG_|INSTR_|PRS_|npm_|(?:https?|all|no)_proxy$|NODE_EXTRA_CA_CERTS$|NETRC$|(?:GIT_)?EDITOR$|VISUAL$|PAGER$|CDPATH$|FORCE_COLOR$)/i;

export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

/** An empty home, an author for Git and no other settings: a test ends the same way whoever runs it. */
export function createSurroundings(from: NodeJS.ProcessEnv = process.env): Surroundings {
  const home = mkdtempSync(join(tmpdir(), 'prs-home-'));
  const settings = join(home, '.gitconfig');
  writeFileSync(
    settings,
    '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const kept = Object.entries(from).filter(([name]) => !personal.test(name));
  const environment = {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'roaming'),
    LOCALAPPDATA: join(home, 'local'),
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
  };
  return { environment, remove: () => rmSync(home, { recursive: true, force: true }) };
}
