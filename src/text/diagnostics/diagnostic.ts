import type { Span } from '../source.ts';
import type { Fix } from './fixes.ts';

/** How serious a finding is: an `error` stops the run, a `warning` only with `--strict`, an `info` never. */
export type Severity = 'error' | 'warning' | 'info';

/** A second place that helps to understand the first: the opener of a bracket, the earlier declaration. */
export interface Related {
  readonly message: string;
  readonly span: Span;
}

/** How many findings of one code are shown as one. */
export interface FindingGroup {
  /** What they are about, behind their number: `files are in the way`. */
  readonly all: string;
  /** Which of them this is one of, behind the number of those: `differ only in layout`. */
  readonly group: string;
  /** What is to be said of this one beside its file. */
  readonly note: string;
  /** Fields of the file that are lost; counted over all files. */
  readonly lost?: readonly string[];
  /** The way out for all of them, where that of one is about it alone. */
  readonly hint?: string;
}

/**
 * One finding. It is a value: phases hand it to `report` and go on with their best result.
 * Line, column and frame are computed from the span by the renderers, nowhere else.
 */
export interface Diagnostic {
  /** Stable code such as `PRS1001`; numbers are never reused. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  /** Name of the built-in rule or policy that found it, when one did. */
  readonly rule?: string;
  /** Target id the finding is about, when it is about one. */
  readonly target?: string;
  readonly span?: Span;
  /** Path of a file without a text position: a missing file, a directory, an output. */
  readonly file?: string;
  /** Path of the value of the program that is to blame, where the phase that reports knows no positions. */
  readonly about?: string;
  readonly related?: readonly Related[];
  /** Edits that do what the hint says, the likeliest first. */
  readonly fixes?: readonly Fix[];
  /** How it is shown among others like it. */
  readonly group?: FindingGroup;
}

/** Takes a finding; phases are given one and go on after calling it. */
export type Report = (diagnostic: Diagnostic) => void;

/** What a constructor of the generated catalogue takes beside the holes of its message. */
export interface DiagnosticPlace {
  readonly span?: Span | undefined;
  readonly file?: string | undefined;
  readonly about?: string | undefined;
  readonly hint?: string | undefined;
  readonly target?: string | undefined;
  readonly rule?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly related?: readonly Related[] | undefined;
  readonly fixes?: readonly Fix[] | undefined;
  readonly together?: FindingGroup | undefined;
}
