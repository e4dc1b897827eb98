import { argumentMissing, argumentType, argumentUnknown, defaultType } from '../generated/diagnostics.ts';
import type { Argument, Document, Field, Reference, TypeExpression, Value } from '../syntax/ast.ts';
import { blockFields } from '../syntax/walk.ts';
import { unknownNameAt } from '../text/diagnostics/fixes.ts';
import { fieldOfKey } from './catalogue.ts';
import { type Draft, fieldIn, fieldOf, type ParameterDraft, setField } from './draft.ts';
import type { Node, ObjectNode, ProvenanceStep, ScalarNode, SkillUnit, SourceUnit } from './program.ts';
import { type Run, spendBudget } from './run.ts';
import { type BoundParameter, type BoundParameters, type Scope, toNode } from './values.ts';

/** The parameters of a file that has none. */
export const noParameters: BoundParameters = new Map();

const reserved = new Set(['only', 'exclude', 'includes', 'excludes']);

/** The arguments of a reference that set parameters; the other arguments select blocks or skills. */
export const parameterArguments = (reference: Reference | undefined): readonly Argument[] =>
  (reference?.arguments ?? []).filter(argument => !reserved.has(argument.name.name));

/**
 * The fields that declare parameters: those of `@params` and of `params` in `@meta`; of duplicate names the
 * later one is last.
 */
const declaredFields = ({ declarations }: Document): { readonly field: Field; readonly shown: boolean }[] =>
  declarations.flatMap(declaration => {
    const fields = blockFields(declaration, 'params').map(field => ({ field, shown: true }));
    const params = blockFields(declaration, 'meta').find(({ key }) => key === 'params')?.value;
    const hidden = params?.kind === 'object' ? params.fields : [];
    return [...fields, ...hidden.map(field => ({ field, shown: false }))];
  });

/** The parameters of a file with their values for one import. */
export interface Binding {
  readonly parameters: BoundParameters;
  /** Parameters of `@params`, which become parameters of the program that merges the file. */
  readonly shown: readonly ParameterDraft[];
  /** A cache key, equal for equal values. */
  readonly key: string;
}

function reportUnknownArgument(
  { name: { name, span } }: Argument,
  reference: string,
  known: readonly string[],
  run: Run,
): void {
  const names = known.length > 0 ? `Its parameters are: ${known.join(', ')}.` : 'It has no parameters.';
  run.report(argumentUnknown({ name, reference }, unknownNameAt(span, name, known, names)));
}

/**
 * Binds the parameters of a file to arguments or defaults. Reports unknown, missing and ill-typed arguments
 * at the argument or the reference. `caller` is absent for the entry file.
 */
export function bindParameters({ document, layer }: SourceUnit, run: Run, caller?: Caller): Binding {
  const scope: Scope = { run, layer, parameters: noParameters, operation: 'parameter' };
  const reference = caller?.reference;
  const fields = new Map(declaredFields(document).map(entry => [entry.field.key, entry]));
  const given = new Map<string, Argument>();
  for (const argument of parameterArguments(reference)) {
    if (fields.has(argument.name.name)) given.set(argument.name.name, argument);
    else reportUnknownArgument(argument, reference!.path, [...fields.keys()], run);
  }
  const parameters = new Map<string, BoundParameter>();
  const shown: ParameterDraft[] = [];
  const values: string[] = [];
  for (const { field, shown: isShown } of fields.values()) {
    const { key: name, type, optional, span } = field;
    const argument = given.get(name);
    const value = argument ? argumentNode(argument, type, caller!.scope) : defaultNode(field, scope);
    if (!value && !argument && !optional && reference)
      run.report(argumentMissing({ name, reference: reference.path }, missingPlace(field, reference)));
    const declared: ParameterDraft = { name, type, value, optional, used: false, span };
    const text = value && value.value !== null ? (value.raw ?? String(value.value)) : undefined;
    const isReported = reference !== undefined || field.value !== undefined;
    parameters.set(name, { declared, text, isReported });
    if (isShown || !reference) shown.push(declared);
    values.push(`${typeof value?.value}:${text}`);
  }
  return { parameters, shown, key: JSON.stringify(values) };
}

const missingPlace = (field: Field, reference: Reference) => ({
  span: reference.span,
  hint: `Write \`${reference.path}(${field.key}: …)\`, or give it a default where it is declared.`,
  related: [{ message: 'declared here', span: field.span }],
});

/** The value of a parameter; `undefined` for a value that does not have its type, which is reported. */
function typedNode(
  name: string,
  node: Node,
  type: TypeExpression | undefined,
  finding: typeof argumentType | typeof defaultType,
  { span }: Value,
  { run }: Scope,
): ScalarNode | undefined {
  const found = mismatch(node, type);
  if (found === undefined) return node as ScalarNode;
  run.report(finding({ name, found, expected: typeWords(type) }, { span, rule: 'param-type' }));
  return undefined;
}

const argumentNode = (
  { name: { name }, value }: Argument,
  type: TypeExpression | undefined,
  caller: Scope,
): ScalarNode | undefined =>
  typedNode(name, passedOn(value, caller) ?? toNode(value, caller), type, argumentType, value, caller);

/**
 * An argument that is exactly `"{{name}}"` passes the value on unchanged, so that a number stays a number.
 */
function passedOn(value: Value, caller: Scope): ScalarNode | undefined {
  const name = value.kind === 'string' ? /^\{\{([A-Za-z_][\w-]*)\}\}$/.exec(value.value)?.[1] : undefined;
  const parameter = name === undefined ? undefined : caller.parameters.get(name);
  if (parameter) parameter.declared.used = true;
  return parameter?.declared.value;
}

const defaultNode = ({ key, value, type }: Field, scope: Scope): ScalarNode | undefined =>
  value && typedNode(key, toNode(value, scope), type, defaultType, value, scope);

function mismatch(node: Node, type: TypeExpression | undefined): string | undefined {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'an object';
  const { value } = node;
  if (!type || value === null || fits(value, type)) return undefined;
  return typeof value === 'string' ? `the text "${value}"` : `${value}`;
}

function fits(value: string | number | boolean, type: TypeExpression): boolean {
  if (type.name === 'enum') return typeof value === 'string' && type.options.includes(value);
  if (type.name === 'range') return typeof value === 'number' && value >= type.low && value <= type.high;
  return typeof value === type.name;
}

function typeWords(type: TypeExpression | undefined): string {
  if (!type) return 'a single value';
  if (type.name === 'enum') return `one of ${type.options.map(option => `"${option}"`).join(', ')}`;
  if (type.name === 'range') return `a number from ${type.low} to ${type.high}`;
  return { string: 'text in quotes', number: 'a number', boolean: 'true or false' }[type.name];
}

/** The reference that imports a file, and the scope of its arguments. */
export interface Caller {
  readonly reference: Reference;
  readonly scope: Scope;
}

const templateFields = ['description', 'content', 'closing', 'trigger', 'argumentHint'] as const;

/**
 * Adds the arguments of a `@use` to the fields of a Markdown skill. Parameters without an argument stay
 * unbound.
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

interface Filling {
  readonly text: string;
  readonly steps: readonly ProvenanceStep[];
}

/**
 * Fills in the parameters of Markdown skills from fields with their names, or defaults. Reports those without
 * a value.
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
      const given = fieldOfKey('skills', key) === undefined ? fields.get(key) : undefined;
      if (given) fields.delete(key);
      const value = given ?? (declared.kind === 'object' ? declared.fields.get('default') : declared);
      if (value?.kind === 'scalar' && value.value !== null)
        values.set(key, { text: value.raw ?? String(value.value), steps: given ? value.steps : [] });
      else if (!isOptional(declared)) {
        const { span } = declared.steps[0]!;
        const hint = `Give it a \`default\`, or set \`${key}\` in \`@skills { ${name}: { … } }\`.`;
        // Only a warning, because the skill may come from a registry: the placeholder stays in its text.
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

/** Only texts of the Markdown file itself are templates. */
function filled(node: Node, values: ReadonlyMap<string, Filling>, file: string, run: Run): Node {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return node;
  if (node.steps.at(-1)!.span.source.name !== file) return node;
  const used = new Set<Filling>();
  const text = node.value.replace(/(?<!\{)\{\{([A-Za-z_][\w-]*)\}\}(?!\})/g, (whole, name: string) => {
    const value = values.get(name);
    if (!value || !spendBudget(run, value.text.length, node.steps[0]!.span)) return whole;
    used.add(value);
    return value.text;
  });
  const steps = [...used].flatMap(value => value.steps);
  return {
    ...node,
    value: text,
    steps: [...node.steps, ...steps.map((step): ProvenanceStep => ({ ...step, operation: 'parameter' }))],
  };
}
