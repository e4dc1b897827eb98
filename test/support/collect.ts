import type { Diagnostic, Report } from '../../src/text/diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../../src/text/diagnostics/report.ts';

/** Collects what phases report; the findings come in the order in which a command shows them. */
export function collect(): { report: Report; diagnostics(): Diagnostic[] } {
  const found: Diagnostic[] = [];
  return { report: diagnostic => void found.push(diagnostic), diagnostics: () => sortDiagnostics(found) };
}
