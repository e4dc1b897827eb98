import type { Draft } from './draft.ts';
import type { Merging } from './merging.ts';
import type { Resource, SkillOrigin } from './program.ts';

const nothing: SkillOrigin = { resources: [], extra: new Map() };

/** Forgets where skills came from that a later version replaced whole. */
export function forgetReplaced(draft: Draft, settled: Merging['settled']): void {
  settled?.forEach((meeting, name) => {
    if (meeting === 'later') draft.skills.delete(name);
  });
}

/**
 * Brings the facts about skills of an imported file along; the later file wins where both say something. `settled`
 * names skills of which one stands whole: nothing of the other is taken.
 */
export function mergeOrigins(draft: Draft, from: Draft, settled: Merging['settled']): void {
  forgetReplaced(draft, settled);
  for (const [name, origin] of from.skills) {
    if (settled?.get(name) === 'first') continue;
    const there = draft.skills.get(name);
    if (there !== origin) draft.skills.set(name, there ? join(there, origin) : origin);
  }
}

function join(first: SkillOrigin, later: SkillOrigin): SkillOrigin {
  return {
    ...first,
    ...later,
    resources: joinResources(first.resources, later.resources),
    extra: first.extra.size === 0 ? later.extra : new Map([...first.extra, ...later.extra]),
  };
}

/** Files of both; of two with one path the later one. */
export function joinResources(first: readonly Resource[], later: readonly Resource[]): readonly Resource[] {
  if (first === later || later.length === 0) return first;
  if (first.length === 0) return later;
  return [...new Map([...first, ...later].map(resource => [resource.path, resource])).values()];
}

/** Says of every skill of a resolved file which `@use` brought it and where its output goes. */
export function placeSkills(draft: Draft, reference: string, into: string | undefined): void {
  for (const entry of draft.blocks.get('skills')?.entries ?? []) {
    if (entry.kind !== 'field') continue;
    const origin = draft.skills.get(entry.key) ?? nothing;
    if (into === undefined && origin.reference !== undefined) continue;
    draft.skills.set(entry.key, {
      ...origin,
      reference: origin.reference ?? reference,
      ...(into !== undefined && { into }),
    });
  }
}
