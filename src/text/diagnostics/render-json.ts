import { maskSecrets } from '../secrets.ts';
import { positionAt, type Span, startOf } from '../source.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import type { Fix } from './fixes.ts';
import { shownHint, shownMessage } from './shown.ts';

/** A finding as `--json` prints it. Absent parts get no key. */
export interface JsonDiagnostic {
  readonly code: string;
  readonly rule?: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly target?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly related?: readonly JsonRelated[];
  readonly fixes?: readonly JsonFix[];
}

/** Edits that do what the hint says. All positions refer to the text before the first edit. */
export interface JsonFix {
  readonly title: string;
  readonly edits: readonly JsonEdit[];
}

/** Replaces a range of a file. Lines and columns start at 1; the end is exclusive. */
export interface JsonEdit {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
}

/** A second location that belongs to a finding. */
export interface JsonRelated {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Converts findings to plain data in the published JSON shape: all of them, in the given order. */
export function renderJson(diagnostics: readonly Diagnostic[]): JsonDiagnostic[] {
  return diagnostics.map(({ code, rule, severity, message, hint, target, span, file, related, fixes }) => ({
    code,
    ...(rule !== undefined && { rule }),
    severity,
    message: shownMessage(message),
    ...(hint !== undefined && { hint: shownHint(hint) }),
    ...(target !== undefined && { target }),
    ...(span ? rangeOf(span) : file !== undefined && { file }),
    ...(related?.length && {
      related: related.map(({ message: text, span: at }) => ({
        message: shownMessage(text),
        ...startOf(at),
      })),
    }),
    ...fixesOf(fixes),
  }));
}

/** A fix must not print a credential that is masked everywhere else. */
function fixesOf(fixes: readonly Fix[] = []): { fixes?: readonly JsonFix[] } {
  const shown = fixes.filter(({ edits }) => edits.every(({ text }) => maskSecrets(text) === text));
  if (shown.length === 0) return {};
  return {
    fixes: shown.map(({ title, edits }) => ({
      title: maskSecrets(title),
      edits: edits.map(({ span, text }) => ({ ...rangeOf(span), text })),
    })),
  };
}

function rangeOf(span: Span) {
  const end = positionAt(span.source, span.end);
  return { ...startOf(span), endLine: end.line, endColumn: end.column };
}
