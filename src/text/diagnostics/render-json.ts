import type { Diagnostic as JsonDiagnostic } from '../../generated/types/report.ts';
import { maskSecrets } from '../secrets.ts';
import { positionAt, type Span, startOf } from '../source.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Fix } from './fixes.ts';
import { shownHint, shownMessage } from './shown.ts';

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
function fixesOf(fixes: readonly Fix[] = []): Pick<JsonDiagnostic, 'fixes'> {
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
