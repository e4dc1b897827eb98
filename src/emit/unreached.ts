import type { Report } from '../diagnostics/diagnostic.ts';
import { intoUnread, reachesNoTool } from '../generated/diagnostics.ts';
import { isFor } from '../kinds/audience.ts';
import type { Draft } from '../kinds/draft.ts';
import type { EmitSettings } from '../kinds/emit-settings.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { collections } from '../model/collections.ts';
import type { Audience, Model } from '../model/model.ts';
import { fewNames } from '../text/names.ts';

/** The paths of entries that a target has no place for, whole, with what can be done about it. */
export type LeftOut = ReadonlyMap<string, string>;

/** Warns of files that documents choose and no target reads: the documents stand elsewhere. */
export function reportUnreadPlaces(
  { documents }: Model,
  requests: readonly TargetRequest[],
  drafts: readonly Draft[],
  report: Report,
): void {
  for (const document of documents) {
    if (!requests.some(({ spec }) => isFor(document.audience, spec))) continue;
    for (const path of document.into ?? []) {
      const isThere = drafts.some(
        draft => draft.kind === 'document' && draft.path === path && draft.documents.includes(document),
      );
      if (!isThere) report(intoUnread({ path, document: document.path }, { about: document.path }));
    }
  }
}

/** Warns of entries and documents that none of the targets gets. */
export function reportUnreached(
  model: Model,
  requests: readonly TargetRequest[],
  leftOut: ReadonlyMap<TargetRequest, LeftOut>,
  { isTarget = () => true }: EmitSettings,
  report: Report,
): void {
  if (requests.length === 0) return;
  const entries: readonly { path: string; audience?: Audience }[] = [
    ...model.documents,
    ...model.sections,
    // Whom a permission does not reach is told for each tool.
    ...collections.flatMap(name => (name === 'permissions' ? [] : model.items[name])),
  ];
  for (const { path, audience } of entries) {
    const meant = requests.filter(({ spec }) => isFor(audience, spec));
    if (meant.length === 0) {
      // A name of no tool is reported as an error in another place.
      const targets = audience?.targets?.filter(isTarget);
      if (audience?.targets?.length && targets?.length === 0) continue;
      const hint =
        targets === undefined
          ? `Remove one of the tools from \`except\`, or remove the entry.`
          : targets.length === 0
            ? 'Name a tool in `targets`, or remove the entry.'
            : `Add ${fewNames(targets)} to \`targets\` of instr.yaml, or an enabled tool to \`targets\` of the entry.`;
      const why =
        targets === undefined || targets.length === 0
          ? 'it is for none of those that are enabled'
          : `${fewNames(targets)} ${targets.length === 1 ? 'is' : 'are'} not enabled`;
      report(reachesNoTool({ entry: path, why }, { about: path, hint }));
      continue;
    }
    const advice = meant.map(request => leftOut.get(request)?.get(path));
    if (advice.includes(undefined)) continue;
    const names = meant.map(({ spec }) => spec.id);
    const why = `${fewNames(names)} ${names.length === 1 ? 'has' : 'have'} no place for it`;
    report(reachesNoTool({ entry: path, why }, { about: path, hint: advice[0]! }));
  }
}
