import { compareCode } from '../order.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';

/** So many files of a kind are named without being asked for. */
export const namedFiles = 20;

/** Name of the file a finding is about; empty when it is about the whole. */
export const fileOf = (diagnostic: Diagnostic): string =>
  diagnostic.span?.source.name ?? diagnostic.file ?? '';

/** Sorted by file, position and code; equal findings once. What has no file comes first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const sorted = [...diagnostics].sort(
    (a, b) =>
      compareCode(fileOf(a), fileOf(b)) ||
      (a.span?.start ?? -1) - (b.span?.start ?? -1) ||
      compareCode(a.code, b.code) ||
      compareCode(a.message, b.message) ||
      compareCode(a.target ?? '', b.target ?? '') ||
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
 * The part of a sorted list that is worth showing at once, and what is left out by severity. Errors come before
 * warnings when the choice is made; the order of what remains does not change.
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
