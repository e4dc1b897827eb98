import type { Surroundings } from './candidates.ts';
import type { Decide } from './choices.ts';
import type { Edited } from './edited.ts';
import { type Hunk, hunkKey } from './hunks.ts';
import type { Trial, Workshop } from './trial.ts';

/** An edit of a generated file, and what became of it. */
export interface AbsorbedHunk extends Hunk {
  readonly file: string;
  /** Counted from 1, in the file as it was generated. */
  readonly line: number;
  readonly state: 'absorbed' | 'refused';
  /** Lines of sources that changed for it; none where another file had the same edit. */
  readonly to: readonly { readonly file: string; readonly line: number }[];
  readonly reason?: string;
}

/** A hunk that came home, with what makes it the same one in another run. */
export type Done = AbsorbedHunk & { readonly key: string };

/** What a run has and what it has done so far. */
export interface Work {
  readonly shop: Workshop;
  readonly files: readonly Edited[];
  trial: Trial;
  readonly done: Done[];
  readonly decide: Decide;
  /** A file whose edits have no place in the sources may become one. */
  readonly apart: boolean;
  /** So many changes of the sources were tried in vain since one was right. */
  vain: number;
}

/** A hunk that came home into some lines of sources. */
export const absorbed = (hunk: Hunk, { path, base }: Edited, to: AbsorbedHunk['to']): Done => ({
  ...hunk,
  key: hunkKey(base, hunk),
  file: path,
  line: hunk.at + 1,
  state: 'absorbed',
  to,
});

/** What is known about the place of an edit in a file whose planned lines are given. */
export const surroundingsOf = async (
  { path }: Edited,
  lines: readonly string[],
  { shop, trial }: Work,
): Promise<Surroundings> => ({
  lines,
  sources: trial.compiled.sources,
  originsOf: await shop.originsIn(path, lines.join('\n')),
  sourceLines: source => shop.linesOf(source),
});
