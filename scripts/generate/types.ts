/** src/generated/types/*.ts: TypeScript types for every JSON Schema in schema/ and targets/proof/. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { Generated } from '../generate.ts';
import { expandedSchema } from './expanded-schema.ts';

export async function generate(root: string): Promise<Generated[]> {
  const found = await Promise.all(['schema', 'targets/proof'].map(folder => typesOf(join(root, folder))));
  return found.flat();
}

function typesOf(folder: string): Promise<Generated[]> {
  const names = readdirSync(folder)
    .filter(name => name.endsWith('.schema.json'))
    .sort();
  return Promise.all(
    names.map(async name => ({
      path: `src/generated/types/${basename(name, '.schema.json')}.ts`,
      text: await compile(expandedSchema(readSchema(join(folder, name))), basename(name, '.json'), {
        bannerComment: '',
        additionalProperties: false,
        format: false,
        cwd: folder,
      }),
    })),
  );
}

const readSchema = (path: string): JSONSchema => JSON.parse(readFileSync(path, 'utf8'));
