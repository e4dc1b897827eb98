import {
  includedSkillUnknown,
  intoUnread,
  permissionTooWide,
  permissionUnenforced,
  reachesNoTool,
  targetEnded,
  variableUnwritten,
} from '../generated/diagnostics.ts';
import { isForTarget, selectForTarget } from '../kinds/audience.ts';
import type { Draft } from '../kinds/draft.ts';
import type { Omissions } from '../kinds/omissions.ts';
import type { UnwrittenReference } from '../kinds/output.ts';
import type { EmitSettings, SourceAt, TargetRequest } from '../kinds/request.ts';
import { collections } from '../model/collections.ts';
import type { Audience, Model } from '../model/model.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { replaceWordFix, unknownNameAt } from '../text/diagnostics/fixes.ts';
import { groupBy } from '../text/group.ts';
import { fewNames, fewQuoted } from '../text/names.ts';
import { parseKnownSubject } from '../text/permissions/subject.ts';

export interface EmitContext {
  readonly model: Model;
  readonly requests: readonly TargetRequest[];
  readonly settings: EmitSettings;
  readonly sourceAt: SourceAt;
}

type OmissionsByTarget = ReadonlyMap<TargetRequest, Pick<Omissions, 'leftOut' | 'tooWide'>>;

/** Warns about files that documents choose and no target reads: the documents are in other files. */
export function reportUnreadPlaces(
  { model, requests }: EmitContext,
  drafts: readonly Draft[],
  report: Report,
): void {
  const keyOf = (path: string, document: string) => `${path}\0${document}`;
  const written = new Set(
    drafts.flatMap(draft =>
      draft.kind === 'document' ? draft.documents.map(({ path }) => keyOf(draft.path, path)) : [],
    ),
  );
  for (const { path: document, audience, into = [] } of model.documents) {
    if (!requests.some(({ spec }) => isForTarget(audience, spec))) continue;
    for (const path of into)
      if (!written.has(keyOf(path, document))) report(intoUnread({ path, document }, { about: document }));
  }
}

/** Warns about entries and documents that none of the targets gets. */
export function reportUnreached(
  { model, requests, settings }: EmitContext,
  omissions: OmissionsByTarget,
  report: Report,
): void {
  if (requests.length === 0) return;
  const entries: readonly { path: string; audience?: Audience }[] = [
    ...model.documents,
    ...model.sections,
    // Permissions that do not reach a tool have separate reports.
    ...collections.flatMap(name => (name === 'permissions' ? [] : model.items[name])),
  ];
  for (const { path, audience } of entries) {
    const meant = requests.filter(({ spec }) => isForTarget(audience, spec));
    if (meant.length === 0) {
      const found = notEnabled(audience, settings.isTarget ?? (() => true));
      if (found) report(reachesNoTool({ entry: path, why: found.why }, { about: path, hint: found.hint }));
      continue;
    }
    const advice = meant.map(request => omissions.get(request)!.leftOut.get(path));
    if (advice.includes(undefined)) continue;
    const names = meant.map(({ spec }) => spec.id);
    const why = `${fewNames(names)} ${names.length === 1 ? 'has' : 'have'} no place for it`;
    report(reachesNoTool({ entry: path, why }, { about: path, hint: advice[0]! }));
  }
}

/** Why an audience has no enabled tool; `undefined` when all names are unknown, which is another error. */
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

/** Reports variables that a tool has no form for, once per entry, tool and reason. */
export function reportUnwritten(unwritten: readonly UnwrittenReference[], report: Report): void {
  const groups = groupBy(unwritten, one => [one.target, one.entry, one.problem].join('\0'));
  for (const all of groups.values()) {
    const [{ target, place, problem, advice }] = all;
    const hint =
      advice ??
      `Leave the tool out with \`except: [${target}]\`, or say what it is to get with \`tools: { ${target}: { … } }\` in the entry.`;
    const reference = fewQuoted([...new Set(all.map(one => one.reference))]);
    const places = fewQuoted([...new Set(all.map(one => one.place))]);
    report(variableUnwritten({ reference, place: places, target, problem }, { about: place, target, hint }));
  }
}

/**
 * Warns about permissions that tools do not enforce, once per permissions with the reasons of all tools, and reports an
 * error for those that would allow more.
 */
export function reportPermissions({ items }: Model, omissions: OmissionsByTarget, report: Report): void {
  const unenforced: { request: TargetRequest; path: string; subject: string; reason: string }[] = [];
  for (const [request, { leftOut, tooWide }] of omissions) {
    const { id: target, title } = request.spec;
    for (const { path, fields } of selectForTarget(items.permissions, request.spec)) {
      const reason = leftOut.get(path);
      if (reason === undefined) continue;
      const subject = String(fields.get('text'));
      if (tooWide.has(path))
        report(permissionTooWide({ subject, title, reason, target }, { about: path, target }));
      else if (fields.get('list') !== 'allow' && parseKnownSubject(subject))
        unenforced.push({ request, path, subject, reason });
    }
  }
  const ofTargets = groupBy(unenforced, ({ request, reason }) => [request.spec.id, reason].join('\0'));
  const same = groupBy(ofTargets.values(), all =>
    [all[0].path, ...all.map(({ subject }) => subject)].join('\0'),
  );
  for (const groups of same.values()) {
    const [[{ path: about, request }], ...others] = groups;
    const titlesOf = (all: typeof groups) => fewNames(all.map(([one]) => one.request.spec.title));
    const reasons = [...groupBy(groups, ([{ reason }]) => reason)];
    const advice = reasons
      .map(([reason, all]) => {
        const isNamed = reasons.length === 1 || all.some(([one]) => reason.includes(one.request.spec.title));
        return isNamed ? reason : `${titlesOf(all)}: ${reason}`;
      })
      .join(' ');
    const titles = titlesOf(groups);
    const subjects = fewQuoted(groups[0].map(({ subject }) => subject));
    const target = others.length === 0 ? { target: request.spec.id } : {};
    report(permissionUnenforced({ titles, subjects, advice }, { about, ...target }));
  }
}

export function reportUnknownSkills({ model, requests, settings }: EmitContext, report: Report): void {
  const { languageSkill } = settings;
  const items = [...model.items.skills, ...model.items.guards, ...(languageSkill ? [languageSkill] : [])];
  const names = items.map(({ name }) => name);
  for (const { spec, includedAt = [] } of requests) {
    for (const [skill, span] of includedAt) {
      if (names.includes(skill)) continue;
      const where = unknownNameAt(span, skill, names, 'Correct the name, or remove it from the list.');
      report(includedSkillUnknown({ target: spec.id, skill }, { ...where, target: spec.id }));
    }
  }
}

/** Reports targets whose tools were discontinued. A renamed tool is still supported. */
export function reportEnded({ requests }: EmitContext, report: Report): void {
  for (const { spec, at } of requests) {
    const { state, note, successor } = spec.status ?? {};
    if (note === undefined || (state === 'renamed' && successor === undefined)) continue;
    const fixes = successor === undefined ? [] : replaceWordFix(at, spec.id, successor);
    const holes = { note, successor: successor ?? 'another tool' };
    report(targetEnded(holes, { span: at, target: spec.id, fixes, rule: 'target-ended' }));
  }
}
