/** src/generated/validators/*.ts: Ajv validators as plain modules, so that no schema is compiled at run time. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import type { Generated } from '../generate.ts';

const code = (standaloneCode as unknown as { default?: typeof standaloneCode }).default ?? standaloneCode;

export async function generate(root: string): Promise<Generated[]> {
  const folder = join(root, 'schema');
  const names = readdirSync(folder)
    .filter(name => name.endsWith('.schema.json'))
    .sort();
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    code: { source: true, esm: true },
  });
  for (const name of names) ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')), name);
  return Promise.all(
    names.map(async name => {
      const base = basename(name, '.schema.json');
      const module = code(ajv, {
        [base.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]: name,
      });
      const bundled = await build({
        stdin: { contents: module, resolveDir: root, loader: 'js' },
        bundle: true,
        format: 'esm',
        platform: 'node',
        write: false,
      });
      return {
        path: `src/generated/validators/${base}.ts`,
        text: `// @ts-nocheck\n${bundled.outputFiles[0]!.text}`,
      };
    }),
  );
}
