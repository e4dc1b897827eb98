/** src/generated/validators/*.ts: Ajv validators as standalone modules, so that no schema is compiled at run time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type Options } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import type { Generated } from '../generate.ts';
import { expandedSchema } from './expanded-schema.ts';

const code = (standaloneCode as unknown as { default?: typeof standaloneCode }).default ?? standaloneCode;

/** Schemas of the files that the program reads. */
const names = ['config', 'local', 'lock', 'manifest', 'target'];

/** Files that the program writes itself. Their validators need no error messages. */
const ofProgram = ['manifest'];

export async function generate(root: string): Promise<Generated[]> {
  const folder = join(root, 'schema');
  const ajv = new Ajv({ ...options, allErrors: true, verbose: true });
  const brief = new Ajv({ ...options, messages: false });
  return Promise.all(
    names.map(name => {
      const schema = expandedSchema(JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')));
      const compiler = (ofProgram.includes(name) ? brief : ajv).addSchema(schema as object, name);
      return print(root, name, code(compiler, { [camelCase(name)]: name }));
    }),
  );
}

const options: Options = {
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  code: { source: true, esm: true, lines: true },
};

const camelCase = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

async function print(root: string, name: string, module: string): Promise<Generated> {
  const bundled = await build({
    stdin: { contents: module, resolveDir: root, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const text = `// @ts-nocheck\n// ${name}.schema.json\n${bundled.outputFiles[0]!.text}`;
  return { path: `src/generated/validators/${name}.ts`, text };
}
