import { renaming } from '../diagnostics/fixes.ts';
import { argumentMissing, argumentType, argumentUnknown, defaultType } from '../generated/diagnostics.ts';
import type { Argument, Document, Field, Reference, TypeExpression, Value } from '../syntax/ast.ts';
import { didYouMean } from '../text/similar.ts';
import type { ParameterDraft } from './draft.ts';
import type { Node, ScalarNode } from './program.ts';
import type { BoundParameter, BoundParameters } from './values.ts';
import { type Scope, toNode } from './values.ts';

/** The parameters of a file that has none. */
export const noParameters: BoundParameters = new Map();

/** Arguments that steer the import and are no parameters. */
const reserved = new Set(['only', 'exclude', 'includes', 'excludes']);

/** Whether an argument of an import chooses blocks or skills and is no parameter. */
export const isReserved = (argument: Argument): boolean => reserved.has(argument.name.name);

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
  /** Parameters of `@params`: those belong to the program that merges the file. */
  readonly shown: readonly ParameterDraft[];
  /** Equal for equal values. */
  readonly key: string;
}

/** The binding of a file without parameters. */
const noBinding: Binding = { parameters: noParameters, shown: [], key: '[]' };

/**
 * Gives the parameters of a file their values: arguments, else defaults. Reports unknown, missing and ill-typed
 * arguments at the argument or the reference. `reference` is absent for the entry; `scope` is where it is written.
 */
export function bindParameters(
  document: Document,
  scope: Omit<Scope, 'parameters'>,
  reference: Reference | undefined,
  caller: Scope | undefined,
): Binding {
  const { run } = scope;
  const declaredHere = declaredFields(document);
  if (declaredHere.length === 0 && !reference?.arguments.length) return noBinding;
  const fields = new Map(declaredHere.map(entry => [entry.field.key, entry]));
  const given = new Map<string, Argument>();
  for (const argument of reference?.arguments ?? []) {
    if (isReserved(argument)) continue;
    const { name, span } = argument.name;
    if (fields.has(name)) given.set(name, argument);
    else {
      const hint =
        fields.size > 0 ? `Its parameters are: ${[...fields.keys()].join(', ')}.` : 'It has no parameters.';
      const holes = { name, reference: reference!.path };
      run.report(
        argumentUnknown(holes, {
          span,
          hint: `${didYouMean(name, fields.keys())}${hint}`,
          fixes: renaming(span, name, fields.keys()),
        }),
      );
    }
  }
  const parameters = new Map<string, BoundParameter>();
  const shown: ParameterDraft[] = [];
  const values: string[] = [];
  for (const { field, shown: isShown } of fields.values()) {
    const argument = given.get(field.key);
    const value = argument
      ? argumentNode(argument, field.type, caller!)
      : defaultNode(field, { ...scope, parameters: noParameters });
    if (!value && !argument && !field.optional && reference) {
      run.report(
        argumentMissing({ name: field.key, reference: reference.path }, missingPlace(field, reference)),
      );
    }
    const declared: ParameterDraft = {
      name: field.key,
      type: field.type,
      value,
      optional: field.optional,
      used: false,
      span: field.span,
    };
    const text = value && value.value !== null ? (value.raw ?? String(value.value)) : undefined;
    parameters.set(field.key, { declared, text, told: reference !== undefined || field.value !== undefined });
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
