import type { Report } from '../diagnostics/diagnostic.ts';
import { textsCutOff } from '../generated/diagnostics.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { type Chain, chainsOf, hasChain } from '../load/chains.ts';
import { chainLimit, type ProjectTexts, sizeOf, tokensOf, wholeTexts } from '../load/load.ts';
import { mainNames, nameOf, nestedNames } from '../spec/reads.ts';
import { fewNames } from '../text/names.ts';
import type { Pieces } from '../text/pieces.ts';
import { type Budget, tellTooLarge } from './limits.ts';

/** Main files that are written by hand, beside those that are generated. */
export interface PresentTexts {
  get(path: string): string | undefined;
  /** Paths below the root of files with one of these names. */
  named(names: ReadonlySet<string>): readonly string[];
}

/**
 * Compares what each tool loads together in one folder, generated and written by hand, with its limit for the chain.
 * Gives the budgets of the longest chains by target.
 */
function* countChains(
  written: ReadonlyMap<string, string>,
  requests: readonly TargetRequest[],
  present: PresentTexts,
  report: Report,
): Pieces<ReadonlyMap<string, Budget>> {
  const budgets = new Map<string, Budget>();
  const limited = requests.filter(({ spec, options }) => spec.reads && chainLimit(spec, options));
  if (limited.length === 0) return budgets;
  const names = new Set(limited.flatMap(({ spec }) => nestedNames(spec.reads!)));
  const kept = names.size === 0 ? [] : present.named(names);
  const get = (path: string) => written.get(path) ?? present.get(path);
  const texts: ProjectTexts = { has: path => get(path) !== undefined, get };
  const mains = new Set(limited.flatMap(({ spec }) => [...mainNames(spec.reads!)]));
  const paths = [...[...written.keys()].filter(path => mains.has(nameOf(path))), ...kept];
  for (const request of limited) {
    yield;
    const { spec, options } = request;
    // A chain without a generated file is not reported.
    if (!hasChain(spec, written, options)) continue;
    const chains = chainsOf(spec, texts, paths, options);
    tellChains(request, chains, report);
    const budget = budgetOf(request, chains);
    if (budget) budgets.set(spec.id, budget);
  }
  return budgets;
}

/**
 * What each tool has in every session: where it is known what it loads, the very texts that `prs view` shows of the root,
 * with imports and what is written by hand, or the longest chain where all of it has one limit; else the budgets that
 * `counted` has of the documents, in pieces. `always` names rules without a condition by target.
 */
export function* countLoaded(
  counted: readonly Budget[],
  written: ReadonlyMap<string, string>,
  requests: readonly TargetRequest[],
  always: ReadonlyMap<string, readonly string[]>,
  present: PresentTexts,
  report: Report,
): Pieces<readonly Budget[]> {
  const chains = yield* countChains(written, requests, present, report);
  const known = new Map(counted.map(budget => [budget.target, budget]));
  const get = (path: string) => written.get(path) ?? present.get(path);
  const texts: ProjectTexts = { has: path => get(path) !== undefined, get };
  for (const { spec } of requests) {
    yield;
    const chain = chains.get(spec.id);
    if (chain) known.set(spec.id, chain);
    if (chain || !spec.reads) continue;
    const parts = wholeTexts(spec, texts, { at: '', read: [], always: always.get(spec.id) ?? [] });
    const characters = parts.reduce((sum, { text }) => sum + sizeOf(text, 'characters'), 0);
    if (characters === 0) continue;
    known.set(spec.id, { ...known.get(spec.id), target: spec.id, characters, tokens: tokensOf(characters) });
  }
  return [...known.values()];
}

/** The budget is that of the longest chain. */
function budgetOf({ spec }: TargetRequest, chains: readonly Chain[]): Budget | undefined {
  const [longest] = [...chains].sort((a, b) => (b.loaded.size ?? 0) - (a.loaded.size ?? 0));
  const { limit, size } = longest?.loaded ?? {};
  if (!longest || !limit || size === undefined) return undefined;
  const characters = longest.whole.reduce((sum, { text }) => sum + sizeOf(text, 'characters'), 0);
  return {
    target: spec.id,
    characters,
    tokens: tokensOf(characters),
    limit: { max: limit.max, unit: limit.unit, used: size },
  };
}

/** Reports chains beyond the limit; of several folders that lose the same text only the first. */
function tellChains(request: TargetRequest, chains: readonly Chain[], report: Report): void {
  const { spec, at } = request;
  const told = new Set<string>();
  for (const { whole, loaded } of chains) {
    const { limit, size = 0, cut } = loaded;
    const files = fewNames(whole.map(({ path }) => path));
    const place = cut ? `${cut.path}:${cut.line}` : (whole[0]?.path ?? '');
    if (!limit || size <= limit.max || told.has(place)) continue;
    told.add(place);
    if (!cut) {
      tellTooLarge(report, request, limit, size, files);
      continue;
    }
    const { path, line } = cut;
    const holes = { title: spec.title, files, size, max: limit.max, unit: limit.unit, line, path };
    report(textsCutOff(holes, { file: path, span: at, rule: 'output-size', target: spec.id }));
  }
}
