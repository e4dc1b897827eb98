import { layerBackwards, layerTooFar, layerUnlisted } from '../../generated/diagnostics.ts';
import type { LayerBoundaryPolicy } from '../../generated/types/config.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { longestCover } from './names.ts';
import { policyChange } from './policy-change.ts';

/**
 * Reports changes across more layers than the policy allows, changes by a layer nearer to the base, and
 * changes of a governed declaration by a source in no listed layer.
 */
export const checkLayerBoundary: PolicyCheck<LayerBoundaryPolicy> = context => {
  const { policy, program, report, namesOf } = context;
  const { layers, maxDistance = 1 } = policy;
  const levelOf = (reference: string): number => {
    const name = longestCover(layers, namesOf(reference));
    return name === undefined ? -1 : layers.indexOf(name);
  };
  const reported = new Set<string>();
  for (const change of program.changes) {
    const { path, bases, step } = policyChange(change) ?? { path: [], bases: [], step: change.step };
    for (const base of bases) {
      const from = levelOf(base.layer.reference);
      if (from === -1 || base.layer.reference === step.layer.reference) continue;
      const to = levelOf(step.layer.reference);
      if (to !== -1 && to >= from && to - from <= maxDistance) continue;
      // One declaration may change several fields of an entry; it is reported once.
      const key = [base.layer.reference, path.slice(0, 2), step.span.source.name, step.span.start].join('\n');
      if (reported.has(key)) break;
      reported.add(key);
      const where = findingOf(context, step.span, base);
      const holes = {
        step: step.layer.reference,
        base: base.layer.reference,
        path: path.join('.'),
        policy: policy.name,
      };
      if (to === -1) report(layerUnlisted(holes, where));
      else if (to < from) report(layerBackwards(holes, where));
      else report(layerTooFar({ ...holes, distance: to - from, limit: maxDistance }, where));
      break;
    }
  }
};
