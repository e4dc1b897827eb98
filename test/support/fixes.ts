/** Applies fixes of diagnostics, as an editor does. */
import type { Fix } from '../../src/text/diagnostics/fixes.ts';

/** The text of the file `name` after the edits of a fix for that file. */
export function applyFix({ edits }: Fix, name: string, text: string): string {
  const own = edits.filter(({ span }) => span.source.name === name);
  let result = text;
  for (const { span, text: inserted } of [...own].sort((a, b) => b.span.start - a.span.start)) {
    result = result.slice(0, span.start) + inserted + result.slice(span.end);
  }
  return result;
}
