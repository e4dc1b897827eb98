import { removing } from '../diagnostics/fixes.ts';
import { sealedElsewhere, sealedField } from '../generated/diagnostics.ts';
import type { Span } from '../text/source.ts';
import { sealableFields } from './catalogue.ts';
import { type NodeDraft, type ObjectDraft, own, sameValue } from './draft.ts';
import type { Merging } from './merging.ts';
import type { Step } from './program.ts';

/** The sealed fields of a skill, with the declaration that seals them. */
interface Seal {
  readonly fields: ReadonlySet<string>;
  readonly by: Step;
}

function sealOf(skill: NodeDraft): Seal | undefined {
  const sealed = fieldOf(skill, 'sealed');
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

const fieldOf = (skill: NodeDraft | undefined, key: string): NodeDraft | undefined =>
  skill?.kind === 'object' ? skill.fields.get(key) : undefined;

/**
 * Whether a field of a skill may be changed by a declaration; reports when it is sealed, or when `sealed` is set in
 * another file than the one that declares the skill.
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
  const { span } = value.steps[0] ?? incoming.steps[0]!;
  return key === 'sealed' ? maySeal(skill, m.path[1]!, span, m) : mayReplace(skill, m.path[1]!, key, span, m);
}

/** Whether `sealed` of a skill may be set from the place of `span`: only the file that declares the skill sets it. */
export function maySeal(skill: NodeDraft, name: string, span: Span, { run }: Pick<Merging, 'run'>): boolean {
  const owner = skill.steps[0]!;
  if (owner.span.source === span.source) return true;
  const related = [{ message: `\`${name}\` is declared here`, span: owner.span }];
  // An entry without braces has no field of its own to remove.
  const fixes = /^sealed\b/.test(span.source.text.slice(span.start, span.end))
    ? [removing('Remove `sealed`', span)]
    : [];
  run.report(sealedElsewhere({ skill: name, file: owner.span.source.name }, { span, related, fixes }));
  return false;
}

/** Whether a field of a skill may be replaced from the place of `span`. */
export function mayReplace(
  skill: NodeDraft,
  name: string,
  key: string,
  span: Span,
  { run }: Pick<Merging, 'run'>,
): boolean {
  const seal = sealOf(skill);
  if (!seal?.fields.has(key) || seal.by.span.source === span.source) return true;
  const related = [{ message: 'sealed here', span: seal.by.span }];
  run.report(sealedField({ field: key, skill: name, file: seal.by.span.source.name }, { span, related }));
  return false;
}

/** Whether another value may take the place of a whole skill; `undefined` takes it away. */
export function mayReplaceWhole(
  skill: NodeDraft,
  next: NodeDraft | undefined,
  name: string,
  m: Pick<Merging, 'run'>,
  span: Span = next!.steps[0]!.span,
): boolean {
  const differs = (key: string): boolean => {
    const before = fieldOf(skill, key);
    const after = fieldOf(next, key);
    return before && after ? !sameValue(before, after) : before !== after;
  };
  for (const key of sealOf(skill)?.fields ?? []) {
    if (differs(key) && !mayReplace(skill, name, key, fieldOf(next, key)?.steps[0]?.span ?? span, m))
      return false;
  }
  const sealed = fieldOf(next, 'sealed')?.steps[0]?.span ?? span;
  return !differs('sealed') || (next === undefined && !sealOf(skill)) || maySeal(skill, name, sealed, m);
}

/**
 * A skill that was there before the file that declares and seals it: what it says of sealed fields is reported and
 * dropped, and the seal holds. So a declaration before `@inherit` is no way round it.
 */
export function sealEarlier(skill: NodeDraft, incoming: NodeDraft, name: string, m: Merging): NodeDraft {
  const seal = sealOf(incoming);
  if (!seal || sealOf(skill)) return skill;
  if (skill.kind !== 'object') {
    mayReplace(incoming, name, [...seal.fields][0]!, skill.steps[0]!.span, m);
    return incoming;
  }
  const { source } = seal.by.span;
  const result = own(skill, m.owner);
  for (const key of seal.fields) {
    const earlier = skill.fields.get(key);
    const said = fieldOf(incoming, key);
    const { span } = earlier?.steps.at(-1) ?? skill.steps[0]!;
    if (!earlier || span.source === source || (said && sameValue(earlier, said))) continue;
    mayReplace(incoming, name, key, span, m);
    result.fields.delete(key);
  }
  result.fields.set('sealed', fieldOf(incoming, 'sealed')!);
  return result;
}
