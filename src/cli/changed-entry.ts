import type { Changed } from '../project/add.ts';
import type { OpenFailure } from '../project/open/open.ts';
import type { Outcome } from './command.ts';

/** The result of a command that changes the imports of the entry file; `word` says what it did. */
export async function changedResult(
  changed: Changed | OpenFailure | undefined,
  word: string,
): Promise<Outcome> {
  if (typeof changed !== 'object') return changed;
  const { changedData, changedText } = await import('./rest.ts');
  return {
    root: changed.root,
    data: changedData(changed),
    ...(changed.locked && { summary: width => changedText(changed, word, width) }),
  };
}
