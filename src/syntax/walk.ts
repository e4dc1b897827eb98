import type { Body, BodyItem, Declaration, Field, StringValue, Value } from './ast.ts';

export const bodyOf = (declaration: Declaration): Body | undefined =>
  'body' in declaration ? declaration.body : undefined;

/** The fields of a declaration of the block `name`; none for other declarations. */
export const blockFields = (declaration: Declaration, name: string): readonly Field[] =>
  declaration.kind === 'block' && declaration.name === name
    ? declaration.body.items.filter(item => item.kind === 'field')
    : [];

/** All values in a declaration at any depth: of its items, its own value, and arguments of references. */
export function* valuesIn(declaration: Declaration): Generator<Value> {
  for (const item of bodyOf(declaration)?.items ?? [])
    for (const value of valuesOf(item)) yield* within(value);
  if (declaration.kind === 'override' && declaration.value) yield* within(declaration.value);
  if (declaration.kind === 'use' || declaration.kind === 'inherit')
    for (const { value } of declaration.reference.arguments) yield* within(value);
}

function valuesOf(item: BodyItem): readonly Value[] {
  if (item.kind === 'header') return [item.title];
  if (item.kind === 'use') return item.reference.arguments.map(({ value }) => value);
  return item.value ? [item.value] : [];
}

function* within(value: Value): Generator<Value> {
  yield value;
  if (value.kind === 'array') for (const item of value.items) yield* within(item);
  if (value.kind === 'object') for (const field of value.fields) if (field.value) yield* within(field.value);
}

/** Every string in a declaration, including texts. */
export const stringsOf = (declaration: Declaration): StringValue[] =>
  [...valuesIn(declaration)].filter(value => value.kind === 'string');
