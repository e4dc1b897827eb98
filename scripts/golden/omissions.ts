/** What has no place in a version, as a text that reviewers read. */
import type { Omission } from '../../src/kinds/output.ts';

/** Sorted by source: the source, each line of the lost text behind a bar, then the advice. */
export function formatOmissions(omissions: readonly Omission[]): string {
  const entries = omissions.map(({ source, text, advice }) => {
    const lines = text.replace(/\n+$/, '').split('\n');
    return [source, ...lines.map(line => `  | ${line}`.trimEnd()), `  = ${advice}`, ''].join('\n');
  });
  return entries.sort().join('\n');
}

/** The same text read back, without the lost texts. */
export function parseOmissions(text: string): { source: string; advice: string }[] {
  return text
    .split('\n\n')
    .filter(entry => entry.trim() !== '')
    .map(entry => {
      const lines = entry.split('\n').filter(line => line !== '');
      const advice = lines.findLast(line => line.startsWith('  = ')) ?? '';
      return { source: lines[0]!, advice: advice.slice('  = '.length) };
    });
}
