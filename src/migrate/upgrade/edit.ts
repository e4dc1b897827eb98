import type { Document } from '../../syntax/ast.ts';

/** A replacement in a text, by offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One step to a newer syntax. It works on the text, so that comments and layout survive. */
export interface Upgrade {
  /** The version that made it necessary. */
  readonly since: string;
  /** What it does, for the report. */
  readonly name: string;
  /** Edits that do not overlap, or none when the file needs nothing. */
  readonly edits: (document: Document, from: string) => readonly Edit[];
}

/** Applies edits; their order does not matter. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, text: replacement }) => result.slice(0, start) + replacement + result.slice(end),
      text,
    );
}
