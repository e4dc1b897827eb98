import { maskSecrets } from '../text/secrets.ts';
import { positionAt, type Span } from '../text/source.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';

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
}

export interface JsonRelated {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Findings as plain data in the published shape, all of them, in the order given. */
export function renderJson(diagnostics: readonly Diagnostic[]): JsonDiagnostic[] {
  return diagnostics.map(({ code, rule, severity, message, hint, target, span, file, related }) => ({
    code,
    ...(rule !== undefined && { rule }),
    severity,
    message: maskSecrets(message),
    ...(hint !== undefined && { hint: maskSecrets(hint) }),
    ...(target !== undefined && { target }),
    ...(span ? rangeOf(span) : file !== undefined && { file }),
    ...(related?.length && {
      related: related.map(({ message: text, span: at }) => ({ message: maskSecrets(text), ...placeOf(at) })),
    }),
  }));
}

function placeOf({ source, start }: Span): { file: string; line: number; column: number } {
  return { file: source.name, ...positionAt(source, start) };
}

function rangeOf(span: Span) {
  const end = positionAt(span.source, span.end);
  return { ...placeOf(span), endLine: end.line, endColumn: end.column };
}
