import { renaming } from '../diagnostics/fixes.ts';
import { argumentMissing, argumentType, argumentUnknown, defaultType } from '../generated/diagnostics.ts';
import type { Argument, Document, Field, Reference, TypeExpression, Value } from '../syntax/ast.ts';
import { didYouMean } from '../text/similar.ts';
import type { ParameterDraft } from './draft.ts';
import type { Node, ScalarNode } from './program.ts';
import type { Run } from './run.ts';
import { type BoundParameter, type BoundParameters, type Scope, toNode } from './values.ts';

/** The parameters of a file that has none. */
export const noParameters: BoundParameters = new Map();

/** Arguments that steer the import and are no parameters. */
const reserved = new Set(['only', 'exclude', 'includes', 'excludes']);

/** The arguments of a reference that give parameters; the others select blocks or skills. */
export const parameterArguments = (reference: Reference | undefined): readonly Argument[] =>
  (reference?.arguments ?? []).filter(argument => !reserved.has(argument.name.name));

/** The fields that declare parameters: those of `@params` and of `params` in `@meta`, a later one of a name last. */
function declaredFields(document: Document): { readonly field: Field; readonly shown: boolean }[] {
  const found: { field: Field; shown: boolean }[] = [];
  for (const declaration of document.declarations) {
    if (declaration.kind !== 'block') continue;
    const { name, body } = declaration;
    if (name !== 'params' && name !== 'meta') continue;
    for (const item of body.items) {
      if (item.kind !== 'field') continue;
      if (name === 'params') found.push({ field: item, shown: true });
      else if (item.key === 'params' && item.value?.kind === 'object')
        for (const field of item.value.fields) found.push({ field, shown: false });
    }
  }
  return found;
}

/** The parameters of a file with the values that an import gives them. */
export interface Binding {
  readonly parameters: BoundParameters;
  /** Parameters of `@params`, which belong to the program that merges the file. */
  readonly shown: readonly ParameterDraft[];
  /** Equal for equal values. */
  readonly key: string;
}

/** Reports an argument for which a file has no parameter. */
export function reportUnknownArgument(
  { name: { name, span } }: Argument,
  reference: string,
  known: readonly string[],
  run: Run,
): void {
  const names = known.length > 0 ? `Its parameters are: ${known.join(', ')}.` : 'It has no parameters.';
  const hint = `${didYouMean(name, known)}${names}`;
  run.report(argumentUnknown({ name, reference }, { span, hint, fixes: renaming(span, name, known) }));
}

/**
 * Gives the parameters of a file their values: arguments, else defaults. Reports unknown, missing and ill-typed
 * arguments at the argument or the reference. `reference` is absent for the entry; `caller` is its scope.
 */
export function bindParameters(
  document: Document,
  scope: Omit<Scope, 'parameters'>,
  reference: Reference | undefined,
  caller: Scope | undefined,
): Binding {
  const { run } = scope;
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
    const value = argument
      ? argumentNode(argument, type, caller!)
      : defaultNode(field, { ...scope, parameters: noParameters });
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

function argumentNode(
  argument: Argument,
  type: TypeExpression | undefined,
  caller: Scope,
): ScalarNode | undefined {
  const passed = passedOn(argument.value, caller);
  const node = passed ?? toNode(argument.value, caller);
  const found = node && mismatch(node, type);
  if (found === undefined) return node?.kind === 'scalar' ? node : undefined;
  const holes = { name: argument.name.name, found, expected: typeWords(type) };
  caller.run.report(argumentType(holes, { span: argument.value.span, rule: 'param-type' }));
  return undefined;
}

/** An argument that is exactly `"{{name}}"` hands the value on as it is, so that a number stays a number. */
function passedOn(value: Value, caller: Scope): ScalarNode | undefined {
  const name = value.kind === 'string' ? /^\{\{([A-Za-z_][\w-]*)\}\}$/.exec(value.value)?.[1] : undefined;
  const parameter = name === undefined ? undefined : caller.parameters.get(name);
  if (parameter) parameter.declared.used = true;
  return parameter?.declared.value;
}

function defaultNode(field: Field, scope: Scope): ScalarNode | undefined {
  if (!field.value) return undefined;
  const node = toNode(field.value, { ...scope, operation: 'parameter' });
  const found = mismatch(node, field.type);
  if (found === undefined) return node.kind === 'scalar' ? node : undefined;
  const holes = { name: field.key, found, expected: typeWords(field.type) };
  scope.run.report(defaultType(holes, { span: field.value.span, rule: 'param-type' }));
  return undefined;
}

/** Why a value does not fit its type, in words; `undefined` when it does. */
function mismatch(node: Node, type: TypeExpression | undefined): string | undefined {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'an object';
  const { value } = node;
  if (!type || value === null) return undefined;
  const shown = typeof value === 'string' ? `the text "${value}"` : `${value}`;
  switch (type.name) {
    case 'string':
      return typeof value === 'string' ? undefined : shown;
    case 'number':
      return typeof value === 'number' ? undefined : shown;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : shown;
    case 'enum':
      return typeof value === 'string' && type.options?.includes(value) ? undefined : shown;
    case 'range': {
      const fits =
        typeof value === 'number' && value >= (type.low ?? -Infinity) && value <= (type.high ?? Infinity);
      return fits ? undefined : shown;
    }
  }
}

/** A type in words, for messages. */
export function typeWords(type: TypeExpression | undefined): string {
  switch (type?.name) {
    case undefined:
      return 'a single value';
    case 'string':
      return 'text in quotes';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'enum':
      return `one of ${(type!.options ?? []).map(option => `"${option}"`).join(', ')}`;
    case 'range':
      return `a number from ${type!.low} to ${type!.high}`;
  }
}
