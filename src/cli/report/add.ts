import type { Changed } from '../../project/add.ts';
import type { OpenFailure } from '../../project/open/open.ts';
import type { Outcome } from '../command.ts';
import { changesText, executableData } from './changes.ts';
import { lockText } from './lock.ts';

/** The result of a command that changes the imports of the entry file; `word` says what it did. */
export function changedResult(changed: Changed | OpenFailure | undefined, word: string): Outcome {
  if (typeof changed !== 'object') return changed;
  const { root, entry, line, locked, files = [], imported } = changed;
  if (!locked) return { root };
  const made =
    imported === undefined ? '' : `${entry} is the entry now, and brings ${imported} in as it is.\n`;
  return {
    root,
    data: {
      output: entry,
      source: line,
      ...(imported !== undefined && { imported }),
      changedFiles: files,
      newlyExecutable: executableData(locked),
    },
    summary: width =>
      `${word} \`${line}\` in ${entry}.\n${made}${changesText(files, width)}${lockText(locked)}`,
  };
}
