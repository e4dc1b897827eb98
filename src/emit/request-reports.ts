import type { Report } from '../diagnostics/diagnostic.ts';
import { exchanging, renaming } from '../diagnostics/fixes.ts';
import { includedSkillUnknown, targetEnded } from '../generated/diagnostics.ts';
import { didYouMean } from '../text/similar.ts';
import type { LayoutContext } from './layout-context.ts';

/** Reports names in `includeSkills` that are names of no skill. */
export function reportUnknownSkills({ model, requests, settings }: LayoutContext, report: Report): void {
  const { languageSkill } = settings;
  const items = [...model.items.skills, ...model.items.guards, ...(languageSkill ? [languageSkill] : [])];
  const names = items.map(({ name }) => name);
  const known = new Set(names);
  for (const { spec, includedAt = new Map() } of requests) {
    for (const [skill, span] of includedAt) {
      if (known.has(skill)) continue;
      const hint = `${didYouMean(skill, names)}Correct the name, or remove it from the list.`;
      const fixes = renaming(span, skill, names);
      report(includedSkillUnknown({ target: spec.id, skill }, { span, hint, target: spec.id, fixes }));
    }
  }
}

/** Reports targets whose tools are no longer offered. A tool that only has a new name is written for as before. */
export function reportEnded({ requests }: LayoutContext, report: Report): void {
  for (const { spec, at } of requests) {
    const { state, note, successor } = spec.status ?? {};
    if (note === undefined || (state === 'renamed' && successor === undefined)) continue;
    const fixes = successor === undefined ? [] : exchanging(at, spec.id, successor);
    const holes = { note, successor: successor ?? 'another tool' };
    report(targetEnded(holes, { span: at, target: spec.id, fixes, rule: 'target-ended' }));
  }
}
