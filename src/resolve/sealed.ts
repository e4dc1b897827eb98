import { sealedElsewhere, sealedField } from '../generated/diagnostics.ts';
import type { Span } from '../text/source.ts';
import { entryFieldsOf, portableName, sealableFields } from './catalogue.ts';
import { fieldIn, itemsOf, sameValue } from './draft.ts';
import { type MergeContext, noteReplacement, stepOf, withPath } from './merge-context.ts';
import type { Node, ObjectNode, ProvenanceStep } from './program.ts';

type Reporting = Pick<MergeContext, 'run'>;

interface Seal {
  readonly fields: ReadonlySet<string>;
  readonly by: ProvenanceStep;
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
 * Whether a declaration may change a field of the skill at the path. Reports a sealed field, or a `sealed`
 * set by another file.
 */
export function isChangeAllowed(skill: ObjectNode, key: string, value: Node, m: MergeContext): boolean {
  if (sameValue(skill.fields.get(key), value)) return true;
  return mayReplace(skill, m.path[1]!, key, value.steps[0]!.span, m);
}

/** Whether `sealed` of a skill may be set at `span`: only the file that declares the skill may set it. */
function maySeal(skill: Node, name: string, span: Span, { run }: Reporting): boolean {
  const owner = skill.steps[0]!;
  if (owner.span.source === span.source) return true;
  const related = [{ message: `\`${name}\` is declared here`, span: owner.span }];
  run.report(sealedElsewhere({ skill: name, file: owner.span.source.name }, { span, related }));
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
export function canReplaceWhole(
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
 * Applies the seal of an imported skill to a skill that was declared before the import. Changes to sealed
 * fields are reported and dropped, so that a declaration before `@inherit` cannot evade the seal.
 */
export function applySealToEarlier(skill: Node, incoming: Node, name: string, m: Reporting): Node {
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

/** The fields of an entry that may contain overlays: changes for single tools, by tool name. */
const overlayFields = ['tools', 'targets'];

/**
 * The fields of an entry that contain overlays. Lists, texts and switches there are fields of the entry
 * itself.
 */
export const overlaysIn = (
  block: string,
  { fields }: Pick<ObjectNode, 'fields'>,
): (readonly [string, ObjectNode])[] =>
  overlayFields.flatMap(field => {
    const node = fields.get(field);
    return node && holdsOverlays(block, field, node) ? [[field, node] as const] : [];
  });

function holdsOverlays(block: string, field: string, node: Node): node is ObjectNode {
  const spec = entryFieldsOf(block)?.find(({ name }) => name === field);
  if (node.kind !== 'object' || !spec) return false;
  const hasSwitches = field === 'tools' && spec.types.some(type => type !== 'object');
  return !hasSwitches || [...node.fields.values()].some(({ kind }) => kind === 'object');
}

export const isExcluded = (node: Node): boolean => node.kind === 'scalar' && node.value === false;

/** Whether a field applies to an entry as a whole and cannot be overlaid for one tool. */
export const appliesToWholeEntry = (block: string, field: string, node: Node): boolean =>
  field === 'targets' || field === 'except' || (field === 'tools' && holdsOverlays(block, field, node));

/** Sets a field of an overlay in the fields of an entry, in any of its spellings. */
export function setOverlaid(block: string, fields: Map<string, Node>, field: string, value: Node): void {
  const name = portableName(block, field);
  for (const key of [...fields.keys()]) if (portableName(block, key) === name) fields.delete(key);
  fields.set(field, value);
  // `command` and `script` exclude each other.
  if (block === 'hooks' && field === 'command') fields.delete('script');
  if (block === 'hooks' && field === 'script') fields.delete('command');
}

/**
 * Records what the overlays of a declaration replace in an entry: overlays change fields, so policies and
 * seals about these fields apply. Returns `false` when a seal forbids a change.
 */
export function noteOverlays(base: ObjectNode, key: string, value: Node, m: MergeContext): boolean {
  if (!overlayFields.includes(key) || value.kind !== 'object') return true;
  const [block, name] = m.path as [string, string];
  let isAllowed = true;
  for (const [tool, changes] of value.fields) {
    for (const [field, node] of changes.kind === 'object' ? changes.fields : []) {
      if (block === 'skills' && !mayReplace(base, name, field, node.steps[0]!.span, m)) isAllowed = false;
      const current = base.fields.get(field);
      if (current)
        withPath(m, [tool, field], () => noteReplacement(m, current, node, stepOf(node, 'replace')));
    }
  }
  return isAllowed;
}
