import { parameterWithoutValue, variableUnset } from '../generated/diagnostics.ts';
import type { ArrayValue, EnvValue, Field, ObjectValue, StringValue, Value } from '../syntax/ast.ts';
import type { Span } from '../text/source.ts';
import { markReference } from '../text/variables.ts';
import type { ParameterDraft } from './draft.ts';
import { list, type NodeDraft, type Owner, object, type ScalarDraft, scalar } from './draft.ts';
import type { Layer, Operation, Resource, Step } from './program.ts';
import { once, type Run, spend } from './run.ts';

/** A parameter of one instance of a file. */
export interface BoundParameter {
  readonly declared: ParameterDraft;
  /** What stands for `{{name}}`; `undefined` without a value. */
  readonly text: string | undefined;
  /** Whether the missing or wrong value was reported already, at the reference that uses the file. */
  readonly told: boolean;
}

/** Parameters with their values, by name. */
export type BoundParameters = ReadonlyMap<string, BoundParameter>;

/** Where values are read: the file with its parameters, and the declaration they stand in. */
export interface Scope {
  readonly run: Run;
  readonly layer: Layer;
  readonly owner: Owner;
  readonly parameters: BoundParameters;
  readonly operation: Operation;
  /** Files that strings of the file name, by what is written there. */
  readonly resources?: ReadonlyMap<string, Resource> | undefined;
}

const stepAt = (scope: Scope, span: Span): Step => ({
  operation: scope.operation,
  span,
  layer: scope.layer,
});

/** A value of the AST as a node, with parameters and environment variables filled in. `place` is where it was declared. */
export function toNode(value: Value, scope: Scope, place = value.span): NodeDraft {
  switch (value.kind) {
    case 'string':
      return toText(value, scope, place);
    case 'number': {
      const node = scalar(value.value, false, [stepAt(scope, place)], scope.owner);
      return String(value.value) === value.raw ? node : { ...node, raw: value.raw };
    }
    case 'boolean':
      return scalar(value.value, false, [stepAt(scope, place)], scope.owner);
    case 'null':
      return scalar(null, false, [stepAt(scope, place)], scope.owner);
    case 'env':
      return toReference(value, scope, place);
    case 'array':
      return toList(value, scope, place);
    case 'object':
      return toObject(value, scope, place);
  }
}

function toList(value: ArrayValue, scope: Scope, place: Span): NodeDraft {
  const items = value.items.map(item => toNode(item, scope));
  return list(items, [stepAt(scope, place)], scope.owner);
}

function toObject(value: ObjectValue, scope: Scope, place: Span): NodeDraft {
  const fields = new Map<string, NodeDraft>();
  for (const field of value.fields) {
    const node = toFieldNode(field, scope);
    if (node) fields.set(field.key, node);
  }
  return object(fields, [stepAt(scope, place)], scope.owner);
}

/**
 * The node of a field; its place is the field, or only the key of a field that holds fields. `undefined` for a
 * parameter without default.
 */
export function toFieldNode(field: Field, scope: Scope): NodeDraft | undefined {
  const { value } = field;
  return value && toNode(value, scope, value.kind === 'object' ? field.keySpan : field.span);
}

/** A string of the source as a value, with its parameters and variables filled in. */
export function toText(value: StringValue, scope: Scope, place = value.span): ScalarDraft {
  const node = scalar(fill(value, scope), value.quote === 'text', [stepAt(scope, place)], scope.owner);
  node.literal = value;
  const resource = scope.resources?.get(value.value);
  if (resource) scope.run.resources.set(node, resource);
  return node;
}

/** A text with references to variables, which each tool is given in its own syntax. */
function toReference({ parts, span }: EnvValue, scope: Scope, place: Span): ScalarDraft {
  scope.run.references = true;
  const text = parts
    // Other references to variables in the text are left to the tool, too.
    .map(part => (part.kind === 'variable' ? markReference(part) : fill({ ...part, quote: 'text' }, scope)))
    .join('');
  const node = scalar(text, false, [stepAt(scope, place)], scope.owner);
  node.literal = { kind: 'string', value: text, quote: 'bare', span };
  return node;
}

/** `{{name}}`, not part of `{{{…}}}`; `${NAME}` and `${NAME:-default}`. */
const placeholder = /(?<!\{)\{\{([A-Za-z_][\w-]*)\}\}(?!\})|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * Fills parameters into any string, and environment variables into one-line strings of the project's own files. What
 * is filled in is not looked at again.
 */
function fill(value: StringValue, scope: Scope): string {
  const { run, layer, parameters } = scope;
  const text = value.value;
  const variables = !layer.remote && value.quote !== 'text' && text.includes('${');
  const names = parameters.size > 0 && text.includes('{{');
  if (!variables && !names) return text;
  // No reference ends behind the last brace; without this limit each unclosed `${A:-` would be searched for to the
  // end.
  const end = text.lastIndexOf('}') + 1;
  const beginning = text
    .slice(0, end)
    .replace(placeholder, (whole, name: string | undefined, variable: string | undefined, fallback) => {
      let filled: string | undefined;
      if (name !== undefined) filled = names ? parameterText(name, scope) : undefined;
      else if (variables) filled = variableText(variable!, fallback, value, scope);
      if (filled === undefined) return whole;
      return spend(run, filled.length, value.span) ? filled : whole;
    });
  return beginning + text.slice(end);
}

function parameterText(name: string, { run, parameters }: Scope): string | undefined {
  const parameter = parameters.get(name);
  if (!parameter) return undefined;
  parameter.declared.used = true;
  if (parameter.text !== undefined) return parameter.text;
  if (parameter.declared.optional) return '';
  if (parameter.told) return undefined;
  once(run, `parameter ${name} ${parameter.declared.span.source.name}`, () => {
    run.report(parameterWithoutValue({ name }, { span: parameter.declared.span }));
  });
  return undefined;
}

function variableText(
  name: string,
  fallback: string | undefined,
  { span }: StringValue,
  { run }: Scope,
): string | undefined {
  const value = run.env(name);
  if (value !== undefined && (value !== '' || fallback === undefined)) return value;
  if (fallback !== undefined) return fallback;
  once(run, `variable ${name} ${span.source.name}`, () => run.report(variableUnset({ name }, { span })));
  return undefined;
}
