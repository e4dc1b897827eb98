import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { namesIn } from '../files.ts';

/**
 * A function that throws if a value does not match a schema of `schema/`. `form` converts the schemas before they are used.
 */
export function validator(root: string, form: (schema: object) => object = schema => schema) {
  const folder = join(root, 'schema');
  const ajv = new Ajv({ allErrors: true, strict: false, discriminator: true });
  for (const name of namesIn(folder, '.schema.json')) {
    const schema = JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')) as object;
    ajv.addSchema(form(schema), `${name}.schema.json`);
  }
  return (schema: string, value: unknown, file: string) => {
    const validate = ajv.getSchema(schema);
    if (!validate) throw new Error(`${schema} is missing`);
    if (!validate(value)) {
      const lines = (validate.errors ?? []).map(
        error => `  ${error.instancePath || '/'} ${error.message} ${JSON.stringify(error.params)}`,
      );
      throw new Error(`${file} does not match ${schema}:\n${lines.join('\n')}`);
    }
  };
}
