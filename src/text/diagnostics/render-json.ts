import { maskSecrets } from '../secrets.ts';
import { positionAt, type Span, startOf } from '../source.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import type { Fix } from './fixes.ts';
import { shownHint, shownMessage } from './shown.ts';

/** A finding as `--json` shows it; absent facts have no key. */
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

/** Edits that do what the hint says. All positions are those of the text before any of them. */
export interface JsonFix {
  readonly title: string;
  readonly edits: readonly JsonEdit[];
}

/** The text that replaces a stretch of a file; lines and columns begin with 1, and the end is exclusive. */
export interface JsonEdit {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
}

/** A second place that belongs to a finding. */
export interface JsonRelated {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Findings as plain data in the published shape, all of them, in the order given. */
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

/** An edit that would write out what is masked elsewhere is no help to anyone who reads reports. */
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
