import type { Report } from '../diagnostics/diagnostic.ts';
import { outputTooLarge } from '../generated/diagnostics.ts';
import type { Limit } from '../generated/types/target.ts';
import { strings } from '../model/data.ts';
import type { ContentDraft, DocumentDraft } from './draft.ts';
import type { TargetRequest } from './request.ts';

/** What a tool does with more, as the middle of a sentence. */
const consequences = {
  cut: 'cuts off what is',
  ignored: 'ignores what is',
  dropped: 'drops a file with',
  unknown: 'publishes a limit for what is',
  advice: 'advises against',
} as const;

/** Holds what was rendered against the limits of the specs; sums are reported once everything was seen. */
export class LimitWatch {
  private readonly totals = new Map<
    string,
    { request: TargetRequest; limit: Limit; size: number; path: string }
  >();

  constructor(private readonly report: Report) {}

  /** `content` is the whole file; limits of single fields are measured on the item of the draft. */
  see(draft: DocumentDraft | ContentDraft, path: string, content: string): void {
    const { request, place } = draft;
    for (const limit of request.spec.limits ?? []) {
      if (limit.file !== place) continue;
      const item = draft.kind === 'content' ? draft.item : undefined;
      const text = limit.field === undefined ? content : strings(item?.fields.get(limit.field)).join('\n');
      const size = measure(text, limit.unit);
      if (limit.scope === 'total') this.add(request, limit, size, path);
      else if (size > limit.max) this.tell(request, limit, size, path);
    }
  }

  /** Reports the sums that are too large. */
  finish(): void {
    for (const { request, limit, size, path } of this.totals.values()) {
      if (size > limit.max) this.tell(request, limit, size, path);
    }
  }

  private add(request: TargetRequest, limit: Limit, size: number, path: string): void {
    const key = `${request.spec.id} ${limit.file} ${limit.unit}`;
    const known = this.totals.get(key);
    if (known) known.size += size;
    else this.totals.set(key, { request, limit, size, path });
  }

  private tell({ spec }: TargetRequest, limit: Limit, size: number, path: string): void {
    const what = limit.field === undefined ? path : `The ${limit.field} in ${path}`;
    this.report(
      outputTooLarge(
        {
          path: what,
          size,
          unit: limit.unit,
          title: spec.title,
          consequence: consequences[limit.then],
          max: limit.max,
        },
        {
          file: path,
          rule: 'output-size',
          target: spec.id,
          ...(limit.then === 'advice' && { severity: 'info' }),
        },
      ),
    );
  }
}

/** Size in the unit of the vendor. Tokens are estimated: four characters each. */
export function measure(text: string, unit: Limit['unit']): number {
  if (unit === 'bytes') return new TextEncoder().encode(text).length;
  if (unit === 'lines') return text.split('\n').length - 1;
  let characters = text.length;
  // A character outside the basic plane is two code units.
  for (const _pair of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) characters--;
  return unit === 'tokens' ? Math.ceil(characters / 4) : characters;
}
