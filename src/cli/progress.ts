import { clearStatus, writeStatus } from './streams.ts';
import type { Screen } from './terminal.ts';

/** Milliseconds before the first line is shown. */
const showAfter = 1000;

/** A status line on the terminal during a long run. */
export interface Progress {
  readonly tell: (text: string) => void;
  /** Stops showing progress. */
  readonly end: () => void;
}

/** Shows progress in one line of a terminal, once a run has taken longer than a moment. */
export function startProgress(screen: Screen): Progress {
  const start = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let latest = '';
  let ended = false;
  const show = () => writeStatus(latest, screen.columns);
  return {
    tell: text => {
      if (ended || text === latest) return;
      latest = text;
      const left = start + showAfter - Date.now();
      if (left <= 0) show();
      else timer ??= setTimeout(show, left);
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      clearStatus();
    },
  };
}
