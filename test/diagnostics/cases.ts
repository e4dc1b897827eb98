/** Renders findings in a text as on a terminal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { casesBeside } from '../support/cases.ts';

interface Finding extends Omit<Diagnostic, 'span' | 'related'> {
  /** The text to mark; its first occurrence is used. */
  readonly at?: string;
  readonly related?: readonly { readonly message: string; readonly at: string }[];
}

/**
 * A case is a text (`source.txt`) and findings in it (`findings.json`), rendered at two widths.
 * `\uXXXX` in the text stands for the character, so that hidden characters can be reviewed.
 */
export const cases = casesBeside(import.meta.url, ['expected.txt'], directory => {
  const raw = readFileSync(join(directory, 'source.txt'), 'utf8');
  const source = {
    name: 'source.txt',
    text: raw.replace(/\\u([0-9a-f]{4})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  };
  const spanOf = (text: string) => {
    const start = text === '' ? source.text.length : source.text.indexOf(text);
    if (start === -1) throw new Error(`${text} is not in the source`);
    return { source, start, end: start + text.length };
  };
  const findings = (JSON.parse(readFileSync(join(directory, 'findings.json'), 'utf8')) as Finding[]).map(
    ({ at, related, ...rest }): Diagnostic => ({
      ...rest,
      ...(at !== undefined && { span: spanOf(at) }),
      ...(related && { related: related.map(({ message, at: place }) => ({ message, span: spanOf(place) })) }),
    }),
  );
  const drawn = [100, 50].map(width => `width ${width}\n\n${renderText(findings, { width })}`);
  return { 'expected.txt': drawn.join('\n') };
});
