import { argumentMissing } from '../generated/diagnostics.ts';
import type { Reference } from '../syntax/ast.ts';
import { fieldSpelled } from './catalogue.ts';
import { type Draft, fieldIn, fieldOf, setField } from './draft.ts';
import { parameterArguments, reportUnknownArgument } from './parameters.ts';
import type { Node, ObjectNode, SkillUnit, Step } from './program.ts';
import { type Run, spend } from './run.ts';
import { type Scope, toNode } from './values.ts';

/** The reference that imports a file, and the scope of its arguments. */
export interface Caller {
  readonly reference: Reference;
  readonly scope: Scope;
}

/** Fields of a Markdown skill in which its parameters are filled in. */
const templateFields = ['description', 'content', 'closing', 'trigger', 'argumentHint'] as const;

/**
 * Adds the arguments of a `@use` to the fields of a skill whose front matter declares `params`. Parameters without
 * argument stay open: fields of that name in `@skills` give them, or their defaults.
 */
export function addSkillArguments(
  fields: Map<string, Node>,
  unit: SkillUnit,
  run: Run,
  caller: Caller | undefined,
): void {
  const params = fields.get('params');
  for (const argument of parameterArguments(caller?.reference)) {
    const { name } = argument.name;
    if (fieldIn(params, name))
      fields.set(name, toNode(argument.value, { ...caller!.scope, operation: 'parameter' }));
    else {
      const known = params?.kind === 'object' ? [...params.fields.keys()] : [];
      reportUnknownArgument(argument, unit.source.name, known, run);
    }
  }
}

/** The value of a parameter, with the steps that gave it. */
interface Filling {
  readonly text: string;
  readonly steps: readonly Step[];
}

/**
 * Fills the parameters of the Markdown skills of a finished program: fields with the name of a parameter give its
 * value and are then removed. Reports parameters that have neither value nor default.
 */
export function fillSkillParameters(draft: Draft, run: Run): void {
  const block = draft.blocks.get('skills');
  for (const [name, { source }] of draft.skills) {
    const skill = source && fieldOf(block, name);
    const params = fieldIn(skill, 'params');
    if (!source || skill?.kind !== 'object' || params?.kind !== 'object') continue;
    const fields = new Map(skill.fields);
    const values = new Map<string, Filling>();
    for (const [key, declared] of params.fields) {
      const given = fieldSpelled('skills', key) === undefined ? fields.get(key) : undefined;
      if (given) fields.delete(key);
      const value = given ?? (declared.kind === 'object' ? declared.fields.get('default') : declared);
      if (value?.kind === 'scalar' && value.value !== null)
        values.set(key, { text: value.raw ?? String(value.value), steps: given ? value.steps : [] });
      else if (!isOptional(declared)) {
        const { span } = declared.steps[0]!;
        const hint = `Give it a \`default\`, or set \`${key}\` in \`@skills { ${name}: { … } }\`.`;
        // A warning, because the skill may come from a registry: its text keeps the name in braces.
        run.report(argumentMissing({ name: key, reference: name }, { span, hint, severity: 'warning' }));
      }
    }
    for (const key of templateFields) {
      const node = fields.get(key);
      if (node) fields.set(key, filled(node, values, source.name, run));
    }
    setField(block!, name, { ...skill, fields } satisfies ObjectNode);
  }
}

function isOptional(declared: Node): boolean {
  const [required, optional] = [fieldIn(declared, 'required'), fieldIn(declared, 'optional')];
  return (
    (required?.kind === 'scalar' && required.value === false) ||
    (optional?.kind === 'scalar' && optional.value === true)
  );
}

/** Only texts of the Markdown file itself are templates; texts of other files are not. */
function filled(node: Node, values: ReadonlyMap<string, Filling>, file: string, run: Run): Node {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return node;
  if (node.steps.at(-1)!.span.source.name !== file) return node;
  const used = new Set<Filling>();
  const text = node.value.replace(/(?<!\{)\{\{([A-Za-z_][\w-]*)\}\}(?!\})/g, (whole, name: string) => {
    const value = values.get(name);
    if (!value || !spend(run, value.text.length, node.steps[0]!.span)) return whole;
    used.add(value);
    return value.text;
  });
  const steps = [...used].flatMap(value => value.steps);
  return {
    ...node,
    value: text,
    steps: [...node.steps, ...steps.map((step): Step => ({ ...step, operation: 'parameter' }))],
  };
}
