import type { Report } from '../../diagnostics/diagnostic.ts';
import { skillTargetUnmatched } from '../../generated/diagnostics.ts';
import type { Unit } from '../../resolve/program.ts';
import { referencesOf, writtenForm } from '../../resolve/written.ts';
import { didYouMean } from '../../text/similar.ts';
import type { Project } from '../open/open.ts';

/** Reports keys of `skillTargets` that no `@use` of the program is written as. */
export function reportUnusedSkillTargets(
  { loaded }: Project,
  entry: string,
  units: readonly Unit[],
  report: Report,
): void {
  const { skillTargets = {}, builds = {}, input } = loaded.config;
  // The keys are for all builds together; one entry alone says nothing about what another one uses.
  const entries = new Set([input.entry, ...Object.values(builds).map(build => build.entry ?? input.entry)]);
  if (Object.keys(skillTargets).length === 0 || entries.size > 1 || entry !== input.entry) return;
  const written = new Set<string>();
  for (const unit of units) {
    if (unit.kind !== 'source') continue;
    for (const reference of unit.document.declarations.flatMap(referencesOf))
      written.add(writtenForm(reference)).add(reference.path);
  }
  for (const reference of Object.keys(skillTargets)) {
    if (written.has(reference)) continue;
    const span = loaded.spanOf(['skillTargets', reference], 'key');
    const hint = didYouMean(reference, written).trim() || undefined;
    report(skillTargetUnmatched({ reference }, { span, hint }));
  }
}
