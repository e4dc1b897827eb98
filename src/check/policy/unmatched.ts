import { policyPropertyUnknown, policyUnmatched } from '../../generated/diagnostics.ts';
import type { PolicyDefinition, PropertyProtectionPolicy } from '../../generated/types/config.ts';
import { blockNames, findBlock } from '../../resolve/catalogue.ts';
import type { Node, Program, ProvenanceStep } from '../../resolve/program.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { renameFix } from '../../text/diagnostics/fixes.ts';
import { didYouMean } from '../../text/similar.ts';
import type { NamesOf, SpanOf } from './kind.ts';
import { compilePattern, qualifiedNames } from './names.ts';
import { unnamedParts } from './property-protection.ts';

/**
 * Reports policies that protect nothing: properties that no entry has, and a pattern that matches no entry of
 * the program. Patterns of inherited configurations are skipped, because they may be meant for other
 * projects.
 */
export function reportUnmatched(
  program: Program,
  policies: readonly PolicyDefinition[],
  spanOf: SpanOf,
  report: Report,
  namings: (index: number) => NamesOf,
): void {
  const own = spanOf([])?.source;
  for (const [index, policy] of policies.entries()) {
    if (policy.kind !== 'property-protection') continue;
    reportProperties(program, policy, ['policies', index, 'properties'], spanOf, report);
    const span = spanOf(['policies', index, 'targetPattern']);
    const { targetPattern: pattern, name } = policy;
    if (pattern === undefined || span?.source !== own || isMatched(program, pattern, namings(index)))
      continue;
    report(policyUnmatched({ policy: name, pattern }, { span, rule: name }));
  }
}

function isMatched(program: Program, pattern: string, namesOf: NamesOf): boolean {
  const { whole } = compilePattern(pattern);
  const matches = (path: readonly string[], bases: readonly ProvenanceStep[]) =>
    bases.some(base => qualifiedNames(path, base, namesOf).some(whole));
  for (const [block, { entries, steps }] of program.blocks) {
    // A block of texts counts by what it could contain.
    if (matches([block], steps) || matches([block, 'any'], steps)) return true;
    for (const entry of entries)
      if (entry.kind === 'field' && matches([block, entry.key], stepsIn(entry.node))) return true;
  }
  return false;
}

/** The declarations of a value and of its children. */
function stepsIn(node: Node): readonly ProvenanceStep[] {
  if (node.kind !== 'object') return node.steps;
  return [...node.steps, ...[...node.fields.values()].flatMap(stepsIn)];
}

/** Reports properties that no entry can have, or that none has. */
function reportProperties(
  program: Program,
  { name: policy, properties }: PropertyProtectionPolicy,
  path: readonly (string | number)[],
  spanOf: SpanOf,
  report: Report,
): void {
  const known = new Set([...blockNames, ...unnamedParts, ...catalogueFields(), ...namesOf(program)]);
  for (const [index, property] of properties.entries()) {
    if (known.has(property) || known.has(property.split('.')[0]!)) continue;
    const meant = didYouMean(property, known);
    const span = spanOf([...path, index]);
    // A topic may be added later, but a name similar to a known one is probably misspelt.
    const where = meant === '' ? { severity: 'info' as const } : { hint: `${meant}${advice}` };
    const fixes = renameFix(span, property, known);
    report(policyPropertyUnknown({ policy, property }, { span, rule: policy, fixes, ...where }));
  }
}

const advice = 'A policy protects fields of entries, topics and blocks, by the names that sources use.';

const catalogueFields = (): string[] =>
  blockNames.flatMap(block =>
    (findBlock(block)?.entry?.fields ?? []).flatMap(({ name, keys = [] }) => [name, ...keys]),
  );

function* namesOf({ blocks }: Program): Generator<string> {
  for (const [block, { entries }] of blocks) {
    yield block;
    for (const entry of entries) {
      if (entry.kind !== 'field') continue;
      yield entry.key;
      if (entry.node.kind === 'object') yield* entry.node.fields.keys();
    }
  }
}
