import type { Report } from '../diagnostics/diagnostic.ts';
import { outputTooLarge } from '../generated/diagnostics.ts';
import type { Limit } from '../generated/types/target.ts';
import { strings } from '../model/data.ts';
import type { Item } from '../model/model.ts';
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

/** Documents of one target: what the tool puts into the context of every session. */
export interface Budget {
  readonly target: string;
  readonly characters: number;
  /** Estimated. */
  readonly tokens: number;
  /** The limit beyond which the tool leaves something out, and how much of it is used. */
  readonly limit?: { readonly max: number; readonly unit: Limit['unit']; readonly used: number };
}

/** A common estimate for English prose and code; no tokenizer is asked. */
const charactersPerToken = 4;

/** Holds what was rendered against the limits of the specs; sums are reported once everything was seen. */
export class LimitWatch {
  private readonly totals = new Map<
    string,
    { request: TargetRequest; limit: Limit; size: number; path: string }
  >();

  private readonly loads = new Map<string, Budget>();

  constructor(private readonly report: Report) {}

  /** What each target always loads, in the order the targets were seen. */
  budgets(): readonly Budget[] {
    return [...this.loads.values()];
  }

  /** `content` is the whole file; limits of single fields are measured on the item of the draft. */
  see(draft: DocumentDraft | ContentDraft, path: string, content: string): void {
    const { request, place } = draft;
    if (draft.kind === 'document') this.load(request, place, content);
    for (const limit of request.spec.limits ?? []) {
      if (limit.file !== place) continue;
      const item = draft.kind === 'content' ? draft.item : undefined;
      const text = limit.field === undefined ? content : strings(item?.fields.get(limit.field)).join('\n');
      const size = measure(text, limit.unit);
      if (limit.scope === 'total') this.add(request, limit, size, path);
      else if (size > limit.max) this.tell(request, limit, size, path, item && aboutOf(item, limit));
    }
  }

  /** Reports the sums that are too large. */
  finish(): void {
    for (const { request, limit, size, path } of this.totals.values()) {
      if (size > limit.max) this.tell(request, limit, size, path);
    }
  }

  private load({ spec }: TargetRequest, place: string | undefined, content: string): void {
    const known = this.loads.get(spec.id);
    const characters = (known?.characters ?? 0) + measure(content, 'characters');
    const limit =
      known?.limit ??
      spec.limits?.find(
        ({ file, field, then }) => file === place && field === undefined && then !== 'advice',
      );
    this.loads.set(spec.id, {
      target: spec.id,
      characters,
      tokens: Math.ceil(characters / charactersPerToken),
      ...(limit && {
        limit: {
          max: limit.max,
          unit: limit.unit,
          used: (known?.limit?.used ?? 0) + measure(content, limit.unit),
        },
      }),
    });
  }

  private add(request: TargetRequest, limit: Limit, size: number, path: string): void {
    const key = `${request.spec.id} ${limit.file} ${limit.unit}`;
    const known = this.totals.get(key);
    if (known) known.size += size;
    else this.totals.set(key, { request, limit, size, path });
  }

  private tell({ spec, at }: TargetRequest, limit: Limit, size: number, path: string, about?: string): void {
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
          // A sum is made of many declarations: what can be changed in one place is who it is made for.
          ...(about === undefined ? { span: at } : { about }),
          rule: 'output-size',
          target: spec.id,
          ...(limit.then === 'advice' && { severity: 'info' }),
        },
      ),
    );
  }
}

/** The part of the program that a limit is about. */
const aboutOf = ({ path }: Item, { field }: Limit): string =>
  field === undefined ? path : `${path}.${field}`;

/** Size in the unit of the vendor. Tokens are estimated. */
export function measure(text: string, unit: Limit['unit']): number {
  if (unit === 'bytes') return new TextEncoder().encode(text).length;
  if (unit === 'lines') return text.split('\n').length - 1;
  let characters = text.length;
  // A character outside the basic plane is two code units.
  for (const _pair of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) characters--;
  return unit === 'tokens' ? Math.ceil(characters / charactersPerToken) : characters;
}
