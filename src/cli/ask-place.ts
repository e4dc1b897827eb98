import type { Hunk } from '../project/absorb/hunks.ts';
import type { Choice } from '../project/absorb/try-candidate.ts';
import { prompts } from './prompts.ts';

/** Asks where to put an edit that fits in two places; `undefined` leaves it in the generated file. */
export async function askPlace(
  { added, removed, at }: Hunk,
  file: string,
  choices: readonly Choice[],
): Promise<number | undefined> {
  const { isCancel, select } = await prompts();
  const lines = [...removed.map(line => `- ${line}`), ...added.map(line => `+ ${line}`)];
  const answer = await select({
    message: [`Where does this edit of ${file}:${at + 1} go?`, ...lines.slice(0, 8)].join('\n'),
    options: [
      ...choices.map(({ file: path, line, context }, value) => ({
        value,
        label: `${path}:${line}`,
        hint: context.slice(0, 60),
      })),
      { value: -1, label: 'Leave it where it is', hint: '' },
    ],
  });
  return isCancel(answer) || answer === -1 ? undefined : answer;
}
