import { compareCodeUnits } from '../order.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';

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
