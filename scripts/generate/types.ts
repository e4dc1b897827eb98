/** src/generated/types/*.ts: TypeScript types of every JSON Schema in schema/. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileFromFile } from 'json-schema-to-typescript';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const folder = join(root, 'schema');
  const names = readdirSync(folder)
    .filter(name => name.endsWith('.schema.json'))
    .sort();
  return Promise.all(
    names.map(async name => ({
      path: `src/generated/types/${basename(name, '.schema.json')}.ts`,
      text: await compileFromFile(join(folder, name), {
        bannerComment: '',
        additionalProperties: false,
        format: false,
        cwd: folder,
      }),
    })),
  );
}
