/** src/generated/types/*.ts: TypeScript types for every JSON Schema in schema/ and targets/proof/. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { namesIn } from '../files.ts';
import type { Generated } from '../generate.ts';
import { expandedSchema } from './expanded-schema.ts';

export async function generate(root: string): Promise<Generated[]> {
  const found = await Promise.all(['schema', 'targets/proof'].map(folder => typesOf(join(root, folder))));
  return found.flat();
}

function typesOf(folder: string): Promise<Generated[]> {
  return Promise.all(
    namesIn(folder, '.schema.json').map(async name => ({
      path: `src/generated/types/${name}.ts`,
      text: await compile(expandedSchema(readSchema(join(folder, `${name}.schema.json`))), `${name}.schema`, {
        bannerComment: '',
        additionalProperties: false,
        format: false,
        cwd: folder,
      }),
    })),
  );
}

const readSchema = (path: string): JSONSchema => JSON.parse(readFileSync(path, 'utf8'));
