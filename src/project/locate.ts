import type { Program } from '../resolve/program.ts';
import { declarationSpan } from '../resolve/written-at.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';

/** Gives findings about values of the program the place of their declaration; their own is for values that have none. */
export function locating(report: Report, program: Program): Report {
  return ({ about, ...finding }) => {
    const span = (about === undefined ? undefined : declarationSpan(about, program)) ?? finding.span;
    report({ ...finding, ...(span && { span }) });
  };
}
