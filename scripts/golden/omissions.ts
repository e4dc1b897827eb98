/** Formats the omissions of a version, content that it has no place for, as text for reviewers. */
import type { Omission } from '../../src/kinds/output.ts';

/** One entry per omission, sorted: the source, the lines of the lost text after `|`, and the advice after `=`. */
export function formatOmissions(omissions: readonly Omission[]): string {
  const entries = omissions.map(({ source, text, advice }) => {
    const lines = text.replace(/\n+$/, '').split('\n');
    return [source, ...lines.map(line => `  | ${line}`.trimEnd()), `  = ${advice}`, ''].join('\n');
  });
  return entries.sort().join('\n');
}

/** Parses this text. The lost texts are not returned. */
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
