/**
 * Making the golden files reads every field that an entry of a spec can have. This proves that the code uses the field,
 * and not only the schema.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expandedSchema } from '../../scripts/generate/expanded-schema.ts';
import { readSpecs } from '../../scripts/specs.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { memoryDisk } from '../../src/host/overlay.ts';
import { recognise } from '../../src/migrate/import/recognise.ts';
import { namedMains } from '../../src/project/open/open.ts';
import { loadTexts, type ProjectTexts } from '../../src/spec/loading/load.ts';
import { allVersions, compileModel, openKitchenSink, requestFor, resolveText, root } from '../support/compile.ts';

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

/** Notes that only the docs show, and fields that only import reads. */
const shown = /\.note$|^Variables\.alsoRead$|^OptionSpec\.help$|^Status\.since$/;

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
 * Wraps the value and records which of its fields are read by name. Code that visits all fields of a value (a copy, a
 * search, JSON) gets the property descriptor of each field first. Such reads are not counted.
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

const kinds = ['DocumentFile', 'ItemFiles', 'EntriesFile', 'SettingsFile', 'ScriptFiles', 'Sections', 'HookFacts', 'When', 'Row', 'Variables', 'Limit'];

tests('every field of an entry is read when the golden files are made', async () => {
  const read = new Set<string>();
  const { model } = await openKitchenSink();
  for (const { loaded, version } of allVersions()) {
    const spec: TargetSpec = watched(loaded.spec, schema, 'spec', read);
    await compileModel(model, [{ loaded: { ...loaded, spec }, config: { version } }]);
  }
  // Some fields are only read when a target is compiled together with tools whose files it finds.
  const finding = allVersions().filter(
    ({ loaded: { spec }, version }) =>
      version === spec.defaultVersion && spec.reads?.also?.always,
  );
  await compileModel(
    model,
    finding.map(({ loaded }) => ({ loaded: { ...loaded, spec: watched(loaded.spec, schema, 'spec', read) } })),
    { layout: 'once' },
  );
  const fields = kinds.flatMap(name => Object.keys(schema.definitions![name]!.properties!).map(key => `${name}.${key}`));
  assert.ok(fields.length > 40, `${fields.length} fields`);
  assert.equal(fields.filter(field => !read.has(field) && !shown.test(field)), []);
});

/** Definitions that are not part of the entries. */
const besides = ['OptionSpec', 'Reads', 'AlsoRead', 'Nested', 'Imports', 'Limit', 'Legacy', 'Status', 'Arguments'];

/** Files at every path where a tool may look, in a folder and above it. */
function filesFor({ reads }: TargetSpec): ProjectTexts {
  const names = [...(reads?.files ?? []), ...(reads?.fallback ?? []), ...(reads?.nested?.files ?? [])].flat();
  return new Map(['', 'a/', 'a/b/'].flatMap(folder => names.map(name => [`${folder}${name}`, `${folder}${name}\n`])));
}

tests('the program reads every field about what a tool loads, its options, its former files and its state', async () => {
  const read = new Set<string>();
  const { model } = await openKitchenSink();
  const all = allVersions().filter(({ loaded, version }) => version === loaded.spec.defaultVersion);
  const { model: shared } = resolveText('@meta { id: "x" syntax: "1.5.0" }\n@skills { s: { description: "d" content: "c" userInvocable: false } }');
  // Tools whose folders other tools read, too.
  const others = all.filter(({ id }) => id === 'claude' || id === 'codex');
  for (const { loaded, version } of all) {
    const spec: TargetSpec = watched(loaded.spec, schema, 'spec', read);
    const own = { ...loaded, spec };
    for (const [name, { values }] of Object.entries(spec.options ?? {}))
      for (const value of [...(values ?? []), 0, true]) requestFor(own, { version, [name]: value }, () => {});
    loadTexts(spec, filesFor(loaded.spec), { at: 'a/b', read: ['a/b/c.ts'] });
    for (const { path } of loaded.spec.legacy ?? []) recognise(path.replace(/\*+/g, 'x'), [spec]);
    const settings = loaded.spec.reads?.named?.path;
    const naming = loaded.spec.reads?.named?.format === 'toml' ? 'project_doc_fallback_filenames = ["X.md"]' : '{ "context": { "fileName": "X.md" } }';
    if (settings !== undefined) await namedMains(own, '/', memoryDisk('/', new Map([[settings, { content: naming }]])));
    for (const one of [model, shared]) await compileModel(one, [{ loaded: own }, ...others], { layout: 'once' });
  }
  const fields = besides.flatMap(name => Object.keys(schema.definitions![name]!.properties!).map(key => `${name}.${key}`));
  assert.ok(fields.length > 35, `${fields.length} fields`);
  assert.equal(fields.filter(field => !read.has(field) && !shown.test(field)), []);
});

const linesOf = (text: string): number => text.split('\n').length - 1;

tests('specs stay short enough to read', () => {
  const texts = readSpecs(root).map(({ id }) => readFileSync(join(root, `targets/${id}.yaml`), 'utf8'));
  const lengths = texts.map(linesOf).sort((a, b) => a - b);
  const middle = lengths[Math.floor((lengths.length - 1) / 2)]!;
  assert.ok(middle <= 42, `half of the specs have more than ${middle} lines; move what they share to a stanza`);
  const all = lengths.reduce((sum, one) => sum + one, 0);
  assert.ok(all <= 53.6 * texts.length, `${texts.length} specs have ${all} lines; move what they share to a stanza`);
});

/** Lines that contain a text, or the source of a fact. */
const isText = (line: string): boolean => /^ *(?:#|(?:- )?\{ url: |[\w.-]+: [^{[])/.test(line);

tests('lines of a spec stay short enough to read, except texts', () => {
  const wide = readSpecs(root).flatMap(({ id }) =>
    readFileSync(join(root, `targets/${id}.yaml`), 'utf8')
      .replace(/^ {4}template: \|\n(?: {6}.*\n|\n)*/gm, '')
      .split('\n')
      .filter(line => line.length > 120 && !isText(line)),
  );
  assert.equal(wide, []);
});

tests.run();
