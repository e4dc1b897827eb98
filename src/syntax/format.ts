import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Source } from '../text/source.ts';
import { parseDocument } from './parse.ts';
import { printDocument } from './print.ts';

/**
 * Formats a source in the canonical layout. Comments, meaning and the style of line ends are preserved, and
 * formatting is idempotent. Syntax errors are reported; the result is then `undefined`.
 */
export function formatSource(source: Source, report: Report): string | undefined {
  let broken = false;
  const document = parseDocument(source, finding => {
    if (finding.severity !== 'error') return;
    broken = true;
    report(finding);
  });
  if (broken) return undefined;
  const printed = printDocument(document);
  return /^[^\n]*\r\n/.test(source.text) ? printed.replace(/\r?\n/g, '\r\n') : printed;
}
