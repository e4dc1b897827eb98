import { executableFacts } from '../../project/executables.ts';
import type { Locked } from '../../project/lock.ts';
import type { ChangedFile } from '../../project/preview-update.ts';
import { table } from './table.ts';

/** What is newly executable, as members of a JSON object. */
export const executableData = ({ newlyExecutable }: Locked): object[] => newlyExecutable.map(executableFacts);

/** Files that a compile would change, as a table. */
export const changesTable = (files: readonly ChangedFile[], width: number): string =>
  table(
    files.map(({ path, state, added, removed }) => [`  ${state}`, path, `+${added} -${removed}`]),
    width,
  );
