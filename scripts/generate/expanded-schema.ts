/**
 * A schema describes data as users write it. If the program fills in values before it uses the data, `expanded` describes
 * the result: fields to add or replace, or `null` for a removed field. Types and validators are generated for this form.
 */
type Schema = Readonly<Record<string, unknown>>;

export function expandedSchema<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(expandedSchema) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { expanded, ...written } = schema as Schema;
  const node = expanded === undefined ? written : withForm(withoutChoice(written), expanded as Schema);
  const kept = Object.entries(node).filter(([, part]) => (part as Schema | null)?.expanded !== null);
  return Object.fromEntries(kept.map(([key, part]) => [key, expandedSchema(part)])) as T;
}

const withForm = (written: Schema, form: Schema): Schema => ({
  ...written,
  ...form,
  ...(form.properties !== undefined && {
    properties: { ...(form.properties as Schema), ...(written.properties as Schema) },
  }),
});

const withoutChoice = ({ if: _if, then: _then, else: _else, anyOf: _anyOf, ...rest }: Schema): Schema => rest;
