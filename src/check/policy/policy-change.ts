import type { Change, Operation, ProvenanceStep } from '../../resolve/program.ts';

/** A declaration that changed another one, in the direction in which policies consider it. */
export interface PolicyChange {
  readonly path: readonly string[];
  /** The declarations that were changed, one for each source that contributed to the value. */
  readonly bases: readonly ProvenanceStep[];
  readonly step: ProvenanceStep;
  /** Whether the previous value is preserved. */
  readonly adds: boolean;
}

/** Operations that add to a value and preserve it. */
const adding: ReadonlySet<Operation> = new Set(['append', 'merge', 'parameter']);

/**
 * A change as policies consider it, independent of the order of declarations: what a project file declares
 * before it inherits changes the inherited declaration, not the other way round. `undefined` when policies do
 * not apply.
 */
export function policyChange({ path, base, others = [], step, meeting }: Change): PolicyChange | undefined {
  if (isRepeated(base, step)) return undefined;
  const adds = adding.has(step.operation);
  // The project declared the value first and a shared file changed it later: the part that is kept is checked
  // separately, and the rest does not matter.
  if (meeting === 'brought' && !base.layer.remote && step.layer.remote) return undefined;
  const isOwn = ({ layer }: ProvenanceStep) => layer.reference === step.layer.reference;
  const bases = [base, ...others];
  return { path, bases: [...bases.filter(one => !isOwn(one)), ...bases.filter(isOwn)], step, adds };
}

/** A file that is imported twice repeats its declarations. */
const isRepeated = (base: ProvenanceStep, step: ProvenanceStep): boolean =>
  base.span.source.name === step.span.source.name && base.span.start === step.span.start;
