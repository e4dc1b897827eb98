import { removing } from '../diagnostics/fixes.ts';
import { negationUnmatched } from '../generated/diagnostics.ts';
import { type Draft, fieldOf, type ListDraft, type NodeDraft, own, ownBlock, setField } from './draft.ts';
import { isNegation, nameKey } from './lists.ts';
import { joinResources } from './origins.ts';
import type { Resource, SkillOrigin } from './program.ts';
import type { Run } from './run.ts';

/** Lists in which `!x` may stand. */
const negatable = ['references', 'requires'] as const;

/** Settles what can be known only when everything is merged: leftover negations, and the files of each skill. */
export function finishSkills(draft: Draft, run: Run): ReadonlyMap<string, SkillOrigin> {
  const origins = new Map<string, SkillOrigin>();
  for (const entry of draft.blocks.get('skills')?.entries ?? []) {
    if (entry.kind !== 'field') continue;
    const origin = draft.skills.get(entry.key) ?? { resources: [], extra: new Map() };
    if (entry.node.kind === 'object') {
      for (const key of negatable) dropNegations(draft, entry.key, key, run);
      const references = fieldOf(draft.blocks.get('skills')!, entry.key);
      const files = references?.kind === 'object' ? filesOf(references.fields.get('references'), run) : [];
      origins.set(entry.key, { ...origin, resources: joinResources(origin.resources, files) });
    } else origins.set(entry.key, origin);
  }
  return origins;
}

function filesOf(references: NodeDraft | undefined, run: Run): Resource[] {
  if (!references) return [];
  const items = references.kind === 'list' ? references.items : [references];
  return items.flatMap(item => run.resources.get(item) ?? []);
}

/** `!x` that met no list to take `x` from: reported, and no value of the program. */
function dropNegations(draft: Draft, name: string, key: string, run: Run): void {
  const block = draft.blocks.get('skills')!;
  const skill = fieldOf(block, name)!;
  const value = skill.kind === 'object' ? skill.fields.get(key) : undefined;
  if (skill.kind !== 'object' || value?.kind !== 'list' || !value.items.some(isNegation)) return;
  for (const item of value.items.filter(isNegation)) {
    const entry = nameKey(item).slice(1);
    const { span } = item.steps[0]!;
    const fixes = [removing(`Remove \`!${entry}\``, span)];
    run.report(negationUnmatched({ entry, path: `skills.${name}.${key}` }, { span, fixes }));
  }
  const mine = own(skill, draft.owner);
  const kept: ListDraft = own(value, draft.owner);
  kept.items = kept.items.filter(item => !isNegation(item));
  delete kept.seen;
  mine.fields.set(key, kept);
  setField(ownBlock(draft, 'skills')!, name, mine);
}
