/** src/generated/foreign.ts: the data about source formats of other compilers, checked against its schema. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const schema = JSON.parse(readFileSync(join(root, 'schema/foreign.schema.json'), 'utf8'));
  const validate = new Ajv({ allErrors: true }).compile(schema);
  const folder = join(root, 'conventions/sources');
  const sources = readdirSync(folder)
    .sort()
    .map(name => {
      const source: unknown = parse(readFileSync(join(folder, name), 'utf8'));
      if (!validate(source))
        throw new Error(`conventions/sources/${name}: ${JSON.stringify(validate.errors)}`);
      return source;
    });
  return [
    {
      path: 'src/generated/foreign.ts',
      text: `import type { ForeignSource } from './types/foreign.ts';\nexport const foreignSources: readonly ForeignSource[] = ${JSON.stringify(sources)};\n`,
    },
  ];
}
