import { sealedElsewhere, sealedField } from '../generated/diagnostics.ts';
import { sealableFields } from './catalogue.ts';
import { type NodeDraft, type ObjectDraft, sameValue } from './draft.ts';
import type { Merging } from './merge.ts';
import type { Step } from './program.ts';

/** The fields of a skill that nobody else may replace, with the declaration that says so. */
export function sealOf(
  skill: NodeDraft,
): { readonly fields: ReadonlySet<string>; readonly by: Step } | undefined {
  const sealed = skill.kind === 'object' ? skill.fields.get('sealed') : undefined;
  if (!sealed) return undefined;
  const by = sealed.steps.at(-1)!;
  if (sealed.kind === 'scalar') {
    if (sealed.value === true) return { fields: sealableFields, by };
    return typeof sealed.value === 'string' ? { fields: new Set([sealed.value]), by } : undefined;
  }
  if (sealed.kind !== 'list') return undefined;
  return {
    fields: new Set(sealed.items.map(item => (item.kind === 'scalar' ? String(item.value) : ''))),
    by,
  };
}

/**
 * Whether a field of a skill may be changed by a declaration; reports when it is sealed, or when somebody else than
 * the file that declares the skill sets `sealed`.
 */
export function mayChange(
  skill: ObjectDraft,
  incoming: ObjectDraft,
  key: string,
  value: NodeDraft,
  m: Merging,
): boolean {
  const current = skill.fields.get(key);
  if (current && sameValue(current, value)) return true;
  const name = m.path[1]!;
  const { span } = value.steps[0] ?? incoming.steps[0]!;
  if (key === 'sealed') {
    const owner = skill.steps[0]!;
    if (owner.span.source === span.source) return true;
    const related = [{ message: `\`${name}\` is declared here`, span: owner.span }];
    m.run.report(sealedElsewhere({ skill: name, file: owner.span.source.name }, { span, related }));
    return false;
  }
  return mayReplace(skill, name, [key], span, m);
}

/** Whether fields of a skill may be replaced from the place of `span`; reports the first that may not. */
export function mayReplace(
  skill: NodeDraft,
  name: string,
  keys: readonly string[],
  span: Step['span'],
  { run }: Pick<Merging, 'run'>,
): boolean {
  const seal = sealOf(skill);
  if (!seal || seal.by.span.source === span.source) return true;
  const key = keys.find(candidate => seal.fields.has(candidate));
  if (key === undefined) return true;
  const related = [{ message: 'sealed here', span: seal.by.span }];
  run.report(sealedField({ field: key, skill: name, file: seal.by.span.source.name }, { span, related }));
  return false;
}
