import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';

/** Only what has not been said yet: two compiles of one program find much twice. */
export function onlyUnreported(reported: readonly Diagnostic[], report: Report): Report {
  const keyOf = ({ code, message, span, file, target }: Diagnostic) =>
    [code, message, span?.source.name, span?.start, file, target].join('\0');
  const known = new Set(reported.map(keyOf));
  return found => {
    if (!known.has(keyOf(found))) report(found);
  };
}
