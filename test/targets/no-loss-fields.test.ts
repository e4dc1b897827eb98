/**
 * Every field of a source is either in a file of each target or in its omissions: known fields and unknown ones, in
 * both languages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse as parseYaml } from 'yaml';
import { compile } from '../../src/index.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { root } from '../support/compile.ts';
import { runs, sample } from '../support/depth.ts';
import fc from '../support/property.ts';
import { shownText } from '../support/texts.ts';

interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly values?: readonly string[];
}

const { blocks, collections } = parseYaml(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as {
  blocks: { name: string; entry?: { fields: Field[] } }[];
  collections: { name: string; block: string; of?: string; without: string; computed: Record<string, string> }[];
};

/** Fields that control how an entry is compiled. They are not content. */
const steering = new Set(['requires', 'references', 'sealed', 'targets', 'except', 'prompt', 'activation', 'placement', 'enabled', 'event', 'cwd', 'transport', 'command', 'args', 'script', 'url', 'applyTo', 'into', 'mcpServers.tools', 'hooks.line', 'hooks.group', 'hooks.raw']);

interface Written {
  readonly field: string;
  readonly value: unknown;
  /** Words that must be in the output. */
  readonly marks: readonly string[];
}

/** One value for each field of an entry, and for some unknown fields. Every mark is unique in a program. */
function fieldsOf(block: string, language: 'prs' | 'md'): Written[] {
  const known = blocks.find(({ name }) => name === block)!.entry!.fields.filter(({ name, values }) => !steering.has(name) && !steering.has(`${block}.${name}`) && !values);
  const { without, computed } = collections.find(one => one.block === block && one.of === undefined)!;
  const own = (field: string) => `${language}${block}${field}`.replace(/\W/g, '');
  const found = known.map(({ name, types }, index): Written => {
    const mark = own(name);
    if (types.includes('text')) return { field: name, value: mark, marks: [mark] };
    if (types[0] === 'list') return { field: name, value: [mark], marks: [mark] };
    if (types[0] === 'object') return { field: name, value: { [`in${mark}`]: mark }, marks: [`in${mark}`, mark] };
    if (types[0] !== 'number') return { field: name, value: true, marks: [] };
    const number = 300_000 + (block.length * 40 + index * 2 + (language === 'md' ? 1 : 0)) * 100;
    return { field: name, value: number, marks: [String(number)] };
  });
  // Names that the compiler reserves for computed fields.
  const reserved = without === 'omission' ? Object.keys(computed).filter(name => !known.some(field => field.name === name) && !['disabled', 'name', 'transport'].includes(name)) : [];
  return [
    ...found,
    ...reserved.map(name => ({ field: name, value: own(`kept${name}`), marks: [own(`kept${name}`)] })),
    ...(language === 'prs' && block !== 'agents' && !known.some(({ name }) => name === 'name') ? [{ field: 'name', value: own('called'), marks: [own('called')] }] : []),
    { field: 'x-own', value: own('one'), marks: [own('one')] },
    { field: 'xlist', value: [own('first'), own('second')], marks: [own('first'), own('second')] },
    { field: 'xmap', value: { deep: { inner: own('deep') } }, marks: [own('deep')] },
  ];
}

const prsValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(prsValue).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{ ${Object.entries(value).map(([key, part]) => `${key}: ${prsValue(part)}`).join(' ')} }`
      : JSON.stringify(value);

/** Entries in the block language: block, name, and the fields that determine the kind of entry. */
const entries: readonly (readonly [block: string, name: string, steering: string])[] = [
  ['guards', 'one-guard', 'applyTo: ["src/**/*.q"]'],
  ['shortcuts', '"/one-command"', 'prompt: true'],
  ['skills', 'one-skill', ''],
  ['agents', 'one-agent', ''],
  ['workflows', 'one-workflow', ''],
  ['hooks', 'one-hook', 'event: "pre-tool-use" command: ["node", "x.mjs"]'],
  ['mcpServers', 'one-server', 'command: ["node", "y.mjs"]'],
  ['plugins', 'one-plugin', ''],
];

const markdown: readonly (readonly [block: string, path: string, steering: string])[] = [
  ['guards', '.instr/rules/other-guard.md', 'applyTo: ["lib/**/*.q"]\n'],
  ['shortcuts', '.instr/commands/other-command.md', ''],
  ['skills', '.instr/skills/other-skill/SKILL.md', 'name: other-skill\n'],
  ['agents', '.instr/agents/other-agent.md', ''],
];

/** A program with the fields that `chosen` accepts, and the marks that must be in the output. */
function program(chosen: (field: string) => boolean): { files: Record<string, string>; marks: string[] } {
  const marks: string[] = [];
  const take = (block: string, language: 'prs' | 'md') => {
    const written = fieldsOf(block, language).filter(({ field }) => field === 'description' || field === 'content' || chosen(`${language} ${block} ${field}`));
    for (const one of written) if (one.field !== 'content' || language === 'prs') marks.push(...one.marks);
    return written;
  };
  const source = entries.map(([block, name, start]) => `@${block} { ${name}: { ${start} ${take(block, 'prs').map(({ field, value }) => `${field}: ${prsValue(value)}`).join(' ')} } }`);
  const files: Record<string, string> = { '.instr/project.prs': `@meta { id: "x" syntax: "1.6.0" }\n@identity { "You." }\n${source.join('\n')}\n` };
  for (const [block, path, start] of markdown) {
    const rows = take(block, 'md').filter(({ field }) => field !== 'content');
    const body = `md${block}body`;
    marks.push(body);
    files[path] = `---\n${start}${rows.map(({ field, value }) => `${field}: ${JSON.stringify(value)}\n`).join('')}---\n\n${body}\n`;
  }
  return { files, marks };
}

/** The marks that are neither in a file nor in an omission. */
async function lost({ files, marks }: ReturnType<typeof program>, targets: string): Promise<string[]> {
  const config = `id: x\nsyntax: "1.6.0"\ntargets: [${targets}]\nincludeInstrSkill: false\n`;
  const compiled = await compile({ files: { ...files, 'instr.yaml': config } });
  const errors = compiled.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  assert.equal(errors, [], targets);
  const bytesOf = (content: string | Uint8Array = '') => (typeof content === 'string' ? new TextEncoder().encode(content) : content);
  const shown = shownText({
    files: compiled.files.map(({ path, content }) => ({ path, bytes: bytesOf(content) })) as never,
    omissions: compiled.omissions as never,
  });
  // Times are in the unit of the tool.
  return marks.filter(mark => !shown.includes(mark) && !(/^3\d+$/.test(mark) && shown.includes(String(Math.ceil(Number(mark) / 1000)))));
}

const tests = suite('no silent loss of fields');
const whole = program(() => true);
const ids = [...builtinIds()].sort();

tests('the program has fields of every kind', () => {
  assert.ok(whole.marks.length > 150, `${whole.marks.length} marks`);
  assert.is(new Set(whole.marks).size, whole.marks.length);
});

for (const id of sample(ids)) {
  tests(`${id} writes or omits every field, with notice`, async () => {
    const { spec } = builtinSpec(id)!;
    for (const version of Object.keys(spec.versions)) assert.equal(await lost(whole, `{ ${id}: { version: ${version} } }`), [], version);
    for (const option of ['guardsAsSkills: false', 'includeSkills: false', 'convention: xml'])
      assert.equal(await lost(whole, `{ ${id}: { ${option} } }`), [], option);
    // Together with a tool that has no paths of its own, and one that shares folders with many tools.
    for (const other of ['aider', 'codex'])
      if (other !== id) assert.equal(await lost(whole, `${id}, ${other}`), [], other);
  });
}

tests('any two tools write or omit random fields, with notice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.subarray(ids, { minLength: 1, maxLength: 2 }), async (seed, targets) => {
      let state = seed;
      const some = program(() => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return state > 2 ** 30;
      });
      assert.equal(await lost(some, targets.join(', ')), [], targets.join(', '));
    }),
    { numRuns: runs(60), seed: 3 },
  );
});

tests.run();
