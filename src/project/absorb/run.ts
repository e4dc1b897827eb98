import type { EditedFile } from './edited-file.ts';
import { type Hunk, hunkKey } from './hunks.ts';
import type { Decide } from './try-candidate.ts';
import type { SourceLine, Workspace } from './workspace.ts';

/** An edit of a generated file, and whether the sources have it now. */
export interface AbsorbedHunk extends Hunk {
  readonly file: string;
  /** From 1, in the file as it was generated. */
  readonly line: number;
  readonly state: 'absorbed' | 'refused';
  /** The source lines that changed; none where another file had the same edit. */
  readonly to: readonly SourceLine[];
  /** The next compile writes the lines at another place of the file: above a generated section. */
  readonly isRelocated?: boolean | undefined;
  readonly reason?: string;
}

/** An applied hunk, with its key for another attempt. */
export type Applied = AbsorbedHunk & { readonly key: string };

/** The state of a run. */
export interface Run {
  readonly workspace: Workspace;
  readonly files: readonly EditedFile[];
  readonly decide: Decide;
  readonly applied: Applied[];
  /** How many candidates were tried since one was applied. */
  failures: number;
}

const absorbedHunk = (hunk: Hunk, file: string, to: AbsorbedHunk['to']): AbsorbedHunk => ({
  ...hunk,
  file,
  line: hunk.at + 1,
  state: 'absorbed',
  to,
});

export const appliedHunk = (
  hunk: Hunk,
  { path, base }: EditedFile,
  { to, isRelocated }: Pick<AbsorbedHunk, 'to' | 'isRelocated'>,
): Applied => ({
  ...absorbedHunk(hunk, path, to),
  ...(isRelocated && { isRelocated }),
  key: hunkKey(base, hunk),
});

export const refusedHunk = (hunk: Hunk, file: string, reason: string): AbsorbedHunk => ({
  ...hunk,
  file,
  line: hunk.at + 1,
  state: 'refused',
  to: [],
  reason,
});

/** A hunk that needed one change of the sources, which was kept or not. */
export const absorbedOrRefused = (
  hunk: Hunk,
  file: string,
  to: AbsorbedHunk['to'] | undefined,
  reason: string,
): AbsorbedHunk => (to ? absorbedHunk(hunk, file, to) : refusedHunk(hunk, file, reason));
