import type { TargetSpec } from '../generated/types/target.ts';
import { compareCodeUnits } from '../text/order.ts';
import { partOf } from './spec.ts';

/** How well it is established that a tool has a capability, with the newest evidence. */
export interface Confidence {
  readonly of: string;
  /**
   * `proved`: a client was observed to receive it. `documented`: the vendor documents it. `assumed`: neither.
   */
  readonly confidence: 'proved' | 'documented' | 'assumed';
  /** The client with its version, or a URL. */
  readonly source?: string;
  readonly checked?: string;
}

/** The capabilities that a spec has entries for, in projects or only for users. */
export function capabilitiesOf({ files, user }: TargetSpec): string[] {
  const entries = [...Object.values(files), ...Object.values(user?.files ?? {})];
  return [...new Set(entries.flatMap(entry => (typeof entry === 'string' ? [] : (partOf(entry) ?? []))))];
}

/** The confidence of each capability of a spec, derived from its evidence and proofs. */
export function confidenceOf(spec: TargetSpec): Confidence[] {
  const { evidence, proof } = spec;
  const received = new Set(
    Object.entries(proof?.features ?? {}).flatMap(([feature, result]) =>
      result === 'missing' ? [] : feature.replace(/\..*/, ''),
    ),
  );
  return capabilitiesOf(spec).map(of => {
    if (proof && received.has(of))
      return { of, confidence: 'proved', source: `${proof.client} ${proof.version}`, checked: proof.date };
    const shown = evidence.filter(one => one.of?.some(part => part === of));
    const own = shown.filter(({ others }) => !others);
    const [best] = (own.length > 0 ? own : shown).sort((a, b) => compareCodeUnits(b.checked, a.checked));
    return {
      of,
      confidence: own.length > 0 ? 'documented' : 'assumed',
      ...(best && { source: best.url, checked: best.checked }),
    };
  });
}
