import type { Changed } from '../../project/add.ts';
import { lockText } from './lock.ts';
import { table } from './table.ts';

/** The members of the JSON object for `add` and `remove`. */
export function changedData({ entry, line, locked, files }: Changed): Record<string, unknown> {
  if (!locked) return {};
  return {
    output: entry,
    source: line,
    changedFiles: files ?? [],
    newlyExecutable: locked.newlyExecutable.map(({ name, word, sha256, from }) => ({
      name,
      word,
      sha256,
      from,
    })),
  };
}

/** What came or went, what that changes, and what of it can run. */
export function changedText(
  { entry, line, locked, files = [] }: Changed,
  word: string,
  width: number,
): string {
  const rows = files.map(({ path, state, added, removed }) => [`  ${state}`, path, `+${added} -${removed}`]);
  const next = files.length > 0 ? `A compile would now change:\n${table(rows, width)}` : '';
  return `${word} \`${line}\` in ${entry}.\n${next}${lockText(locked!)}`;
}
