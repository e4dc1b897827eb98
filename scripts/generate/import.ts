/** src/generated/import.ts: the word lists of conventions/import.yaml, checked against their schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { ImportWords } from '../../src/generated/types/import-words.ts';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const words: ImportWords = parse(readFileSync(join(root, 'conventions/import.yaml'), 'utf8'));
  const schema = JSON.parse(readFileSync(join(root, 'schema/import-words.schema.json'), 'utf8'));
  const ajv = new Ajv({ allErrors: true });
  if (!ajv.validate(schema, words)) throw new Error(`conventions/import.yaml: ${ajv.errorsText()}`);
  for (const expression of [...words.forbids, ...words.personas]) new RegExp(expression, 'u');
  return [
    {
      path: 'src/generated/import.ts',
      text: `import type { ImportWords } from './types/import-words.ts';\nexport const words: ImportWords = ${JSON.stringify(words)};\n`,
    },
  ];
}
