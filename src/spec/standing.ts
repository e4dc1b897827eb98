import type { TargetSpec } from '../generated/types/target.ts';
import { compareCodeUnits } from '../text/order.ts';
import { partOf } from './spec.ts';

/** How well it is established that a tool has a capability, with the newest evidence. */
export interface Standing {
  readonly of: string;
  /**
   * `proved`: a client was observed to receive it. `documented`: the vendor documents it. `assumed`: neither.
   */
  readonly standing: 'proved' | 'documented' | 'assumed';
  /** The client with its version, or a URL. */
  readonly source?: string;
  readonly checked?: string;
}

/** The capabilities that a spec has entries for, in projects or only for users. */
export function capabilitiesOf({ files, user }: TargetSpec): string[] {
  const entries = [...Object.values(files), ...Object.values(user?.files ?? {})];
  return [...new Set(entries.flatMap(entry => (typeof entry === 'string' ? [] : (partOf(entry) ?? []))))];
}

/** The standing of each capability of a spec, derived from its evidence and proofs. */
export function standingsOf(spec: TargetSpec): Standing[] {
  const { evidence, proof } = spec;
  const received = new Set(
    Object.entries(proof?.features ?? {}).flatMap(([feature, result]) =>
      result === 'missing' ? [] : feature.replace(/\..*/, ''),
    ),
  );
  return capabilitiesOf(spec).map(of => {
    if (proof && received.has(of))
      return { of, standing: 'proved', source: `${proof.client} ${proof.version}`, checked: proof.date };
    const shown = evidence.filter(one => one.of?.some(part => part === of));
    const own = shown.filter(({ others }) => !others);
    const [best] = (own.length > 0 ? own : shown).sort((a, b) => compareCodeUnits(b.checked, a.checked));
    return {
      of,
      standing: own.length > 0 ? 'documented' : 'assumed',
      ...(best && { source: best.url, checked: best.checked }),
    };
  });
}
