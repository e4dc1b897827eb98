import { compareCodeUnits } from '../order.ts';
import type { Span } from '../source.ts';
import type { Diagnostic, Report, Severity } from './diagnostic.ts';
import type { Edit } from './fixes.ts';

/** The number of files of one kind that are listed by default. */
export const maxListedFiles = 20;

/** Name of the file that a finding is about; empty for a finding about the whole project. */
export const fileOf = (diagnostic: Diagnostic): string =>
  diagnostic.span?.source.name ?? diagnostic.file ?? '';

/** Sorts findings by file, position and code, and removes duplicates. Findings without a file come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const sorted = [...diagnostics].sort(
    (a, b) =>
      compareCodeUnits(fileOf(a), fileOf(b)) ||
      (a.span?.start ?? -1) - (b.span?.start ?? -1) ||
      compareCodeUnits(a.code, b.code) ||
      compareCodeUnits(a.message, b.message) ||
      compareCodeUnits(a.target ?? '', b.target ?? '') ||
      (a.span?.end ?? -1) - (b.span?.end ?? -1),
  );
  const seen = new Set<string>();
  return sorted.filter(diagnostic => {
    const { span, code, message, target = '', severity } = diagnostic;
    const key = JSON.stringify([fileOf(diagnostic), span?.start, span?.end, code, severity, target, message]);
    return !seen.has(key) && seen.add(key);
  });
}

const weight: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/**
 * Selects the findings to show when there are more than `limit`, and counts the rest by severity. Errors are
 * preferred to warnings; the order does not change.
 */
export function selectShown(
  diagnostics: readonly Diagnostic[],
  limit: number,
): { shown: readonly Diagnostic[]; rest: Readonly<Record<Severity, number>> } {
  const rest = { error: 0, warning: 0, info: 0 };
  if (diagnostics.length <= limit) return { shown: diagnostics, rest };
  const ranked = [...diagnostics].sort((a, b) => weight[a.severity] - weight[b.severity]);
  const chosen = new Set(ranked.slice(0, limit));
  for (const { severity } of ranked.slice(limit)) rest[severity] += 1;
  return { shown: diagnostics.filter(diagnostic => chosen.has(diagnostic)), rest };
}

/** A report that collects findings, and passes each on to `next`. */
export function collectFindings(next?: Report): { readonly findings: Diagnostic[]; readonly report: Report } {
  const findings: Diagnostic[] = [];
  const report: Report = found => {
    findings.push(found);
    next?.(found);
  };
  return { findings, report };
}

/** A report that passes findings on, and `failed`, which tells whether one of them was an error. */
export function watchErrors(next: Report): { readonly report: Report; readonly failed: () => boolean } {
  let failed = false;
  const report: Report = found => {
    failed ||= found.severity === 'error';
    next(found);
  };
  return { report, failed: () => failed };
}

/** A finding with its spans and its file mapped, also those of related places and of fixes. */
export function mapPlaces(
  found: Diagnostic,
  span: (one: Span) => Span,
  file: (path: string) => string,
): Diagnostic {
  const edit = (one: Edit): Edit => ({ ...one, span: span(one.span) });
  return {
    ...found,
    ...(found.span && { span: span(found.span) }),
    ...(found.file !== undefined && { file: file(found.file) }),
    ...(found.related && { related: found.related.map(one => ({ ...one, span: span(one.span) })) }),
    ...(found.fixes && { fixes: found.fixes.map(fix => ({ ...fix, edits: fix.edits.map(edit) })) }),
  };
}
