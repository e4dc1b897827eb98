/** Writes what a proof found into the spec of its target. */
import { createHash } from 'node:crypto';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { compareCode } from '../../src/text/order.ts';
import { groupResults, type Row } from './report.ts';

/**
 * Hash of what a spec, completed, says of its tool: evidence, help, how it is found on a machine and the proof itself change
 * nothing, nor does where the tool finds what is written for others, since a proof is recorded of the client alone.
 */
export function hashOf(spec: TargetSpec): string {
  const { proof: _proof, evidence: _evidence, installed: _installed, versions, reads, ...facts } = spec;
  const { also: _also, ...own } = reads ?? {};
  const all = { ...facts, ...(reads && { reads: own }), versions: Object.keys(versions) };
  return createHash('sha256')
    .update(JSON.stringify(sorted(all)))
    .digest('hex')
    .slice(0, 12);
}

/** A value whose objects have their keys in one order: where a field stands says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareCode(a, b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/** The text of a spec with the proof of `row` in the place of an older one, else behind the evidence. */
export function recordProof(text: string, spec: TargetSpec, row: Row, date: string): string {
  const features = Object.entries(groupResults(row.results)).map(([name, result]) => `${name}: ${result}`);
  const proof = [
    'proof:',
    `  client: ${row.client}`,
    `  version: ${row.version}`,
    `  date: ${date}`,
    `  spec: "${hashOf(spec)}"`,
    `  features: { ${features.join(', ')} }`,
  ];
  const lines = withoutField(text.split('\n'), 'proof');
  const at = endOf(lines, 'evidence');
  return [...lines.slice(0, at), ...proof, ...lines.slice(at)].join('\n');
}

function withoutField(lines: readonly string[], field: string): string[] {
  const start = lines.indexOf(`${field}:`);
  return start === -1 ? [...lines] : [...lines.slice(0, start), ...lines.slice(endOf(lines, field))];
}

/** The line behind a field of the top level. */
function endOf(lines: readonly string[], field: string): number {
  const start = lines.findIndex(line => line.startsWith(`${field}:`));
  const next = lines.findIndex((line, at) => at > start && /^\S/.test(line));
  return next === -1 ? lines.length : next;
}
