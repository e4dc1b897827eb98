import type { Draft } from './draft.ts';
import type { MergeContext } from './merge-context.ts';
import type { Resource, SkillOrigin } from './program.ts';

/** The origin of a skill that only source files declare. */
export const noOrigin: SkillOrigin = { resources: [], extra: new Map() };

/** Removes the origins of skills that a later version replaced as a whole. */
export function dropReplacedOrigins(draft: Draft, winners: MergeContext['winners']): void {
  for (const [name, winner] of winners) if (winner === 'later') draft.skills.delete(name);
}

/**
 * Merges the origins of the skills of an imported file; the later file wins. `winners` has the skills of which one
 * version counts alone.
 */
export function mergeOrigins(draft: Draft, from: Draft, winners: MergeContext['winners']): void {
  dropReplacedOrigins(draft, winners);
  for (const [name, origin] of from.skills) {
    if (winners.get(name) === 'first') continue;
    const current = draft.skills.get(name);
    draft.skills.set(name, current ? join(current, origin) : origin);
  }
}

function join(first: SkillOrigin, later: SkillOrigin): SkillOrigin {
  return {
    ...first,
    ...later,
    resources: joinResources(first.resources, later.resources),
    extra: new Map([...first.extra, ...later.extra]),
  };
}

/** The files of both skills; of two with one path the later one. */
export const joinResources = (
  first: readonly Resource[],
  later: readonly Resource[],
): readonly Resource[] => [
  ...new Map([...first, ...later].map(resource => [resource.path, resource])).values(),
];

/** Records for every skill of a resolved file which `@use` imported it and the directory of its output. */
export function placeSkills(draft: Draft, reference: string, into: string | undefined): void {
  for (const name of draft.blocks.get('skills')?.places.keys() ?? []) {
    const origin = draft.skills.get(name) ?? noOrigin;
    draft.skills.set(name, {
      ...origin,
      reference: origin.reference ?? reference,
      ...(into !== undefined && { into }),
    });
  }
}
