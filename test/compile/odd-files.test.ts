/** Odd values in sources, third-party skills, specs, the lock file and the manifest end as findings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse, stringify } from 'yaml';
import { readSpecs } from '../../scripts/specs.ts';
import { catalogue } from '../../src/generated/blocks.ts';
import { compile } from '../../src/index.ts';
import { readLock } from '../../src/registry/lock.ts';
import { collect } from '../support/collect.ts';
import { root } from '../support/compile.ts';
import { runs, sample } from '../support/depth.ts';
import fc from '../support/property.ts';
import { putAt, stepsTo, strange, strangeKey, withKey } from './odd-values.ts';

const tests = suite('odd files');

const targets = ['claude', 'codex', 'github', 'cursor', 'gemini', 'continue', 'roo'];
const configuration = `id: shop\nsyntax: "1.5.0"\ntargets: [${targets.join(', ')}]\nincludeInstrSkill: false\n`;
const meta = '@meta { id: "shop" syntax: "1.5.0" }\n@identity { "You work on a shop." }\n';

async function judge(files: Readonly<Record<string, string>>) {
  const result = await compile({ files: { 'instr.yaml': configuration, '.instr/project.prs': meta, ...files } });
  for (const { code, severity, file, message } of result.diagnostics)
    if (severity === 'error') assert.ok(file !== undefined, `${code} has no file: ${message}`);
  assert.is(result.ok, result.diagnostics.every(({ severity }) => severity !== 'error'));
  return result;
}

/** All entry fields with their block, and values in the syntax of the language. */
const fields = catalogue.blocks.flatMap(({ name, entry }) =>
  (entry?.fields ?? []).map(field => ({ block: name, field: field.name })),
);
const values = [
  'null', 'true', '3', '1.10', '"x"', '""', '[]', '{}', '["a"]', '[{ a: "b" }]', '[["a"]]', '[null]', '[1, true]',
  '{ a: "b" }', '{ a: null }', '{ a: { b: ["c"] } }', '{ constructor: "x" }', '{ __proto__: "x" }', '"toString"',
  '{ claude: { event: {} command: [{}] } }', '"""\n---\na: b\n---\ntext\n"""',
];
/** The fields that an entry needs to reach a tool. */
const rest: Readonly<Record<string, string>> = {
  hooks: 'event: "stop"\ncommand: ["x"]',
  mcpServers: 'command: ["x"]',
  guards: 'applyTo: ["**/*.ts"]\ncontent: "c"',
  examples: 'input: "i"\noutput: "o"',
};

const entry = (block: string, name: string, field: string, value: string): string => {
  const others = (rest[block] ?? 'description: "d"\ncontent: "c"').split('\n');
  const lines = [...others.filter(line => !line.startsWith(`${field}:`)), `${field}: ${value}`];
  return `@${block} { ${block === 'shortcuts' ? JSON.stringify(`/${name}`) : name}: {\n${lines.join('\n')}\n} }\n`;
};

tests('every field of every entry accepts any value', async () => {
  const cases = fields.flatMap(({ block, field }) => values.map(value => ({ block, field, value })));
  for (const { block, field, value } of sample(cases)) {
    const source = entry(block, 'review', field, value);
    await judge({ '.instr/project.prs': meta + source }).catch((error: unknown) => {
      throw new Error(`${source}\n${error instanceof Error ? error.stack : error}`);
    });
  }
});

tests('entries may have any name', async () => {
  const name = strangeKey.filter(key => key !== '');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fields), name, fc.constantFrom(...values), async ({ block, field }, key, value) => {
      await judge({ '.instr/project.prs': meta + entry(block, key, field, value) });
    }),
    { numRuns: runs(60) },
  );
});

const frontMatter = fc.constantFrom(
  'null', '~', 'true', '3', '1.10', '2024-01-01', '[]', '{}', '[a]', '[{a: b}]', '[[a]]', '{a: b}', '{a: {b: [c]}}',
  'constructor', '""', '"  "', '!!binary abc', '*x', '&a [*a]', '{constructor: x}', '[', '"',
);
const keys = ['name', 'description', 'license', 'trigger', 'requires', 'references', 'sealed', 'agent', 'content', 'params', 'constructor', '__proto__'];

tests('a broken third-party skill affects only itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...keys), frontMatter, async (key, value) => {
      const head = ['name', 'description'].filter(one => one !== key).map(one => `${one}: foreign\n`);
      const text = `---\n${head.join('')}${key}: ${value}\n---\n\nDo it.\n`;
      const own = entry('skills', 'own', 'license', '"MIT"');
      const files = { '.agents/skills/foreign/SKILL.md': text };
      const result = await judge({ ...files, '.instr/project.prs': meta + own });
      assert.ok(result.ok, result.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
      assert.ok(result.files.some(({ path }) => path === '.claude/skills/own/SKILL.md'));
    }),
    { numRuns: runs(60), examples: [['name', '{constructor: x}']] },
  );
});

tests('reports a value of the wrong shape with its location and as an omission', async () => {
  const lists = '@agents { a: { description: "d" content: "c" tools: ["Read", { no: "tool" }] } }\n';
  const guard = '@guards { g: { applyTo: ["**/*.ts", { no: "glob" }] content: "c" } }\n';
  const server = '@mcpServers { s: { command: "x" args: ["a", { no: "argument" }] } }\n';
  const { diagnostics, omissions, files } = await judge({ '.instr/project.prs': meta + lists + guard + server });
  const found = diagnostics.filter(({ code }) => code === 'PRS4007');
  assert.equal(found.map(({ line }) => line), [3, 4, 5]);
  for (const word of ['tool', 'glob', 'argument'])
    assert.ok(omissions.some(({ text }) => text === `{"no":"${word}"}`), word);
  assert.ok(files.length > 0);
});

tests('reports a front matter field of the wrong shape with its location', async () => {
  const text = '---\nname: foreign\ndescription: d\nmetadata: words\n---\nDo it.\n';
  const { ok, diagnostics } = await judge({ '.agents/skills/foreign/SKILL.md': text });
  assert.ok(ok);
  const found = diagnostics.find(({ code }) => code === 'PRS4007');
  assert.equal([found?.severity, found?.file, found?.line], ['warning', '.agents/skills/foreign/SKILL.md', 4]);
});

/** Each spec as written in its file, and as loaded with its shared parts. */
const specs = ['claude', 'codex', 'continue'].flatMap(id => [
  { id, ...parse(readFileSync(join(root, `targets/${id}.yaml`), 'utf8')) },
  readSpecs(root).find(spec => spec.id === id),
]);

tests('a spec of the project may have any odd value', async () => {
  const places = specs.flatMap(spec => [...stepsTo(spec)].map(steps => ({ spec, steps })));
  const servers = '@mcpServers { s: { command: "x" } }\n@hooks { h: { event: "stop" command: ["x"] } }\n';
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), strange, strangeKey, fc.boolean(), async ({ spec, steps }, value, key, more) => {
      const odd = more ? withKey(spec, steps, key, value) : JSON.stringify(putAt(spec, steps, value));
      await judge({
        'instr.yaml': configuration.replace(/targets: .*/, `targets: [${spec.id}]`),
        '.instr/project.prs': meta + servers + entry('agents', 'a', 'model', '"m"') + entry('skills', 's', 'license', '"MIT"'),
        [`.instr/targets/${spec.id}.yaml`]: odd,
      });
    }),
    { numRuns: runs(80) },
  );
  // The YAML parser creates objects without a prototype. Such an object is not a string.
  const codex = specs.find(({ id }) => id === 'codex');
  for (const place of ['options.agentsFile.default', 'files.hooks.entry.matcher.from'])
    await judge({
      'instr.yaml': configuration.replace(/targets: .*/, 'targets: [codex]'),
      '.instr/project.prs': meta + servers,
      '.instr/targets/codex.yaml': JSON.stringify(putAt(codex, place.split('.'), { constructor: null })),
    });
});

const manifest = {
  version: 1,
  directories: ['.claude'],
  files: {
    'CLAUDE.md': { targets: ['claude'], build: 'b', sha256: 'a'.repeat(64), executable: true },
    '.mcp.json': {
      targets: ['claude'],
      format: 'json',
      keys: [{ kind: 'set', path: ['mcpServers', 's'], sha256: 'b'.repeat(64) }],
      created: [[]],
    },
  },
};

tests('a manifest may have any odd value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...stepsTo(manifest)), strange, strangeKey, fc.boolean(), async (steps, value, key, more) => {
      const odd = more ? withKey(manifest, steps, key, value) : JSON.stringify(putAt(manifest, steps, value));
      await judge({ '.instr/manifest.json': odd, 'CLAUDE.md': 'x', '.mcp.json': '{ "mcpServers": { "s": {} } }' });
    }),
    { numRuns: runs(100) },
  );
});

const lock = {
  version: 1,
  sources: {
    '@a': {
      git: 'https://git.example.com/a.git',
      root: 'r',
      ref: 'v1',
      commit: 'c'.repeat(40),
      files: { 'base.prs': 'd'.repeat(64) },
    },
  },
};

tests('a lock file may have any odd value', () => {
  fc.assert(
    fc.property(fc.constantFrom(...stepsTo(lock)), strange, strangeKey, fc.boolean(), (steps, value, key, more) => {
      const odd = more ? withKey(lock, steps, key, value) : stringify(putAt(lock, steps, value));
      const { report, diagnostics } = collect();
      readLock(odd ?? 'null', report);
      for (const { span, file } of diagnostics()) assert.ok(span ?? file);
    }),
    { numRuns: runs(300) },
  );
});

tests.run();
