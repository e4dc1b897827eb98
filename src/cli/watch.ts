import type { CompileContext } from '../project/session/world.ts';
import { type WatchRequest, watchProject } from '../project/watch/watch.ts';
import type { CommandResult, PrsCommand } from './command.ts';
import { absorbText } from './report/absorb.ts';
import { compileText } from './report/compile.ts';
import { showResult } from './report/outcome.ts';
import { clearScreen, type Progress, startProgress, writeError } from './streams.ts';
import type { Terminal } from './terminal.ts';

/** Compiles until the user stops it; every round with news is shown like a separate compile. */
export async function watchCommand(
  request: WatchRequest,
  command: PrsCommand,
  context: CompileContext,
  terminal: Terminal,
): Promise<CommandResult> {
  const { silent, verbose } = command;
  let first = true;
  let progress: Progress | undefined;
  const watched = { ...context, progress: (text: string) => progress?.tell(text) };
  return watchProject(request, watched, {
    starting: () => {
      if (!silent && terminal.stderr.isTerminal) progress = startProgress(terminal.stderr);
    },
    finished: async ({ result, diagnostics, milliseconds, idle, clear, absorbed }) => {
      progress?.end();
      if (idle && !first && !absorbed?.written) return;
      // A round without news keeps the previous output.
      if (clear && terminal.stdout.isTerminal && !silent) clearScreen();
      const now = context.clock().toTimeString().slice(0, 8);
      const view = { dryRun: false, check: false, brief: !first, verbose, milliseconds, now };
      const moved = absorbed ? absorbText(absorbed, false, true) : '';
      const outcome = typeof result !== 'string' && {
        root: result.root,
        summary: (width: number) => moved + compileText(result, view, width),
      };
      await showResult('compile', command, outcome || {}, diagnostics, terminal);
      if (first && !silent) writeError('Watching for changes. Ctrl-C ends it.\n');
      first = false;
    },
  });
}
