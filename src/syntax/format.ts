import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Source } from '../text/source.ts';
import { parseDocument } from './parse.ts';
import { printDocument } from './print.ts';

/**
 * The text of a source in the one layout of the language: comments stay, what it says stays, and so does the kind of
 * its line ends. Laying out the result again changes nothing. What cannot be understood is reported; the result is then
 * `undefined`, because the layout of a guess is of no use to anybody.
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
