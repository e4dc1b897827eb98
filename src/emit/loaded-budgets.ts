import type { Report } from '../diagnostics/diagnostic.ts';
import { textsCutOff } from '../generated/diagnostics.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { type Chain, chainsOf, hasChain } from '../load/chains.ts';
import { chainLimit, type LoadedPart, type ProjectTexts, wholeTexts } from '../load/load.ts';
import { sizeOf, tokensOf } from '../load/size.ts';
import { mainNames, nameOf, nestedNames } from '../spec/reads.ts';
import { fewNames } from '../text/names.ts';
import { type Budget, reportTooLarge } from './limits.ts';

/** Main files that are written by hand, as opposed to generated ones. */
export interface PresentTexts {
  get(path: string): string | undefined;
  /** Paths below the root of files with one of these names. */
  named(names: ReadonlySet<string>): readonly string[];
}

/**
 * Measures what each tool loads in every session, generated and written by hand: the texts that `prs view` shows of the
 * root, or the longest chain where one limit holds for all of it. Reports chains beyond their limit. A target whose load
 * order is unknown keeps its budget of `documents`. `always` has the rules without a condition by target.
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
  for (const [request, found] of chains) reportChains(request, found, report);
  for (const request of requests) {
    const target = request.spec.id;
    const chain = chainBudget(target, chains.get(request) ?? []);
    if (chain) budgets.set(target, chain);
    if (chain || !request.spec.reads) continue;
    const situation = { at: '', read: [], always: always.get(target) ?? [] };
    const characters = charactersOf(wholeTexts(request.spec, texts, situation));
    if (characters > 0)
      budgets.set(target, { ...budgets.get(target), target, characters, tokens: tokensOf(characters) });
  }
  return [...budgets.values()];
}

const charactersOf = (parts: readonly LoadedPart[]): number =>
  parts.reduce((sum, { text }) => sum + sizeOf(text, 'characters'), 0);

/** What tools with a limit for all main files together load in each folder; only chains with a generated file count. */
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
  const concerned = limited.filter(({ spec, options }) => hasChain(spec, written, options));
  return new Map(concerned.map(request => [request, chainsOf(request.spec, texts, paths, request.options)]));
}

/** The size of the longest chain. */
function chainBudget(target: string, chains: readonly Chain[]): Budget | undefined {
  const [longest] = [...chains].sort((a, b) => (b.loaded.size ?? 0) - (a.loaded.size ?? 0));
  const { limit, size } = longest?.loaded ?? {};
  if (!longest || !limit || size === undefined) return undefined;
  const characters = charactersOf(longest.whole);
  const { max, unit } = limit;
  return { target, characters, tokens: tokensOf(characters), limit: { max, unit, used: size } };
}

/** Reports chains beyond the limit; of several folders that lose the same text only the first. */
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
