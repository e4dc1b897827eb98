/** A real terminal for tests, based on tmux: types keys and reads the screen. */
import { spawnSync } from 'node:child_process';
import { environment, program } from './prs.ts';

export const hasTerminal = spawnSync('tmux', ['-V']).status === 0;

const server = `prs-test-${process.pid}`;
const tmux = (...args: string[]) => {
  const { stdout, stderr, status } = spawnSync('tmux', ['-L', server, ...args], { encoding: 'utf8', env: environment({ TERM: 'xterm-256color' }) });
  if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
  return stdout;
};
process.once('exit', () => spawnSync('tmux', ['-L', server, 'kill-server']));

export interface Screen {
  /** Returns everything shown so far, including lines that have scrolled away. */
  read(): string;
  /** Returns the visible lines, with colours on request. */
  visible(colors?: boolean): string;
  /** Sends keys by their tmux names, or text. */
  type(...keys: string[]): void;
  /** Waits until the screen matches. */
  shows(what: RegExp): Promise<string>;
  close(): void;
}

let sessions = 0;

/** Opens a shell in a directory, with `prs` as a command. After each command, the shell prints the exit code as `[code]`. */
export async function openScreen(folder: string, { columns = 80, rows = 40 } = {}): Promise<Screen> {
  const name = `screen${sessions++}`;
  const start = () => {
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', name, '-x', String(columns), '-y', String(rows), '-c', folder, 'bash --norc --noprofile', ';', 'set', '-g', 'exit-empty', 'off');
  };
  // A tmux server that is shutting down refuses a new session. A retry starts another server.
  for (let attempt = 1; ; attempt++) {
    try {
      start();
      break;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
  const read = () => tmux('capture-pane', '-p', '-J', '-t', name, '-S', '-500').trimEnd();
  const visible = (colors = false) => tmux('capture-pane', '-p', '-J', ...(colors ? ['-e'] : []), '-t', name);
  /** The screen before the last input, so that an earlier prompt is not mistaken for the next one. */
  let before = '';
  const type = (...keys: string[]) => {
    before = read();
    tmux('send-keys', '-t', name, ...keys);
  };
  const shows = async (what: RegExp) => {
    for (const end = Date.now() + 60_000; ; ) {
      const text = read();
      if (text !== before && what.test(text)) {
        // Lets tmux finish drawing.
        await new Promise(resolve => setTimeout(resolve, 50));
        const settled = read();
        return what.test(settled) ? settled : text;
      }
      if (Date.now() > end) throw new Error(`timed out waiting for ${what}:\n${text}`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };
  type(`prs() { '${process.execPath}' '${program}' "$@"; }; unset CI NO_COLOR FORCE_COLOR PAGER LESS; PS1='[$?] '; clear`, 'Enter');
  await shows(/^\[0\]$/);
  return { read, visible, type, shows, close: () => void tmux('kill-session', '-t', name) };
}
