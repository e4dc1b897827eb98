import { executableFacts } from '../../project/executables.ts';
import type { Locked } from '../../project/lock.ts';
import type { ChangedFile } from '../../project/preview-update.ts';
import { table } from './table.ts';

/** New executable content, as JSON members. */
export const executableData = ({ newlyExecutable }: Locked): object[] => newlyExecutable.map(executableFacts);

/** A table of the files that a compile would change. */
export const changesTable = (files: readonly ChangedFile[], width: number): string =>
  table(
    files.map(({ path, state, added, removed }) => [`  ${state}`, path, `+${added} -${removed}`]),
    width,
  );

/** The same after a heading; empty when a compile would change nothing. */
export const changesText = (files: readonly ChangedFile[], width: number): string =>
  files.length > 0 ? `A compile would now change:\n${changesTable(files, width)}` : '';
