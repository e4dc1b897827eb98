import type { Changed } from '../../project/add.ts';
import { changesTable, executableData } from './changes.ts';
import { lockText } from './lock.ts';

/** The JSON members of `add` and `remove`. */
export function changedData({ entry, line, locked, files, imported }: Changed): Record<string, unknown> {
  if (!locked) return {};
  return {
    output: entry,
    source: line,
    ...(imported !== undefined && { imported }),
    changedFiles: files ?? [],
    newlyExecutable: executableData(locked),
  };
}

/** What was added or removed, the resulting changes, and new executable content. */
export function changedText(
  { entry, line, locked, files = [], imported }: Changed,
  word: string,
  width: number,
): string {
  const next = files.length > 0 ? `A compile would now change:\n${changesTable(files, width)}` : '';
  const made =
    imported === undefined ? '' : `${entry} is the entry now, and brings ${imported} in as it is.\n`;
  return `${word} \`${line}\` in ${entry}.\n${made}${next}${lockText(locked!)}`;
}
