import type { Span } from '../source.ts';
import type { Fix } from './fixes.ts';

/** How serious a finding is: an `error` stops the run, a `warning` only with `--strict`, an `info` never. */
export type Severity = 'error' | 'warning' | 'info';

/** A second location that explains the first, such as the opening bracket or the earlier declaration. */
export interface Related {
  readonly message: string;
  readonly span: Span;
}

/** How several findings of one code are shown as one. */
export interface FindingGroup {
  /** What all of them have in common, shown after the total: `files are in the way`. */
  readonly all: string;
  /** The subgroup of this finding, shown after the number of its members: `differ only in layout`. */
  readonly group: string;
  /** A note about this finding, shown beside its file. */
  readonly note: string;
  /** Fields of the file that would be lost; they are counted over all files. */
  readonly lost?: readonly string[];
  /** The hint for the whole group, when the hint of a single finding applies to that finding alone. */
  readonly hint?: string;
}

/**
 * One finding, as a value. A phase passes it to `report` and continues with its best result. Only the
 * renderers compute line, column and frame from the span.
 */
export interface Diagnostic {
  /** Stable code such as `PRS1001`; numbers are never reused. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  /** Name of the built-in rule or policy that reported it, if any. */
  readonly rule?: string;
  /** Id of the target that the finding is about, if any. */
  readonly target?: string;
  readonly span?: Span;
  /** Path of a file when there is no position in a text: a missing file, a directory, an output. */
  readonly file?: string;
  /** Path of the offending value in the program, set by phases that do not know positions. */
  readonly about?: string;
  readonly related?: readonly Related[];
  /** Edits that do what the hint says, the most likely first. */
  readonly fixes?: readonly Fix[];
  /** How it is shown together with others of the same code. */
  readonly group?: FindingGroup;
}

/** Receives a finding. The phase that calls it continues afterwards. */
export type Report = (diagnostic: Diagnostic) => void;

/** What a constructor of the generated catalogue takes in addition to the placeholders of its message. */
export type DiagnosticPlace = {
  readonly [Part in keyof Omit<Diagnostic, 'code' | 'message'>]?: Diagnostic[Part] | undefined;
};
