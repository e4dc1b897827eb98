import { removing } from '../diagnostics/fixes.ts';
import { sealedElsewhere, sealedField } from '../generated/diagnostics.ts';
import type { Span } from '../text/source.ts';
import { sealableFields } from './catalogue.ts';
import { fieldIn, itemsOf, sameValue } from './draft.ts';
import type { MergeContext } from './merge-context.ts';
import type { Node, ObjectNode, Step } from './program.ts';

type Reporting = Pick<MergeContext, 'run'>;

/** The sealed fields of a skill, with the declaration that seals them. */
interface Seal {
  readonly fields: ReadonlySet<string>;
  readonly by: Step;
}

function sealOf(skill: Node): Seal | undefined {
  const sealed = fieldIn(skill, 'sealed');
  if (!sealed || sealed.kind === 'object') return undefined;
  const by = sealed.steps.at(-1)!;
  if (sealed.kind === 'scalar' && typeof sealed.value !== 'string')
    return sealed.value === true ? { fields: sealableFields, by } : undefined;
  const names = itemsOf(sealed).map(item => (item.kind === 'scalar' ? String(item.value) : ''));
  return { fields: new Set(names), by };
}

/**
 * Whether a declaration may change the field of a skill at the path. Reports when the field is sealed, or when
 * `sealed` is set in another file than the one that declares the skill.
 */
export function mayChange(skill: ObjectNode, key: string, value: Node, m: MergeContext): boolean {
  if (sameValue(skill.fields.get(key), value)) return true;
  return mayReplace(skill, m.path[1]!, key, value.steps[0]!.span, m);
}

/** Whether `sealed` of a skill may be set at `span`: only the file that declares the skill sets it. */
function maySeal(skill: Node, name: string, span: Span, { run }: Reporting): boolean {
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

/** Whether a declaration at `span` may replace a field of a skill. */
export function mayReplace(skill: Node, name: string, key: string, span: Span, m: Reporting): boolean {
  if (key === 'sealed') return maySeal(skill, name, span, m);
  const seal = sealOf(skill);
  if (!seal?.fields.has(key) || seal.by.span.source === span.source) return true;
  const related = [{ message: 'sealed here', span: seal.by.span }];
  m.run.report(sealedField({ field: key, skill: name, file: seal.by.span.source.name }, { span, related }));
  return false;
}

/** Whether another value may replace a whole skill; without `next` the skill is removed. */
export function mayReplaceWhole(
  skill: Node,
  next: Node | undefined,
  name: string,
  m: Reporting,
  span: Span = next!.steps[0]!.span,
): boolean {
  const seal = sealOf(skill);
  const isAllowed = (key: string): boolean => {
    const after = fieldIn(next, key);
    return (
      sameValue(fieldIn(skill, key), after) || mayReplace(skill, name, key, after?.steps[0]?.span ?? span, m)
    );
  };
  return [...(seal?.fields ?? [])].every(isAllowed) && (!(next || seal) || isAllowed('sealed'));
}

/**
 * Applies the seal of an imported skill to a skill that was declared before the import: its sealed fields are reported
 * and dropped, so that a declaration before `@inherit` cannot evade the seal.
 */
export function sealEarlier(skill: Node, incoming: Node, name: string, m: Reporting): Node {
  const seal = sealOf(incoming);
  if (!seal || sealOf(skill)) return skill;
  if (skill.kind !== 'object') {
    mayReplace(incoming, name, [...seal.fields][0]!, skill.steps[0]!.span, m);
    return incoming;
  }
  const fields = new Map(skill.fields);
  for (const key of seal.fields) {
    const earlier = fields.get(key);
    const span = earlier?.steps.at(-1)?.span;
    if (!span || span.source === seal.by.span.source || sameValue(earlier, fieldIn(incoming, key))) continue;
    mayReplace(incoming, name, key, span, m);
    fields.delete(key);
  }
  return { ...skill, fields: fields.set('sealed', fieldIn(incoming, 'sealed')!) };
}
