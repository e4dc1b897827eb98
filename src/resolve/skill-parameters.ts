import { renaming } from '../diagnostics/fixes.ts';
import { argumentMissing, argumentUnknown } from '../generated/diagnostics.ts';
import type { Reference } from '../syntax/ast.ts';
import { didYouMean } from '../text/similar.ts';
import { fieldSpelled } from './catalogue.ts';
import { type Draft, fieldOf, type NodeDraft, type ObjectDraft, own, ownBlock, setField } from './draft.ts';
import { isReserved } from './parameters.ts';
import type { SkillUnit, Step } from './program.ts';
import { type Run, spend } from './run.ts';
import type { Scope } from './values.ts';
import { toNode } from './values.ts';

/** Where a file is used from: its reference, and the scope in which the arguments are written. */
export interface Caller {
  readonly reference: Reference;
  readonly scope: Scope;
}

/** Fields of a Markdown skill in which its parameters are filled in. */
const filled = ['description', 'content', 'closing', 'trigger', 'argumentHint'] as const;

/**
 * Fills the arguments of a `@use` into a skill whose front matter declares `params`. Parameters without argument stay
 * open: fields of that name in `@skills` give them, or their defaults.
 */
export function fillSkillParameters(
  draft: Draft,
  unit: SkillUnit,
  run: Run,
  caller: Caller | undefined,
): Draft {
  const args = (caller?.reference.arguments ?? []).filter(argument => !isReserved(argument));
  if (args.length === 0) return draft;
  const block = draft.blocks.get('skills')!;
  const entry = block.entries[0]!;
  if (entry.kind !== 'field' || entry.node.kind !== 'object') return draft;
  const params = paramsOf(entry.node);
  for (const { name, value } of args) {
    if (params?.fields.has(name.name)) {
      const node = toNode(value, { ...caller!.scope, owner: draft.owner, operation: 'parameter' });
      entry.node.fields.set(name.name, node);
      continue;
    }
    const known = [...(params?.fields.keys() ?? [])];
    const list = known.length > 0 ? `Its parameters are: ${known.join(', ')}.` : 'It has no parameters.';
    const where = {
      span: name.span,
      hint: `${didYouMean(name.name, known)}${list}`,
      fixes: renaming(name.span, name.name, known),
    };
    run.report(argumentUnknown({ name: name.name, reference: unit.source.name }, where));
  }
  return draft;
}

function paramsOf(skill: NodeDraft): ObjectDraft | undefined {
  const params = skill.kind === 'object' ? skill.fields.get('params') : undefined;
  return params?.kind === 'object' ? params : undefined;
}

/**
 * Fills the parameters of the Markdown skills of a finished program: fields with the name of a parameter give its
 * value and are then gone. Reports parameters that have neither value nor default.
 */
export function settleSkillParameters(draft: Draft, run: Run): void {
  for (const [name, origin] of draft.skills) {
    const skill =
      origin.source && draft.blocks.get('skills') ? fieldOf(draft.blocks.get('skills')!, name) : undefined;
    const params = skill && paramsOf(skill);
    if (skill?.kind !== 'object' || !params) continue;
    const block = ownBlock(draft, 'skills')!;
    const mine = own(skill, draft.owner);
    const values = new Map<string, { readonly text: string; readonly steps: readonly Step[] }>();
    for (const [key, declared] of params.fields) {
      const given = fieldSpelled('skills', key) === undefined ? mine.fields.get(key) : undefined;
      if (given) mine.fields.delete(key);
      const fallback = declared.kind === 'object' ? declared.fields.get('default') : declared;
      const value = given ?? (fallback?.kind === 'scalar' ? fallback : undefined);
      if (value?.kind === 'scalar' && value.value !== null) {
        values.set(key, { text: value.raw ?? String(value.value), steps: given ? value.steps : [] });
      } else if (!isOptional(declared)) {
        const { span } = declared.steps[0]!;
        const hint = `Give it a \`default\`, or set \`${key}\` in \`@skills { ${name}: { … } }\`.`;
        // A missing value of a skill from a registry is no error of the project: its text keeps the name in braces.
        const where = { span, hint, severity: 'warning' } as const;
        run.report(argumentMissing({ name: key, reference: name }, where));
      }
    }
    for (const key of filled) fillField(mine, key, values, origin.source!.name, draft, run);
    setField(block, name, mine);
  }
}

function isOptional(declared: NodeDraft): boolean {
  if (declared.kind !== 'object') return false;
  const [required, optional] = [declared.fields.get('required'), declared.fields.get('optional')];
  return (
    (required?.kind === 'scalar' && required.value === false) ||
    (optional?.kind === 'scalar' && optional.value === true)
  );
}

/** Only texts of the Markdown file itself are templates: what another file put in their place is not. */
function fillField(
  skill: ObjectDraft,
  key: string,
  values: ReadonlyMap<string, { readonly text: string; readonly steps: readonly Step[] }>,
  file: string,
  draft: Draft,
  run: Run,
): void {
  const node = skill.fields.get(key);
  if (node?.kind !== 'scalar' || typeof node.value !== 'string' || !node.value.includes('{{')) return;
  if (node.steps.at(-1)!.span.source.name !== file) return;
  const used = new Set<string>();
  const text = node.value.replace(/(?<!\{)\{\{([A-Za-z_][\w-]*)\}\}(?!\})/g, (whole, name: string) => {
    const value = values.get(name);
    if (!value || !spend(run, value.text.length, node.steps[0]!.span)) return whole;
    used.add(name);
    return value.text;
  });
  if (used.size === 0) return;
  const mine = own(node, draft.owner);
  mine.value = text;
  for (const name of used) {
    for (const step of values.get(name)!.steps) mine.steps.push({ ...step, operation: 'parameter' });
  }
  skill.fields.set(key, mine);
}
