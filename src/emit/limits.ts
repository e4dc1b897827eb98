import type { DocumentDraft } from './draft.ts';

export interface LimitFinding {
  readonly target: string;
  readonly holes: { size: number; unit: string; title: string; consequence: string; max: number };
}

const consequences = {
  cut: 'cuts off what is',
  ignored: 'ignores a file with',
  dropped: 'drops a file with',
  unknown: 'publishes a limit for what is',
  advice: 'advises against',
} as const;

/** Documents that are larger than a limit of one of their targets. */
export function limitFindings(drafts: readonly DocumentDraft[], content: string): LimitFinding[] {
  return drafts.flatMap(({ request: { spec }, place }) =>
    (spec.limits ?? [])
      .filter(limit => limit.file === place && limit.field === undefined)
      .flatMap(limit => {
        const size = measure(content, limit.unit);
        if (size <= limit.max) return [];
        const consequence = consequences[limit.then];
        return [
          {
            target: spec.id,
            holes: { size, unit: limit.unit, title: spec.title, consequence, max: limit.max },
          },
        ];
      }),
  );
}

/** Size in the unit of the vendor. Tokens are estimated: four characters each. */
export function measure(text: string, unit: 'characters' | 'bytes' | 'tokens' | 'lines'): number {
  if (unit === 'bytes') return new TextEncoder().encode(text).length;
  if (unit === 'lines') return text.split('\n').length - 1;
  const characters = [...text].length;
  return unit === 'tokens' ? Math.ceil(characters / 4) : characters;
}
