import type { Diagnostic, Report } from '../../src/text/diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../../src/text/diagnostics/report.ts';

/** Collects the diagnostics that phases report, in the order in which a command prints them. */
export function collect(): { report: Report; diagnostics(): Diagnostic[] } {
  const found: Diagnostic[] = [];
  return { report: diagnostic => void found.push(diagnostic), diagnostics: () => sortDiagnostics(found) };
}
