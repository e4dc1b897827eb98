import { spawn } from 'node:child_process';
import { programPath } from '../../host/program-path.ts';
import { columnsOf } from '../../text/style.ts';
import { writeRendered } from '../streams.ts';
import type { Screen } from '../terminal.ts';

/**
 * Shows a long, already escaped text in the user's pager; a short text, or one without a pager, is printed.
 * Returns whether the user interrupted it.
 */
export async function showPaged(text: string, screen: Screen): Promise<boolean> {
  const rows = process.stdout.rows || 24;
  const command = process.env.PAGER ?? 'less';
  const found = commandOf(command);
  if (command === '' || command === 'cat' || !found || wrappedLines(text, screen.columns) < rows) {
    writeRendered(text);
    return false;
  }
  // The pager handles Ctrl-C. If this program ended first, both would read the keyboard.
  const wait = () => {};
  process.on('SIGINT', wait);
  const end = await new Promise<'missing' | 'interrupted' | 'read'>(resolve => {
    // `-R` keeps colours, `-F` and `-X` leave a short text on the screen.
    const [file, args, shell] = found;
    const child = spawn(file, args, {
      shell,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, LESS: process.env.LESS ?? 'FRX' },
    });
    child.on('error', () => resolve('missing'));
    child.on('close', (code, signal) => {
      const stopped = signal === 'SIGINT' || code === 130;
      resolve(code === 127 ? 'missing' : stopped ? 'interrupted' : 'read');
    });
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
  process.off('SIGINT', wait);
  if (end === 'missing') writeRendered(text);
  return end === 'interrupted';
}

/**
 * Parses `PAGER` like Git: a shell is used only where necessary, because Ctrl-C would end the shell and not
 * the pager in it.
 */
function commandOf(
  command: string,
): readonly [file: string, args: readonly string[], shell: boolean] | undefined {
  if (/[^\w\s./:+,@-]/.test(command)) return [command, [], true];
  const [file = '', ...args] = command.trim().split(/\s+/);
  // A search by the system could find a program of the project.
  const program = /[/\\]/.test(file) ? file : programPath(file);
  return program === undefined ? undefined : [program, args, false];
}

function wrappedLines(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / columns)), 0);
}
