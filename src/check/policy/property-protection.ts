import type { Block } from '../../generated/blocks.ts';
import { propertyAdded, propertyProtected } from '../../generated/diagnostics.ts';
import type { PropertyProtectionPolicy } from '../../generated/types/config.ts';
import { findBlock } from '../../resolve/catalogue.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { compilePattern, type NamePattern, qualifiedNames } from './names.ts';
import { policyChange } from './policy-change.ts';

/**
 * Reports replacements of protected properties in entries that match the pattern, and additions to such lists
 * and texts as `append` says: an added line can contradict the existing ones.
 */
export const checkPropertyProtection: PolicyCheck<PropertyProtectionPolicy> = context => {
  const { policy, program, report, namesOf } = context;
  const { append = 'warn', properties } = policy;
  const pattern = compilePattern(policy.targetPattern);
  const reported = new Set<string>();
  for (const change of program.changes) {
    const found = policyChange(change);
    if (!found || (found.adds && append === 'allow')) continue;
    const { path, step, adds } = found;
    for (const base of found.bases) {
      const names = qualifiedNames(path, base, namesOf);
      const property = names.some(pattern.matches) ? touched(path, properties, names, pattern) : undefined;
      if (property === undefined) continue;
      const entry = path.slice(0, 2).join('.');
      const key = [property, entry, step.span.source.name, step.span.start].join('\n');
      if (reported.has(key)) break;
      reported.add(key);
      const holes = { property, entry, policy: policy.name };
      const where = findingOf(context, step.span, base);
      if (!adds) report(propertyProtected(holes, where));
      else report(propertyAdded(holes, append === 'deny' ? where : { ...where, severity: 'warning' }));
      break;
    }
  }
};

/** Properties that an entry in its short form consists of. */
const shortForm: ReadonlySet<string> = new Set(['content', 'description']);

/** Names for a text or list item without a key. */
export const unnamedParts: ReadonlySet<string> = new Set(['content', 'text', 'items']);

/**
 * The protected property that a change affects: the field it names, the topic or block itself, or the
 * properties of an entry in short form or of a block of texts.
 */
function touched(
  [block, entry, ...path]: readonly string[],
  properties: readonly string[],
  names: readonly string[],
  pattern: NamePattern,
): string | undefined {
  // An overlay for one tool changes the field for that tool.
  const field = path.length > 2 && (path[0] === 'tools' || path[0] === 'targets') ? path.slice(2) : path;
  if (field.length > 0) {
    const own = properties.find(name => name === field[0] || name === field.join('.'));
    return own ?? (isTopic(block!) ? properties.find(name => name === entry) : undefined);
  }
  if (entry !== undefined) {
    const short = findBlock(block!)?.entry !== undefined;
    return properties.find(name => name === entry || (short && shortForm.has(name)));
  }
  const { prose = true, aliases }: Partial<Block> = findBlock(block!) ?? {};
  if (!prose || names.some(pattern.names)) return properties[0];
  return properties.find(name => name === block || aliases?.includes(name) || unnamedParts.has(name));
}

/** In a block of prose a field is a topic and may be protected as a whole. */
const isTopic = (block: string): boolean => findBlock(block)?.prose ?? true;
