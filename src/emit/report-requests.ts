import type { Report } from '../diagnostics/diagnostic.ts';
import { exchanging, renaming } from '../diagnostics/fixes.ts';
import {
  foundAlways,
  foundTwice,
  includedSkillUnknown,
  mainFileDoubled,
  mainFileShadowed,
  targetEnded,
  textRepeats,
} from '../generated/diagnostics.ts';
import { type Draft, isMain } from '../kinds/draft.ts';
import type { EmitSettings } from '../kinds/emit-settings.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { findOverlaps } from '../load/overlap.ts';
import type { Model } from '../model/model.ts';
import { fewNames, fewQuoted } from '../text/names.ts';
import { didYouMean } from '../text/similar.ts';
import { type Elsewhere, readerOf, takingOf } from './elsewhere.ts';
import type { Repeated } from './repeated.ts';

/** Reports names in `includeSkills` that are names of no skill. */
export function reportUnknownSkills(
  model: Model,
  requests: readonly TargetRequest[],
  { languageSkill }: EmitSettings,
  report: Report,
): void {
  const names = [
    ...[...model.items.skills, ...model.items.guards].map(({ name }) => name),
    ...(languageSkill ? [languageSkill.name] : []),
  ];
  const known = new Set(names);
  for (const { spec, includedAt = new Map() } of requests) {
    for (const [skill, span] of includedAt) {
      if (known.has(skill)) continue;
      const hint = `${didYouMean(skill, names)}Correct the name, or remove it from the list.`;
      report(
        includedSkillUnknown(
          { target: spec.id, skill },
          { span, hint, target: spec.id, fixes: renaming(span, skill, names) },
        ),
      );
    }
  }
}

/** Reports targets whose tools are no longer offered. */
export function reportEnded(requests: readonly TargetRequest[], report: Report): void {
  for (const { spec, at } of requests) {
    const { state, note, successor } = spec.status ?? {};
    // A tool that has only changed its name is written for as before: nothing has to be done.
    if (note === undefined || (state === 'renamed' && successor === undefined)) continue;
    const fixes = successor === undefined ? [] : exchanging(at, spec.id, successor);
    report(
      targetEnded({ note, successor: successor ?? 'another tool' }, { span: at, target: spec.id, fixes }),
    );
  }
}

/** Reports main files that hide or repeat one another. */
export function reportOverlaps(
  requests: readonly TargetRequest[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
  report: Report,
): void {
  const main = new Map<string, string[]>(requests.map(({ spec }) => [spec.id, []]));
  const add = (draft: Draft) => {
    if (isMain(draft)) main.get(draft.request.spec.id)!.push(draft.path);
  };
  byPath.forEach(drafts => void drafts.forEach(add));
  for (const { kind, by, ...holes } of findOverlaps(
    requests.map(({ spec }) => ({ spec, paths: main.get(spec.id)! })),
  )) {
    report(
      (kind === 'shadowed' ? mainFileShadowed : mainFileDoubled)(
        { ...holes, by: fewNames(by) },
        {
          file: holes.file,
          span: requests.find(({ spec }) => spec.id === holes.target)?.at,
          target: holes.target,
        },
      ),
    );
  }
}

/** Reports what a tool loads more than once whatever the layout is, with its size in the written files. */
export function reportRepeated(
  repeated: readonly Repeated[],
  written: ReadonlyMap<string, string>,
  report: Report,
): void {
  for (const { request, files, parts, size } of repeated) {
    const lengths = files.map(path => written.get(path)?.length ?? 0);
    const holes = {
      target: request.spec.id,
      what: parts ? fewQuoted(parts) : 'the main text',
      files: fewNames(files),
      copies: parts ? 'more than once' : `${files.length} times`,
      size: size ?? Math.min(...lengths) * (files.length - 1),
    };
    report(textRepeats(holes, { file: files[0]!, span: request.at, target: request.spec.id }));
  }
}

/** What a tool is given by files of others in another way than it was meant; whatever the layout, said once for each kind. */
export function reportElsewhere(found: readonly Elsewhere[], report: Report): void {
  for (const { request, kind, how, clients, entries, own, files, by } of found) {
    const target = request.spec.id;
    const where = { file: files[0]!, about: entries[0]!, span: request.at, target };
    const holes = {
      target: readerOf(target, clients),
      entries: fewQuoted(entries),
      files: fewNames(files),
      by: fewNames(by),
    };
    if (how === 'always') report(foundAlways(holes, where));
    else report(foundTwice({ ...holes, takes: takingOf(kind), own: fewNames(own) }, where));
  }
}
