import type { Block } from '../../generated/blocks.ts';
import { propertyAdded, propertyProtected } from '../../generated/diagnostics.ts';
import type { PropertyProtectionPolicy } from '../../generated/types/config.ts';
import { findBlock } from '../../resolve/catalogue.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { policyChange } from './policy-change.ts';
import { compilePattern, type NamePattern, qualifiedNames } from './qualified-name.ts';

/**
 * Reports replacements of protected properties on entries that the pattern matches, and what is added to such lists
 * and texts as far as `append` says: a line more can say the opposite of the lines that are there.
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

/** Properties that an entry in its short form stands for. */
const shortForm: ReadonlySet<string> = new Set(['content', 'description']);

/** What a loose text or list item of a block may be called. */
export const unnamedParts: ReadonlySet<string> = new Set(['content', 'text', 'items']);

/**
 * The protected property that a change is about: the field it names, the topic or the block itself, or what an entry
 * in its short form or a block of loose texts stands for.
 */
function touched(
  [block, entry, ...path]: readonly string[],
  properties: readonly string[],
  names: readonly string[],
  pattern: NamePattern,
): string | undefined {
  // What is said for one tool is a change of the field for that tool.
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
