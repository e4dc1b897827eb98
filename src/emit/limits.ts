import { outputTooLarge, textsCutOff } from '../generated/diagnostics.ts';
import type { Limit } from '../generated/types/target.ts';
import type { Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { strings } from '../model/data.ts';
import {
  chainLimit,
  fileLimit,
  type LoadedPart,
  sizeOf,
  tokensOf,
  withOption,
} from '../spec/loading/limits.ts';
import { type Chain, chainsOf, type ProjectTexts, uncutTexts } from '../spec/loading/load.ts';
import { mainNames, nestedNames } from '../spec/reads.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { fewNames } from '../text/names.ts';
import { nameOf } from '../text/paths.ts';

const consequences = {
  cut: 'cuts off what is',
  ignored: 'ignores what is',
  dropped: 'drops a file with',
  unknown: 'publishes a limit for what is',
  advice: 'advises against',
} as const;

/** The size of what a tool loads into the context of every session. */
export interface Budget {
  readonly target: string;
  readonly characters: number;
  readonly tokens: number;
  /** The limit beyond which the tool cuts, and how much of it is used. */
  readonly limit?: { readonly max: number; readonly unit: Limit['unit']; readonly used: number };
}

export const exceedsLimit = ({ limit }: Budget): boolean => limit !== undefined && limit.used > limit.max;

export interface WrittenDraft {
  readonly draft: Draft;
  readonly path: string;
  readonly content: string;
}

interface Measured {
  readonly request: TargetRequest;
  readonly limit: Limit;
  readonly size: number;
  readonly path: string;
}

/**
 * Reports files, fields and sums of files that exceed their limits. The sum of main files with a known load
 * order is counted by `countLoaded`.
 */
export function reportLimits(written: readonly WrittenDraft[], report: Report): void {
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
      else if (size > limit.max) {
        const about = item && (field === undefined ? item.path : `${item.path}.${field}`);
        reportTooLarge({ request, limit, size, path }, report, about);
      }
    }
  }
  const sums = groupBy(parts, ({ request, limit }) => [request.spec.id, limit.file, limit.unit].join('\0'));
  for (const all of sums.values()) {
    const [{ limit, request }] = all;
    const { spec } = request;
    const size = all.reduce((sum, one) => sum + one.size, 0);
    const isCounted = spec.reads && chainLimit(spec)?.file === limit.file;
    if (size > limit.max && !isCounted) reportTooLarge({ ...all[0], size }, report);
  }
}

/** Reports a size that exceeds a limit, at the target in the configuration: a sum has many sources. */
function reportTooLarge(
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

/** The size of the documents of each target, without other files. */
export function documentBudgets(written: readonly WrittenDraft[]): Budget[] {
  const documents = written.filter(({ draft }) => draft.kind === 'document');
  return [...groupBy(documents, ({ draft }) => draft.request)].map(([{ spec, options }, all]) => {
    const sum = (unit: Limit['unit']) => all.reduce((size, { content }) => size + sizeOf(content, unit), 0);
    const limit = chainLimit(spec, options) ?? fileLimit(spec, options);
    return budgetOf(spec.id, sum('characters'), limit && sum(limit.unit), limit);
  });
}

function budgetOf(target: string, characters: number, used: number | undefined, limit?: Limit): Budget {
  const size = { target, characters, tokens: tokensOf(characters) };
  if (!limit || used === undefined) return size;
  return { ...size, limit: { max: limit.max, unit: limit.unit, used } };
}

/** Existing main files that are written by hand. */
export interface PresentTexts {
  get(path: string): string | undefined;
  named(names: ReadonlySet<string>): readonly string[];
}

/**
 * Measures what each tool loads in every session, generated and existing: the same texts as `prs view`, or
 * the longest chain when a limit applies to the whole chain. Reports chains that exceed their limit. A target
 * with an unknown load order keeps its budget of `documents`. `always` has the always-loaded rules by target.
 */
export function countLoaded(
  documents: readonly Budget[],
  written: ReadonlyMap<string, string>,
  requests: readonly TargetRequest[],
  always: ReadonlyMap<string, readonly string[]>,
  present: PresentTexts,
  report: Report,
): readonly Budget[] {
  const budgets = new Map(documents.map(budget => [budget.target, budget]));
  const get = (path: string) => written.get(path) ?? present.get(path);
  const texts: ProjectTexts = { has: path => get(path) !== undefined, get };
  const chains = loadedChains(written, requests, texts, present);
  for (const request of requests) {
    const { spec } = request;
    const target = spec.id;
    const found = chains.get(request) ?? [];
    reportChains(request, found, report);
    const chain = chainBudget(target, found);
    if (chain) budgets.set(target, chain);
    if (chain || !spec.reads) continue;
    const situation = { at: '', read: [], always: always.get(target) ?? [] };
    const characters = charactersOf(uncutTexts(spec, texts, situation));
    if (characters > 0)
      budgets.set(target, { ...budgets.get(target), target, characters, tokens: tokensOf(characters) });
  }
  return [...budgets.values()];
}

const charactersOf = (parts: readonly LoadedPart[]): number =>
  parts.reduce((sum, { text }) => sum + sizeOf(text, 'characters'), 0);

/** The chains of tools with a limit for whole chains, in each folder with a generated file. */
function loadedChains(
  written: ReadonlyMap<string, string>,
  requests: readonly TargetRequest[],
  texts: ProjectTexts,
  present: PresentTexts,
): ReadonlyMap<TargetRequest, readonly Chain[]> {
  const limited = requests.filter(({ spec, options }) => spec.reads && chainLimit(spec, options));
  const names = new Set(limited.flatMap(({ spec }) => nestedNames(spec.reads!)));
  const mains = new Set(limited.flatMap(({ spec }) => [...mainNames(spec.reads!)]));
  const byHand = names.size === 0 ? [] : present.named(names);
  const paths = [...[...written.keys()].filter(path => mains.has(nameOf(path))), ...byHand];
  const concerned = limited.filter(
    ({ spec, options }) => chainsOf(spec, written, written.keys(), options).length > 0,
  );
  return new Map(concerned.map(request => [request, chainsOf(request.spec, texts, paths, request.options)]));
}

function chainBudget(target: string, chains: readonly Chain[]): Budget | undefined {
  const [longest] = [...chains].sort((a, b) => (b.loaded.size ?? 0) - (a.loaded.size ?? 0));
  const { limit, size } = longest?.loaded ?? {};
  return longest && budgetOf(target, charactersOf(longest.whole), size, limit);
}

function reportChains(request: TargetRequest, chains: readonly Chain[], report: Report): void {
  const { spec, at } = request;
  const reported = new Set<string>();
  for (const { whole, loaded } of chains) {
    const { limit, size = 0, cut } = loaded;
    const files = fewNames(whole.map(({ path }) => path));
    const place = cut ? `${cut.path}:${cut.line}` : (whole[0]?.path ?? '');
    if (!limit || size <= limit.max || reported.has(place)) continue;
    reported.add(place);
    if (cut) {
      const holes = { title: spec.title, files, size, max: limit.max, unit: limit.unit, ...cut };
      report(textsCutOff(holes, { file: cut.path, span: at, rule: 'output-size', target: spec.id }));
    } else reportTooLarge({ request, limit, size, path: files }, report);
  }
}
