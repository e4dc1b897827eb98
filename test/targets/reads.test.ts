/** Every field that an entry of a spec can have is read while the goldens are made, by the code, not by the schema alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expandedSchema } from '../../scripts/generate/expanded-schema.ts';
import { readSpecs } from '../../scripts/specs.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { allVersions, compileModel, openKitchenSink, root } from '../support/compile.ts';

const tests = suite('reading specs');

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema & { readonly const?: unknown }>>;
  readonly additionalProperties?: Schema | boolean;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const schema = expandedSchema(JSON.parse(readFileSync(join(root, 'schema/target.schema.json'), 'utf8'))) as Schema;

/** Remarks for people, which the docs show, and what import alone reads. */
const shown = /\.note$|^Variables\.alsoRead$/;

/** The definition of a value, and its name. */
function definitionOf(part: Schema | undefined, value: unknown, at: string): readonly [Schema | undefined, string] {
  if (part?.$ref !== undefined) {
    const name = part.$ref.replace(/^.*\//, '');
    return definitionOf(schema.definitions![name], value, name);
  }
  const kind = (value as { kind?: unknown } | null)?.kind;
  const one = part?.oneOf?.find(({ $ref }) => schema.definitions![$ref!.replace(/^.*\//, '')]!.properties?.kind?.const === kind);
  return one ? definitionOf(one, value, at) : [part, at];
}

/**
 * The value, noting which fields of it are asked for by name. What goes through all fields of a value, whatever they are
 * (a copy, a search, JSON), asks for the description of each before it takes it, and reads none in this sense.
 */
function watched<T>(value: T, part: Schema | undefined, at: string, read: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value;
  const [own, name] = definitionOf(part, value, at);
  if (!own) return value;
  const passing = new Set<string | symbol>();
  return new Proxy(value, {
    getOwnPropertyDescriptor(target, key) {
      passing.add(key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    get(target, key) {
      const inner = Reflect.get(target, key);
      if (typeof key !== 'string' || typeof inner === 'function') return inner;
      const isNamed = !passing.delete(key);
      if (Array.isArray(target)) return watched(inner, own.items, name, read);
      const field = own.properties?.[key];
      if (field && isNamed) read.add(`${name}.${key}`);
      const free = typeof own.additionalProperties === 'object' ? own.additionalProperties : undefined;
      return watched(inner, field ?? free, field ? `${name}.${key}` : name, read);
    },
  });
}

const kinds = ['DocumentFile', 'ItemFiles', 'EntriesFile', 'SettingsFile', 'ScriptFiles', 'Sections', 'HookFacts', 'When', 'Row', 'Variables', 'Limit', 'Imports'];

tests('every field of an entry is read while goldens are made', async () => {
  const read = new Set<string>();
  const { model } = await openKitchenSink();
  for (const { loaded, version } of allVersions()) {
    const spec: TargetSpec = watched(loaded.spec, schema, 'spec', read);
    await compileModel(model, [{ loaded: { ...loaded, spec }, config: { version } }]);
  }
  const fields = kinds.flatMap(name => Object.keys(schema.definitions![name]!.properties!).map(key => `${name}.${key}`));
  assert.ok(fields.length > 40, `${fields.length} fields`);
  assert.equal(fields.filter(field => !read.has(field) && !shown.test(field)), []);
});

tests('a spec is short enough to be read at once', () => {
  const lengths = readSpecs(root)
    // What a client received is written by a program, for others to read; an event of hooks is one fact in one line.
    .map(({ id }) =>
      readFileSync(join(root, `targets/${id}.yaml`), 'utf8')
        .replace(/^proof:\n(?: .*\n)*/m, '')
        .replace(/^ {8}[a-z-]+: \[\{ name: .*\n/gm, ''),
    )
    .map(text => text.split('\n').length - 1)
    .sort((a, b) => a - b);
  const middle = lengths[Math.floor((lengths.length - 1) / 2)]!;
  assert.ok(middle <= 45, `half of the specs have more than ${middle} lines; is there a stanza for what they share?`);
  const all = lengths.reduce((sum, length) => sum + length, 0);
  assert.ok(all <= 50 * lengths.length, `${lengths.length} specs have ${all} lines; is there a stanza for what they share?`);
});

tests.run();
