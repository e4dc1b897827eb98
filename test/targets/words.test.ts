/** Every property of the schema of specs is used by a spec with golden files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { readSharedParts, readSpecText } from '../../scripts/specs.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { root } from '../support/compile.ts';

const tests = suite('words of specs');

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly then?: Schema;
  readonly else?: Schema;
  readonly items?: Schema;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(readFileSync(join(root, 'schema/target.schema.json'), 'utf8')) as Schema;
const partsOf = ({ items, additionalProperties, anyOf = [], oneOf = [], ...choice }: Schema): Schema[] => [
  ...(choice.then && choice.else ? [choice.then, choice.else] : []),
  ...(items ? [items] : []),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ...anyOf,
  ...oneOf,
];

/** Every property, with its definition. */
function wordsOf(part: Schema, at: string): string[] {
  return [
    ...Object.entries(part.properties ?? {}).flatMap(([key, inner]) => [`${at}.${key}`, ...wordsOf(inner, `${at}.${key}`)]),
    ...partsOf(part).flatMap(inner => wordsOf(inner, at)),
  ];
}

function use(value: unknown, part: Schema, at: string, used: Set<string>): void {
  if (part.$ref !== undefined) {
    const name = part.$ref.replace(/^.*\//, '');
    const target = schema.definitions![name]!;
    const { kind } = target.properties ?? {};
    if (kind?.const === undefined || kind.const === (value as { kind?: unknown } | null)?.kind) use(value, target, name, used);
    return;
  }
  const choice = (value as { kind?: unknown } | null)?.kind === undefined ? part.else : part.then;
  for (const inner of [...(part.oneOf ?? []), ...(part.anyOf ?? []), ...(choice ? [choice] : [])]) use(value, inner, at, used);
  if (Array.isArray(value)) for (const item of value) use(item, part.items ?? {}, at, used);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const known = part.properties?.[key];
      if (known) used.add(`${at}.${key}`);
      if (known) use(inner, known, `${at}.${key}`, used);
      else if (typeof part.additionalProperties === 'object') use(inner, part.additionalProperties, at, used);
    }
  }
}

/** The fields that a spec sets on entries that use a stanza, as parts of entries of that kind. */
function withKinds(written: TargetSpec, { files }: TargetSpec): object {
  const entries = Object.entries(written.files).map(([name, entry]) => [name, { ...entry, kind: files[name]!.kind }]);
  return { ...written, files: Object.fromEntries(entries) };
}

tests('every field is used by a spec', () => {
  const used = new Set<string>();
  const shared = readSharedParts(root);
  const folders = [
    'targets',
    ...readdirSync(join(root, 'test/compile/cases')).map(name => `test/compile/cases/${name}/in/.instr/targets`),
  ];
  for (const folder of folders) {
    const files = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).filter(name => name.endsWith('.yaml')) : [];
    for (const file of files) {
      const text = readFileSync(join(root, folder, file), 'utf8');
      const whole = readSpecText(text, file, shared);
      for (const spec of [parse(text), withKinds(parse(text), whole), whole]) use(spec, schema, 'spec', used);
    }
  }
  const all = [
    ...wordsOf(schema, 'spec'),
    ...Object.entries(schema.definitions!).flatMap(([name, part]) => wordsOf(part, name)),
  ];
  assert.ok(all.length > 80, `${all.length} fields`);
  assert.equal(all.filter(word => !used.has(word)), []);
});

tests.run();
