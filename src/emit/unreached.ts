import type { Report } from '../diagnostics/diagnostic.ts';
import { intoUnread, reachesNoTool } from '../generated/diagnostics.ts';
import { isFor } from '../kinds/audience.ts';
import type { Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { collections } from '../model/collections.ts';
import type { Audience } from '../model/model.ts';
import { fewNames } from '../text/names.ts';
import type { LayoutContext } from './layout-context.ts';

/** The paths of entries that a target has no place for, whole, with what can be done about it. */
export type LeftOut = ReadonlyMap<string, string>;

/** Warns of files that documents choose and no target reads: the documents are in other files. */
export function reportUnreadPlaces(
  { model, requests }: LayoutContext,
  drafts: readonly Draft[],
  report: Report,
): void {
  const written = new Set(
    drafts.flatMap(draft =>
      draft.kind === 'document' ? draft.documents.map(({ path }) => `${draft.path}\0${path}`) : [],
    ),
  );
  for (const { path: document, audience, into = [] } of model.documents) {
    if (!requests.some(({ spec }) => isFor(audience, spec))) continue;
    for (const path of into)
      if (!written.has(`${path}\0${document}`)) report(intoUnread({ path, document }, { about: document }));
  }
}

/** Warns of entries and documents that none of the targets gets. */
export function reportUnreached(
  { model, requests, settings }: LayoutContext,
  leftOut: ReadonlyMap<TargetRequest, LeftOut>,
  report: Report,
): void {
  if (requests.length === 0) return;
  const entries: readonly { path: string; audience?: Audience }[] = [
    ...model.documents,
    ...model.sections,
    // Permissions that do not reach a tool have reports of their own.
    ...collections.flatMap(name => (name === 'permissions' ? [] : model.items[name])),
  ];
  for (const { path, audience } of entries) {
    const meant = requests.filter(({ spec }) => isFor(audience, spec));
    if (meant.length === 0) {
      const found = notEnabled(audience, settings.isTarget ?? (() => true));
      if (found) report(reachesNoTool({ entry: path, why: found.why }, { about: path, hint: found.hint }));
      continue;
    }
    const advice = meant.map(request => leftOut.get(request)?.get(path));
    if (advice.includes(undefined)) continue;
    const names = meant.map(({ spec }) => spec.id);
    const why = `${fewNames(names)} ${names.length === 1 ? 'has' : 'have'} no place for it`;
    report(reachesNoTool({ entry: path, why }, { about: path, hint: advice[0]! }));
  }
}

/** Why an audience has none of the enabled tools; `undefined` when all its names are unknown, which is an error of its own. */
function notEnabled(
  audience: Audience | undefined,
  isTarget: (name: string) => boolean,
): { readonly why: string; readonly hint: string } | undefined {
  const why = 'it is for none of those that are enabled';
  if (!audience?.targets) return { why, hint: 'Remove one of the tools from `except`, or remove the entry.' };
  if (audience.targets.length === 0) return { why, hint: 'Name a tool in `targets`, or remove the entry.' };
  const targets = audience.targets.filter(isTarget);
  if (targets.length === 0) return undefined;
  const names = fewNames(targets);
  return {
    why: `${names} ${targets.length === 1 ? 'is' : 'are'} not enabled`,
    hint: `Add ${names} to \`targets\` of instr.yaml, or an enabled tool to \`targets\` of the entry.`,
  };
}
