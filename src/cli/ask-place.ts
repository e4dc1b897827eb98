import type { Choice } from '../project/absorb/choices.ts';
import type { Hunk } from '../project/absorb/hunks.ts';
import { printable } from '../text/display.ts';

/** Asks where an edit goes that fits in two places; `undefined`: it stays where it is. */
export async function askPlace(
  { added, removed, at }: Hunk,
  file: string,
  choices: readonly Choice[],
): Promise<number | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const lines = [...removed.map(line => `- ${line}`), ...added.map(line => `+ ${line}`)];
  const answer = await select({
    message: [`Where does this edit of ${file}:${at + 1} go?`, ...lines.slice(0, 8)]
      .map(printable)
      .join('\n'),
    options: [
      ...choices.map(({ file: path, line, beside }, value) => ({
        value,
        label: printable(`${path}:${line}`),
        hint: printable(beside.slice(0, 60)),
      })),
      { value: -1, label: 'Leave it where it is', hint: '' },
    ],
    output: process.stderr,
  });
  return isCancel(answer) || answer === -1 ? undefined : answer;
}
