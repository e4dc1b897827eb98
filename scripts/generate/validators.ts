/**
 * src/generated/validators/*.ts: Ajv validators as plain modules, so that no schema is compiled at run time. What every
 * run reads has one that only says yes or no, and, where people write it, one that explains a no.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv, type Options } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import type { Generated } from '../generate.ts';
import { expandedSchema } from './expanded-schema.ts';

const code = (standaloneCode as unknown as { default?: typeof standaloneCode }).default ?? standaloneCode;

/** Schemas of what every run reads; `<name>-form` says whether a value has the form. */
const readByAll = ['config', 'manifest'];

/** What the program writes itself needs no explanation. */
const ofProgram = ['manifest'];

export async function generate(root: string): Promise<Generated[]> {
  const folder = join(root, 'schema');
  const schemas = new Map<string, unknown>(
    readdirSync(folder)
      .filter(name => name.endsWith('.schema.json'))
      .sort()
      .map(name => [
        basename(name, '.schema.json'),
        expandedSchema(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
      ]),
  );
  const explaining = new Ajv({ ...options, allErrors: true, verbose: true });
  const deciding = new Ajv({ ...options, messages: false, inlineRefs: false });
  for (const [name, schema] of schemas) {
    if (!ofProgram.includes(name)) explaining.addSchema(schema as object, name);
    if (readByAll.includes(name)) deciding.addSchema(withoutTexts(schema) as object, name);
  }
  return Promise.all([
    ...[...schemas.keys()]
      .filter(name => !ofProgram.includes(name))
      .map(name => print(root, name, name, code(explaining, { [camelCase(name)]: name }))),
    ...readByAll.map(name => {
      const module = code(deciding, { [camelCase(`${name}-form`)]: name });
      return print(root, name, `${name}-form`, withoutSchemas(withoutErrors(module)));
    }),
  ]);
}

const options: Options = {
  strict: true,
  allowUnionTypes: true,
  discriminator: true,
  code: { source: true, esm: true, lines: true },
};

const camelCase = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** A schema without what is for people. `names`: the keys are those of a user, not of the schema language. */
function withoutTexts(schema: unknown, names = false): unknown {
  if (Array.isArray(schema)) return schema.map(part => withoutTexts(part));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key]) => names || !['title', 'description', 'examples', 'default'].includes(key),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      !names && ['enum', 'const'].includes(key)
        ? value
        : withoutTexts(value, !names && ['properties', 'definitions'].includes(key)),
    ]),
  );
}

/**
 * Ajv always says what is wrong, each on a line of its own, which makes two thirds of the code, and where, for which it
 * puts paths together.
 */
function withoutErrors(module: string): string {
  const text = module
    .replace(/= (\[)?\{instancePath.*\}\]?;$/gm, (_, list) => (list ? '= [0];' : '= 0;'))
    .replace(/, ?\{instancePath.*?, ?rootData.*?\}(?:=\{\})?/g, '');
  if (/schemaPath|instancePath|rootData/.test(text))
    throw new Error('Ajv writes its errors in another way: look at withoutErrors');
  return text;
}

/** Ajv keeps whole schemas for the few places that ask for a part: for the names in it, or for the values of an `enum`. */
function withoutSchemas(module: string): string {
  const schemas = new Map<string, unknown>();
  const text = module.replace(/^const (schema\d+) = (\{.*\});$/gm, (_, name: string, schema: string) => {
    schemas.set(name, JSON.parse(schema));
    return '';
  });
  return text.replace(/\b(schema\d+)((?:\.\w+|\["[^"]*"\])+)/g, (_, name: string, path: string) => {
    let part = schemas.get(name);
    const steps = [...path.matchAll(/\.(\w+)|\["([^"]*)"\]/g)].map(step => step[1] ?? step[2]!);
    for (const step of steps) part = (part as Record<string, unknown>)[step];
    if (part === undefined) throw new Error(`${name}${path} is nothing: look at withoutSchemas`);
    if (steps.at(-1) !== 'properties') return JSON.stringify(part);
    return JSON.stringify(Object.fromEntries(Object.keys(part as object).map(key => [key, 0])));
  });
}

async function print(root: string, schema: string, name: string, module: string): Promise<Generated> {
  const bundled = await build({
    stdin: { contents: module, resolveDir: root, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const text = `// @ts-nocheck\n// ${schema}.schema.json\n${bundled.outputFiles[0]!.text}`;
  return { path: `src/generated/validators/${name}.ts`, text };
}
