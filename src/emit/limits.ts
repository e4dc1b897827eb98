import type { Report } from '../diagnostics/diagnostic.ts';
import { outputTooLarge } from '../generated/diagnostics.ts';
import type { Limit } from '../generated/types/target.ts';
import type { Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { hasChain } from '../load/chains.ts';
import { chainLimit, type ProjectTexts, sizeOf, tokensOf, withOption } from '../load/load.ts';
import { strings } from '../model/data.ts';
import type { Item } from '../model/model.ts';

/** What a tool does beyond the limit, as the middle of a sentence. */
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

/** Whether a tool leaves something out. */
export const isOver = ({ limit }: Budget): boolean => limit !== undefined && limit.used > limit.max;

/** Written texts by their paths below the folder that the tools are started in. */
export type WrittenTexts = ProjectTexts & { keys(): Iterable<string> };

/** Holds what was rendered against the limits of the specs; sums are reported once everything was seen. */
export class LimitWatch {
  private readonly totals = new Map<
    string,
    { request: TargetRequest; limit: Limit; size: number; path: string }
  >();

  private readonly loads = new Map<string, Budget>();

  /** One file is seen for each of its targets. */
  private last: { readonly content: string; readonly sizes: Map<Limit['unit'], number> } | undefined;

  constructor(private readonly report: Report) {}

  /** What each target always loads, in the order the targets were seen. */
  budgets(): readonly Budget[] {
    return [...this.loads.values()];
  }

  /** `content` is the whole file; limits of single fields are measured on the item of the draft. */
  see(draft: Draft, path: string, content: string): void {
    const { request, place } = draft;
    if (draft.kind === 'document') this.load(request, place, content);
    request.spec.limits?.forEach(stated => {
      if (stated.file !== place) return;
      const limit = withOption(stated, request.options);
      const item = draft.kind === 'content' ? draft.item : undefined;
      const size =
        limit.field === undefined
          ? this.sizeOf(content, limit.unit)
          : sizeOf(strings(item?.fields.get(limit.field)).join('\n'), limit.unit);
      if (limit.scope === 'total') this.add(request, limit, size, path);
      else if (size > limit.max)
        tellTooLarge(this.report, request, limit, size, path, item && aboutOf(item, limit));
    });
  }

  /**
   * Reports the sums that are too large. What a tool has together in one folder, where it is known what it loads there,
   * is counted by `countLoaded`.
   */
  finish(texts: WrittenTexts): void {
    for (const { request, limit, size, path } of this.totals.values()) {
      if (size <= limit.max) continue;
      const { spec, options } = request;
      const counted = chainLimit(spec)?.file === limit.file && hasChain(spec, texts, options);
      if (!counted) tellTooLarge(this.report, request, limit, size, path);
    }
  }

  private sizeOf(content: string, unit: Limit['unit']): number {
    if (this.last?.content !== content) this.last = { content, sizes: new Map() };
    const { sizes } = this.last;
    const known = sizes.get(unit) ?? sizeOf(content, unit);
    sizes.set(unit, known);
    return known;
  }

  private load({ spec, options }: TargetRequest, place: string | undefined, content: string): void {
    const known = this.loads.get(spec.id);
    const characters = (known?.characters ?? 0) + this.sizeOf(content, 'characters');
    const stated = spec.limits?.find(
      ({ file, field, then }) => file === place && field === undefined && then !== 'advice',
    );
    const limit = known?.limit ?? (stated && withOption(stated, options));
    this.loads.set(spec.id, {
      target: spec.id,
      characters,
      tokens: tokensOf(characters),
      ...(limit && {
        limit: {
          max: limit.max,
          unit: limit.unit,
          used: (known?.limit?.used ?? 0) + this.sizeOf(content, limit.unit),
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
}

/** The part of the program that a limit is about. */
const aboutOf = ({ path }: Item, { field }: Limit): string =>
  field === undefined ? path : `${path}.${field}`;

/** Reports a size beyond a limit. */
export function tellTooLarge(
  report: Report,
  { spec, at }: TargetRequest,
  limit: Limit,
  size: number,
  path: string,
  about?: string,
): void {
  const what = limit.field === undefined ? path : `The ${limit.field} in ${path}`;
  report(
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
        // A sum comes from many declarations, so the finding points at the target in the configuration.
        span: at,
        about,
        rule: 'output-size',
        target: spec.id,
        ...(limit.then === 'advice' && { severity: 'info' }),
      },
    ),
  );
}
