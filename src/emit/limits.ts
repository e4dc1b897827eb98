import type { Report } from '../diagnostics/diagnostic.ts';
import { outputTooLarge, textsCutOff } from '../generated/diagnostics.ts';
import type { Limit } from '../generated/types/target.ts';
import type { Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { type Chain, chainsOf } from '../load/chains.ts';
import { chainLimit, type ProjectTexts, sizeOf, tokensOf, withOption } from '../load/load.ts';
import { strings } from '../model/data.ts';
import type { Item } from '../model/model.ts';
import { fewNames } from '../text/names.ts';

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

/** Holds what was rendered against the limits of the specs; sums are reported once everything was seen. */
export class LimitWatch {
  private readonly totals = new Map<
    string,
    { request: TargetRequest; limit: Limit; size: number; path: string }
  >();

  private readonly loads = new Map<string, Budget>();

  private readonly chained = new Map<string, Budget>();

  constructor(private readonly report: Report) {}

  /** What each target always loads, in the order the targets were seen. */
  budgets(): readonly Budget[] {
    return [...this.loads.values()].map(load => this.chained.get(load.target) ?? load);
  }

  /** `content` is the whole file; limits of single fields are measured on the item of the draft. */
  see(draft: Draft, path: string, content: string): void {
    const { request, place } = draft;
    if (draft.kind === 'document') this.load(request, place, content);
    for (const stated of request.spec.limits ?? []) {
      if (stated.file !== place) continue;
      const limit = withOption(stated, request.options);
      const item = draft.kind === 'content' ? draft.item : undefined;
      const text = limit.field === undefined ? content : strings(item?.fields.get(limit.field)).join('\n');
      const size = sizeOf(text, limit.unit);
      if (limit.scope === 'total') this.add(request, limit, size, path);
      else if (size > limit.max) this.tell(request, limit, size, path, item && aboutOf(item, limit));
    }
  }

  /**
   * Reports the sums that are too large: of what each tool has together in one folder, where it is known what the tool
   * loads there, else of everything that was seen.
   */
  finish(
    texts: ProjectTexts & Iterable<readonly [string, unknown]>,
    requests: readonly TargetRequest[],
  ): void {
    const paths = [...texts].map(([path]) => path);
    const chained = new Set<string>();
    for (const request of requests) {
      const chains = chainsOf(request.spec, texts, paths, request.options);
      if (chains.length > 0) chained.add(request.spec.id);
      this.tellChains(request, chains);
    }
    for (const { request, limit, size, path } of this.totals.values()) {
      const counted = chained.has(request.spec.id) && chainLimit(request.spec)?.file === limit.file;
      if (!counted && size > limit.max) this.tell(request, limit, size, path);
    }
  }

  /** Where several folders lose the same text, the first is told; the budget is that of the longest chain. */
  private tellChains(request: TargetRequest, chains: readonly Chain[]): void {
    const { spec, at } = request;
    const told = new Set<string>();
    for (const { whole, loaded } of chains) {
      const { limit, size = 0, cut } = loaded;
      if (!limit) continue;
      const characters = whole.reduce((sum, { text }) => sum + sizeOf(text, 'characters'), 0);
      if (size > (this.chained.get(spec.id)?.limit?.used ?? 0))
        this.chained.set(spec.id, {
          target: spec.id,
          characters,
          tokens: tokensOf(characters),
          limit: { max: limit.max, unit: limit.unit, used: size },
        });
      const files = fewNames(whole.map(({ path }) => path));
      const place = cut ? `${cut.path}:${cut.line}` : (whole[0]?.path ?? '');
      if (size <= limit.max || told.has(place)) continue;
      told.add(place);
      if (!cut) this.tell(request, limit, size, files);
      else
        this.report(
          textsCutOff(
            {
              title: spec.title,
              files,
              size,
              max: limit.max,
              unit: limit.unit,
              line: cut.line,
              path: cut.path,
            },
            { file: cut.path, span: at, rule: 'output-size', target: spec.id },
          ),
        );
    }
  }

  private load({ spec, options }: TargetRequest, place: string | undefined, content: string): void {
    const known = this.loads.get(spec.id);
    const characters = (known?.characters ?? 0) + sizeOf(content, 'characters');
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
          used: (known?.limit?.used ?? 0) + sizeOf(content, limit.unit),
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
          span: at,
          about,
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
