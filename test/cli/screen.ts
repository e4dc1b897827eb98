/** A terminal that a test types into and reads, by tmux: what a person sees. */
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
  /** Everything shown so far, with what has scrolled away. */
  read(): string;
  /** What is to be seen now; with its colours when asked for. */
  visible(colors?: boolean): string;
  /** Keys by their names in tmux, or text. */
  type(...keys: string[]): void;
  /** Waits until the screen shows it. */
  shows(what: RegExp): Promise<string>;
  close(): void;
}

let sessions = 0;

/** A shell in a directory, with `prs` as a command; the shell tells how each command ended as `[code]`. */
export async function openScreen(folder: string, { columns = 80, rows = 40 } = {}): Promise<Screen> {
  const name = `screen${sessions++}`;
  const start = () => {
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', name, '-x', String(columns), '-y', String(rows), '-c', folder, 'bash --norc --noprofile', ';', 'set', '-g', 'exit-empty', 'off');
  };
  // A server that is just going away refuses a new session; the next try starts another one.
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
  /** What stood there before something was typed: a prompt of then is not the one that comes after it. */
  let before = '';
  const type = (...keys: string[]) => {
    before = read();
    tmux('send-keys', '-t', name, ...keys);
  };
  const shows = async (what: RegExp) => {
    for (const end = Date.now() + 60_000; ; ) {
      const text = read();
      if (text !== before && what.test(text)) {
        // The rest of what is being drawn just now belongs to it.
        await new Promise(resolve => setTimeout(resolve, 50));
        const whole = read();
        return what.test(whole) ? whole : text;
      }
      if (Date.now() > end) throw new Error(`waited in vain for ${what}:\n${text}`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };
  type(`prs() { '${process.execPath}' '${program}' "$@"; }; unset CI NO_COLOR FORCE_COLOR PAGER LESS; PS1='[$?] '; clear`, 'Enter');
  await shows(/^\[0\]$/);
  return { read, visible, type, shows, close: () => void tmux('kill-session', '-t', name) };
}
