import { spawn } from 'node:child_process';
import { programPath } from '../../host/program-path.ts';
import { writeRendered } from '../streams.ts';

/**
 * Shows an already escaped text in the user's pager; without a pager it is printed. Returns whether the user
 * interrupted it.
 */
export async function showPaged(text: string): Promise<boolean> {
  const [file = 'cat', ...args] = (process.env.PAGER ?? 'less').split(/\s+/).filter(Boolean);
  // A search by the system could find a program of the project.
  const program = /[/\\]/.test(file) ? file : programPath(file);
  if (file === 'cat' || program === undefined) {
    writeRendered(text);
    return false;
  }
  // The pager handles Ctrl-C. If this program ended first, both would read the keyboard.
  const wait = () => {};
  process.on('SIGINT', wait);
  const end = await new Promise<'missing' | 'interrupted' | 'read'>(resolve => {
    // `-R` keeps colours, `-F` and `-X` leave a short text on the screen.
    const child = spawn(program, args, {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, LESS: process.env.LESS ?? 'FRX' },
    });
    child.on('error', () => resolve('missing'));
    child.on('close', (code, signal) =>
      resolve(signal === 'SIGINT' || code === 130 ? 'interrupted' : 'read'),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
  process.off('SIGINT', wait);
  if (end === 'missing') writeRendered(text);
  return end === 'interrupted';
}
