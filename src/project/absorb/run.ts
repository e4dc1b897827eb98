import type { EditedFile } from './edited-file.ts';
import type { Hunk } from './hunks.ts';
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

/** An edit with its outcome: the source lines that changed, or the reason why none did. */
export const resultOf = (
  hunk: Hunk,
  file: string,
  outcome: Pick<AbsorbedHunk, 'to' | 'isRelocated'> | Required<Pick<AbsorbedHunk, 'reason'>>,
): AbsorbedHunk => ({
  ...hunk,
  file,
  line: hunk.at + 1,
  state: 'to' in outcome ? 'absorbed' : 'refused',
  to: [],
  ...outcome,
});
