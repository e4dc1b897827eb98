import type { Change, Operation, ProvenanceStep } from '../../resolve/program.ts';

/** One declaration that changed what another declared, the way round in which a policy looks at it. */
export interface PolicyChange {
  readonly path: readonly string[];
  /** Whose declaration was changed; a value that several sources shaped has one for each. */
  readonly bases: readonly ProvenanceStep[];
  readonly step: ProvenanceStep;
  /** Whether what was there still is. */
  readonly adds: boolean;
}

/** Operations that add to a value and leave what was there. */
const adding: ReadonlySet<Operation> = new Set(['append', 'merge', 'parameter']);

/**
 * A change as policies see it, whatever the order of declarations: what a file of the project says before it inherits
 * is a change of what it inherits, not the other way round. `undefined` when there is nothing to judge.
 */
export function policyChange({ path, base, others = [], step, meeting }: Change): PolicyChange | undefined {
  if (isRepeated(base, step)) return undefined;
  const adds = adding.has(step.operation);
  // The project spoke first and a shared file came later: what stayed is judged by itself, what went is no matter.
  if (meeting === 'brought' && !base.layer.remote && step.layer.remote) return undefined;
  const isOwn = ({ layer }: ProvenanceStep) => layer.reference === step.layer.reference;
  const bases = [base, ...others];
  return { path, bases: [...bases.filter(one => !isOwn(one)), ...bases.filter(isOwn)], step, adds };
}

/** A file that is brought in twice says again what it said. */
const isRepeated = (base: ProvenanceStep, step: ProvenanceStep): boolean =>
  base.span.source.name === step.span.source.name && base.span.start === step.span.start;
