/** Generates reference tables from a JSON Schema: one for the root, and one for each documented definition. */
import { anchor, code, table } from './markdown.ts';

export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** The tables of a schema. `top` is the heading of the first table, `level` the depth of the headings. */
export function schemaReference(schema: Schema, top: string, level: number): string {
  const heading = (text: string) => `${'#'.repeat(level)} ${text}`;
  const parts = [heading(top), schema.description ?? '', fieldTable(schema, schema)];
  for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
    const resolved = resolveAll(definition, schema);
    if (!isDocumented(definition, schema)) continue;
    parts.push(heading(name), definition.description ?? resolved.description ?? '');
    if (resolved.properties) parts.push(fieldTable(resolved, schema));
    else if (resolved.oneOf)
      parts.push(`One of ${resolved.oneOf.map(one => typeOf(one, schema)).join(', ')}.`);
    else if (resolved.enum)
      parts.push(
        table(
          ['Value'],
          resolved.enum.map(value => [code(String(value))]),
        ),
      );
    else if (typeof resolved.additionalProperties === 'object')
      parts.push(`Keys are free; each value is ${typeOf(resolved.additionalProperties, schema)}.`);
  }
  return parts.filter(part => part !== '').join('\n\n');
}

/** Whether a definition has its own section: if it has fields or alternatives, or more than four enum values. */
function isDocumented(definition: Schema, root: Schema): boolean {
  const { properties, oneOf, enum: words } = resolveAll(definition, root);
  return properties !== undefined || oneOf !== undefined || (words !== undefined && words.length > 4);
}

function fieldTable(schema: Schema, root: Schema): string {
  return table(['Field', 'Type', 'Default', 'Meaning', 'Example'], fieldRows(schema, root, ''));
}

/** One row per field. Fields of an inline object follow its row. */
function fieldRows(schema: Schema, root: Schema, before: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const target = resolveAll(property, root);
    const standard = property.default ?? target.default;
    const [example] = property.examples ?? target.examples ?? [];
    const row = [
      code(before + name) + (schema.required?.includes(name) ? ' (required)' : ''),
      typeOf(property, root),
      standard === undefined ? '' : code(JSON.stringify(standard)),
      property.description ?? target.description ?? '',
      example === undefined ? '' : code(JSON.stringify(example)),
    ];
    const [inner, path] = innermost(property, before + name);
    return [row, ...(inner.properties ? fieldRows(inner, root, `${path}.`) : [])];
  });
}

/** The innermost element schema of lists and maps, and its path: `[]` for an item, `<key>` for a value. */
function innermost(schema: Schema, path: string): readonly [Schema, string] {
  if (schema.type === 'array' && schema.items) return innermost(schema.items, `${path}[]`);
  const values = schema.additionalProperties;
  if (schema.type === 'object' && !schema.properties && typeof values === 'object')
    return innermost(values, `${path}.<key>`);
  return [schema, path];
}

function resolveAll(schema: Schema, root: Schema): Schema {
  if (schema.$ref !== undefined) return resolveAll(root.definitions![nameOf(schema.$ref)]!, root);
  const [only, ...more] = schema.allOf ?? [];
  return only && more.length === 0 ? { ...resolveAll(only, root), ...schema } : schema;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** A type in words. Definitions with their own section are links. */
function typeOf(schema: Schema, root: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    const target = root.definitions![name]!;
    return isDocumented(target, root) ? `[${name}](#${anchor(name)})` : typeOf(target, root);
  }
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.enum) return schema.enum.map(value => code(String(value))).join(', ');
  const union = schema.anyOf ?? schema.oneOf ?? (schema.then && schema.else && [schema.then, schema.else]);
  if (union) return union.map(one => typeOf(one, root)).join(' or ');
  if (schema.allOf) return schema.allOf.map(one => typeOf(one, root)).join(' and ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items, root) : 'values'}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return `map to ${typeOf(schema.additionalProperties, root)}`;
  return [schema.type ?? 'any value'].flat().join(' or ');
}
