import {
  looseInObject,
  parameterWithoutValue,
  useOutsideSkills,
  variableUnset,
} from '../generated/diagnostics.ts';
import type {
  Body,
  EnvValue,
  Field,
  OverrideDeclaration,
  StringValue,
  UseDeclaration,
  Value,
} from '../syntax/ast.ts';
import { insertionFix } from '../text/diagnostics/fixes.ts';
import type { Layer } from '../text/layer.ts';
import type { Span } from '../text/source.ts';
import { markReference } from '../text/variables.ts';
import {
  type BlockDraft,
  fieldsOf,
  list,
  newBlock,
  object,
  type ParameterDraft,
  scalar,
  setField,
} from './draft.ts';
import type { Entry, Node, Operation, ProvenanceStep, Resource, ScalarNode } from './program.ts';
import { type Run, reportOnce, spendBudget } from './run.ts';

/** A parameter of a file, bound for one import. */
export interface BoundParameter {
  readonly declared: ParameterDraft;
  /** The text that replaces `{{name}}`; `undefined` without a value. */
  readonly text: string | undefined;
  /** Whether a missing or invalid value was already reported at the reference to the file. */
  readonly isReported: boolean;
}

/** Parameters with their values, by name. */
export type BoundParameters = ReadonlyMap<string, BoundParameter>;

/**
 * The context for converting the values of a declaration: the file with its parameters, and the operation.
 */
export interface Scope {
  readonly run: Run;
  readonly layer: Layer;
  readonly parameters: BoundParameters;
  readonly operation: Operation;
  /** Files that strings of the file name, by the string as written. */
  readonly resources?: ReadonlyMap<string, Resource> | undefined;
}

export const stepAt = (scope: Scope, span: Span): ProvenanceStep => ({
  operation: scope.operation,
  span,
  layer: scope.layer,
});

/**
 * Converts a value of the AST to a node with parameters and environment variables filled in. `place` is the
 * span of its declaration.
 */
export function toNode(value: Value, scope: Scope, place = value.span): Node {
  const steps = [stepAt(scope, place)];
  switch (value.kind) {
    case 'string':
      return toText(value, scope, place);
    case 'number':
      return scalar(value.value, false, steps, String(value.value) === value.raw ? {} : { raw: value.raw });
    case 'boolean':
      return scalar(value.value, false, steps);
    case 'null':
      return scalar(null, false, steps);
    case 'env':
      return toReference(value, scope, steps);
    case 'array':
      return { kind: 'list', items: value.items.map(item => toNode(item, scope)), steps };
    case 'object':
      return object(
        value.fields.flatMap(field => {
          const node = toFieldNode(field, scope);
          return node ? [[field.key, node] as const] : [];
        }),
        steps,
      );
  }
}

/**
 * The node of a field; its span is that of the field, or of the key of an object. `undefined` for a parameter
 * without default.
 */
export function toFieldNode(field: Field, scope: Scope): Node | undefined {
  const { value } = field;
  return value && toNode(value, scope, value.kind === 'object' ? field.keySpan : field.span);
}

/** Converts a string to a node with its parameters and variables filled in. */
export function toText(value: StringValue, scope: Scope, place = value.span): ScalarNode {
  const resource = scope.resources?.get(value.value);
  return scalar(fill(value, scope), value.quote === 'text', [stepAt(scope, place)], {
    literal: value,
    ...(resource && { resource }),
  });
}

/** A text with references to variables, which are written in the syntax of each tool. */
function toReference({ parts, span }: EnvValue, scope: Scope, steps: readonly ProvenanceStep[]): ScalarNode {
  scope.run.hasReferences = true;
  const text = parts
    // Other references in the text are left to the tool as well.
    .map(part => (part.kind === 'variable' ? markReference(part) : fill({ ...part, quote: 'text' }, scope)))
    .join('');
  return scalar(text, false, steps, { literal: { kind: 'string', value: text, quote: 'bare', span } });
}

/** `{{name}}`, not part of `{{{…}}}`; `${NAME}` and `${NAME:-default}`. */
const placeholder = /(?<!\{)\{\{([A-Za-z_][\w-]*)\}\}(?!\})|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * Fills in parameters, and variables in one-line strings of the project's own files. Inserted text is not
 * expanded again.
 */
function fill(value: StringValue, scope: Scope): string {
  const { run, layer, parameters } = scope;
  const text = value.value;
  const variables = !layer.remote && value.quote !== 'text' && text.includes('${');
  const names = parameters.size > 0 && text.includes('{{');
  if (!variables && !names) return text;
  // No reference ends after the last brace. Without this limit each unclosed `${A:-` would be matched against
  // the rest of the text.
  const end = text.lastIndexOf('}') + 1;
  const beginning = text
    .slice(0, end)
    .replace(placeholder, (whole, name: string | undefined, variable: string | undefined, fallback) => {
      let filled: string | undefined;
      if (name !== undefined) filled = names ? parameterText(name, scope) : undefined;
      else if (variables) filled = variableText(variable!, fallback, value, scope);
      if (filled === undefined) return whole;
      return spendBudget(run, filled.length, value.span) ? filled : whole;
    });
  return beginning + text.slice(end);
}

function parameterText(name: string, { run, parameters }: Scope): string | undefined {
  const parameter = parameters.get(name);
  if (!parameter) return undefined;
  parameter.declared.used = true;
  if (parameter.text !== undefined) return parameter.text;
  if (parameter.declared.optional) return '';
  if (parameter.isReported) return undefined;
  const { span } = parameter.declared;
  reportOnce(run, `parameter ${name} ${span.source.name}`, parameterWithoutValue({ name }, { span }));
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
  reportOnce(run, `variable ${name} ${span.source.name}`, variableUnset({ name }, { span }));
  return undefined;
}

interface Declared {
  readonly block: BlockDraft;
  readonly forced: ReadonlySet<Node>;
  readonly uses: readonly InlineUse[];
}

/** A `@use` in `@skills`, and the skill that it belongs to. */
export interface InlineUse {
  readonly declaration: UseDeclaration;
  /** The skill before it, else the first one after it. */
  readonly skill: string | undefined;
}

/**
 * Converts the body of a declaration to a block: texts and items in source order, including repeated ones.
 */
export const declareBlock = (name: string, body: Body, span: Span, scope: Scope): Declared =>
  declare(name, name === 'skills' ? undefined : `\`@${name}\``, body, span, scope);

/** `closed` is set where a `@use` is not allowed: the name of the place for messages. */
function declare(name: string, closed: string | undefined, body: Body, span: Span, scope: Scope): Declared {
  const block = newBlock(name, [stepAt(scope, span)]);
  const forced = new Set<Node>();
  const uses: InlineUse[] = [];
  let skill: string | undefined;
  for (const item of body.items) {
    switch (item.kind) {
      case 'field': {
        const node = toFieldNode(item, scope);
        if (!node) break;
        if (item.replace) forced.add(node);
        setField(block, item.key, node);
        skill = item.key;
        break;
      }
      case 'text':
        block.entries.push({ kind: 'text', node: toText(item.value, scope) });
        break;
      case 'item':
        block.entries.push({ kind: 'item', node: toNode(item.value, scope) });
        break;
      case 'header':
        block.headers.set(item.section?.name ?? '', toText(item.title, scope));
        break;
      case 'use':
        if (closed === undefined) uses.push({ declaration: item, skill });
        else scope.run.report(useOutsideSkills({ place: closed }, { span: item.span }));
    }
  }
  const [first] = block.places.keys();
  return { block, forced, uses: uses.map(use => ({ ...use, skill: use.skill ?? first })) };
}

/** Converts the body of `@extend` or `@override` to a value below a block: an object, a list, or a text. */
export function declareNode(
  body: Body,
  path: readonly string[],
  span: Span,
  scope: Scope,
  isOverride = false,
): { readonly node: Node } & Pick<Declared, 'forced' | 'uses'> {
  const skill = !isOverride && path[0] === 'skills' && path.length === 2 ? path[1] : undefined;
  const place = path.join('.');
  const named = isOverride ? `an \`@override\` of \`${place}\`` : `\`${place}\``;
  const { block, forced, ...declared } = declare('', skill ? undefined : named, body, span, scope);
  const uses = declared.uses.map(use => ({ ...use, skill }));
  const { steps, entries } = block;
  const fields = fieldsOf(block);
  const items = entries.flatMap(({ kind, node }) => (kind === 'item' ? [node] : []));
  const texts = entries.flatMap(({ kind, node }) => (kind === 'text' ? [node] : []));
  const kinds = [fields, items, texts].filter(({ length }) => length > 0).length;
  if (kinds > 1 || texts.length > 1) {
    const { span: at } = (texts[0] ?? items[0])!.steps[0]!;
    const canName = texts.length === 1 && items.length === 0 && !block.places.has('notes');
    const fixes = canName ? [insertionFix('Give it the key `notes`', at.source, at.start, 'notes: ')] : [];
    scope.run.report(looseInObject({ path: place }, { span: at, fixes }));
  }
  const node =
    fields.length > 0 || kinds === 0
      ? object(fields, steps)
      : items.length > 0
        ? list(items, steps)
        : { ...texts[0]!, steps };
  return { node, forced, uses };
}

/** The value that `@override` sets. */
export function overrideNode({ body, value, path, span }: OverrideDeclaration, scope: Scope): Node {
  if (value) return { ...toNode(value, scope), steps: [stepAt(scope, span)] };
  const names = path.segments.map(segment => segment.name);
  return declareNode(body!, names, span, scope, true).node;
}

/** The block that `@override` sets. */
export function overrideBlock(name: string, declaration: OverrideDeclaration, scope: Scope): BlockDraft {
  const { body, value, span } = declaration;
  if (body) return declareBlock(name, body, span, scope).block;
  const block = newBlock(name, [stepAt(scope, span)]);
  const items = value!.kind === 'array' ? value!.items : [value!];
  block.entries =
    value!.kind === 'string'
      ? [{ kind: 'text', node: toText(value!, scope) }]
      : items.map((item): Entry => ({ kind: 'item', node: toNode(item, scope) }));
  return block;
}
