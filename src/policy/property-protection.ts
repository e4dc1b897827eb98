import { propertyProtected } from '../generated/diagnostics.ts';
import type { PropertyProtectionPolicy } from '../generated/types/config.ts';
import { findBlock } from '../resolve/catalogue.ts';
import type { Change, Operation } from '../resolve/program.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { firstSegment } from './layer.ts';

/** Operations that add to a value and leave what was there. */
const adding: ReadonlySet<Operation> = new Set(['append', 'merge', 'parameter']);

/** Reports replacements of protected properties on entries that the pattern matches. */
export const checkPropertyProtection: PolicyCheck<PropertyProtectionPolicy> = async context => {
  const { policy, program, report } = context;
  const matches = await compile(policy.targetPattern);
  for (const change of program.changes) {
    if (adding.has(change.step.operation) || isRepeated(change)) continue;
    const property = touched(change, policy.properties);
    if (property === undefined || !namesOf(change).some(matches)) continue;
    const entry = change.path.slice(0, 2).join('.');
    const where = findingOf(context, change.step.span, change.base);
    report(propertyProtected({ property, entry, policy: policy.name }, where));
  }
};

/** A file that is brought in twice says again what it said. */
const isRepeated = ({ base, step }: Change): boolean =>
  base.span.source.name === step.span.source.name && base.span.start === step.span.start;

/**
 * The protected property that a change replaces: the one it names, or one that goes with the entry it replaces. A
 * topic of a block of prose is a property itself.
 */
function touched({ path, base }: Change, properties: readonly string[]): string | undefined {
  const [block, entry, ...field] = path;
  if (entry === undefined) return properties[0];
  if (field.length > 0) return properties.find(name => name === field[0] || name === field.join('.'));
  const fields = findBlock(block!)?.entry?.fields.map(({ name }) => name);
  const own = properties.find(name => name === entry || fields?.includes(name));
  return own ?? (!fields && heldFields(base) ? properties[0] : undefined);
}

/** The place of a field that holds fields is its key alone. */
const heldFields = ({ span: { source, start, end } }: Change['base']): boolean =>
  !source.text.slice(start, end).includes(':');

/** `@core/skills/review` and `skills.review` are the two ways a pattern may be written. */
function namesOf({ path, base }: Change): string[] {
  const names = path.slice(0, 2);
  return [`${firstSegment(base.layer)}/${names.join('/')}`, names.join('.')];
}

/** A matcher of qualified names. The name of a whole block matches when entries of it could. */
async function compile(pattern: string | undefined): Promise<(name: string) => boolean> {
  if (pattern === undefined) return () => true;
  const { default: picomatch } = await import('picomatch');
  // Without nested groups the compiled expression has nothing to backtrack into.
  const make = (glob: string) => picomatch(glob, { dot: true, noextglob: true, nonegate: true });
  const dotted = !pattern.includes('/');
  const whole = make(pattern);
  const block = make(dotted ? pattern.split('.')[0]! : pattern.split('/').slice(0, 2).join('/'));
  const isBlock = (name: string) => name.split(dotted ? '.' : '/').length === (dotted ? 1 : 2);
  return name => whole(name) || (isBlock(name) && (block(name) || pattern.includes('**')));
}
