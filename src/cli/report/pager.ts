import { spawn } from 'node:child_process';
import type { Screen } from '../../host/terminal.ts';
import { writeResult } from '../streams.ts';

/** Shows a long text with the user's pager; short text, and text without a pager, is written as it is. */
export async function page(text: string, screen: Screen): Promise<void> {
  const rows = process.stdout.rows || 24;
  const command = process.env.PAGER ?? 'less';
  if (command === '' || command === 'cat' || wrappedLines(text, screen.columns) < rows)
    return writeResult(text);
  const started = await new Promise<boolean>(resolve => {
    // `-R` keeps colours, `-F` and `-X` leave a short text on the screen; a shell reads PAGER as it does for git.
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, LESS: process.env.LESS ?? 'FRX' },
    });
    child.on('error', () => resolve(false));
    child.on('close', code => resolve(code !== 127));
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
  if (!started) writeResult(text);
}

function wrappedLines(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
