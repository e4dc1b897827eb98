/** Writes the results of a proof into the spec of its target. */
import { groupResults, type Row } from './report.ts';

/**
 * The text of a spec with the proof of `row`, which replaces an older proof and follows the evidence. `files` is the hash
 * of the files that the client was given.
 */
export function recordProof(text: string, files: string, row: Row, date: string): string {
  const features = Object.entries(groupResults(row.results)).map(([name, result]) => `${name}: ${result}`);
  const proof = [
    `proof: { client: ${row.client}, version: ${row.version}, date: ${date}, files: "${files}",`,
    ...filled('  features: {', features, ' } }'),
  ];
  const lines = withoutField(text.split('\n'), 'proof');
  const at = endOf(lines, 'evidence');
  return [...lines.slice(0, at), ...proof, ...lines.slice(at)].join('\n');
}

/** Writes `begin` and the words, wrapped at 120 characters. */
function filled(begin: string, words: readonly string[], end: string): string[] {
  const lines = [begin];
  for (const [index, word] of words.entries()) {
    const text = ` ${word}${index < words.length - 1 ? ',' : end}`;
    if (`${lines.at(-1)}${text}`.length > 120) lines.push(`   ${text}`);
    else lines.push(`${lines.pop()}${text}`);
  }
  return lines;
}

function withoutField(lines: readonly string[], field: string): string[] {
  const start = lines.findIndex(line => line.startsWith(`${field}:`));
  return start === -1 ? [...lines] : [...lines.slice(0, start), ...lines.slice(endOf(lines, field))];
}

/** Index of the line after a top-level field. */
function endOf(lines: readonly string[], field: string): number {
  const start = lines.findIndex(line => line.startsWith(`${field}:`));
  const next = lines.findIndex((line, at) => at > start && /^\S/.test(line));
  return next === -1 ? lines.length : next;
}
