import type { TargetSpec } from '../generated/types/target.ts';

/** A target that wants the main text, as far as the choice of files is concerned. */
export interface LayoutReader {
  readonly spec: TargetSpec;
  /** The main file that its spec writes. */
  readonly own: string;
  /** Other paths that its main file can have. */
  readonly places: readonly string[];
  /** Only its own file can hold its text, because its form or place was configured. */
  readonly ownOnly: boolean;
  /** Its own file is plain Markdown that other tools may read as well, equal to other plain main files. */
  readonly plain: boolean;
  /** Kinds of entries without a place of their own in this tool, which its main file must contain. */
  readonly needs: readonly string[];
}

/** The content of a main file: the text, or a line that imports it from another path. */
export type MainFile = 'text' | { readonly imports: string };

/**
 * The content of a main file that exists in any case: the text (a source that a tool reads itself), something else, or
 * something else that can be followed by the text or an import line.
 */
export type Present = 'text' | 'other' | 'open';

/** What a search has decided about a path so far. */
export type MainFileState = MainFile | 'none';
/** What is decided about each main file, by path. */
export type MainFileStates = Map<string, MainFileState>;

/** The path of a text that is placed later; no path is empty. */
export const undecided = '';
