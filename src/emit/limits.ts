import type { Report } from '../diagnostics/diagnostic.ts';
import { outputTooLarge } from '../generated/diagnostics.ts';
import type { Limit } from '../generated/types/target.ts';
import type { Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { hasChain } from '../load/chains.ts';
import { chainLimit, type ProjectTexts } from '../load/load.ts';
import { sizeOf, tokensOf, withOption } from '../load/size.ts';
import { strings } from '../model/data.ts';
import type { Item } from '../model/model.ts';
import { groupBy } from '../text/group.ts';

/** What a tool does beyond the limit, as the middle of a sentence. */
const consequences = {
  cut: 'cuts off what is',
  ignored: 'ignores what is',
  dropped: 'drops a file with',
  unknown: 'publishes a limit for what is',
  advice: 'advises against',
} as const;

/** The size of what a tool puts into the context of every session. */
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

/** A draft with the path and the text of the file that it became. */
export interface WrittenDraft {
  readonly draft: Draft;
  readonly path: string;
  readonly content: string;
}

/** A measured draft, or the sum of several. */
interface Measured {
  readonly request: TargetRequest;
  readonly limit: Limit;
  readonly size: number;
  readonly path: string;
}

/**
 * Reports files, fields and sums of files beyond the limits of the specs. Sums of main files whose load order is known are
 * left to `countLoaded`, which knows what is loaded together.
 */
export function reportLimits(written: readonly WrittenDraft[], texts: WrittenTexts, report: Report): void {
  const parts: Measured[] = [];
  for (const { draft, path, content } of written) {
    const { request, place } = draft;
    const item = draft.kind === 'content' ? draft.item : undefined;
    for (const stated of request.spec.limits ?? []) {
      if (stated.file !== place) continue;
      const limit = withOption(stated, request.options);
      const { field, unit } = limit;
      const size = sizeOf(field === undefined ? content : strings(item?.fields.get(field)).join('\n'), unit);
      if (limit.scope === 'total') parts.push({ request, limit, size, path });
      else if (size > limit.max)
        reportTooLarge({ request, limit, size, path }, report, item && aboutOf(item, limit));
    }
  }
  const sums = groupBy(parts, ({ request, limit }) => [request.spec.id, limit.file, limit.unit].join('\0'));
  for (const all of sums.values()) {
    const [{ request, limit }] = all;
    const size = all.reduce((sum, one) => sum + one.size, 0);
    const isCounted =
      chainLimit(request.spec)?.file === limit.file && hasChain(request.spec, texts, request.options);
    if (size > limit.max && !isCounted) reportTooLarge({ ...all[0], size }, report);
  }
}

/** The documents of each target, measured by themselves. */
export function documentBudgets(written: readonly WrittenDraft[]): Budget[] {
  const documents = written.filter(({ draft }) => draft.kind === 'document');
  return [...groupBy(documents, ({ draft }) => draft.request).values()].map(all => {
    const { spec, options } = all[0].draft.request;
    const sum = (list: readonly WrittenDraft[], unit: Limit['unit']) =>
      list.reduce((size, { content }) => size + sizeOf(content, unit), 0);
    const limits = all.map(({ draft: { place } }) =>
      spec.limits?.find(
        ({ file, field, then }) => file === place && field === undefined && then !== 'advice',
      ),
    );
    const first = limits.findIndex(limit => limit !== undefined);
    const limit = limits[first] && withOption(limits[first], options);
    const characters = sum(all, 'characters');
    return {
      target: spec.id,
      characters,
      tokens: tokensOf(characters),
      ...(limit && {
        limit: { max: limit.max, unit: limit.unit, used: sum(all.slice(first), limit.unit) },
      }),
    };
  });
}

/** The part of the program that a limit is about. */
const aboutOf = ({ path }: Item, { field }: Limit): string =>
  field === undefined ? path : `${path}.${field}`;

/** Reports a size beyond a limit. A sum comes from many declarations, so it points at the target in the configuration. */
export function reportTooLarge(
  { request: { spec, at }, limit, size, path }: Measured,
  report: Report,
  about?: string,
): void {
  const holes = {
    path: limit.field === undefined ? path : `The ${limit.field} in ${path}`,
    size,
    unit: limit.unit,
    title: spec.title,
    consequence: consequences[limit.then],
    max: limit.max,
  };
  const isAdvice = limit.then === 'advice';
  const where = { file: path, span: at, about, rule: 'output-size', target: spec.id };
  report(outputTooLarge(holes, { ...where, ...(isAdvice && { severity: 'info' }) }));
}
