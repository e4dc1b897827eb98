/** With the layout `once`, each tool finds every skill as if it were the only tool, and no file is unused. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { compile } from '../../src/index.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('sharing skills');

/** The entry of a spec for skills, unless its folder depends on an option. */
function placeOf(id: string) {
  const places = Object.values(builtinSpec(id)!.spec.files).flatMap(file => (file.kind === 'items' && file.of === 'skills' ? [file] : []));
  return places.length === 1 ? places[0] : undefined;
}

/** The version that writes everything. */
function fullVersion(id: string): string {
  const { versions, defaultVersion } = builtinSpec(id)!.spec;
  return Object.hasOwn(versions, 'full') ? 'full' : defaultVersion;
}

/** Folders in which a tool looks for skills, its own first. */
const foldersOf = (id: string): string[] => [placeOf(id)!.dir!, ...(builtinSpec(id)!.spec.reads?.also?.skills ?? [])].map(folder => folder.replace('{universal}', '.agents'));

const ids = [...builtinIds()].filter(id => placeOf(id) !== undefined).sort();

type Files = Readonly<Record<string, string>>;

/** The files of the project after a compile: outputs and sources. */
async function filesOf(targets: readonly string[], layout: string, sources: Files): Promise<Files | undefined> {
  const config = `id: lamps\nsyntax: "1.6.0"\nincludeInstrSkill: false\noutput: { layout: ${layout} }\ntargets:\n${targets.map(id => `  - ${id}: { version: ${fullVersion(id)} }\n`).join('')}`;
  const { files, diagnostics } = await compile({ files: { 'instr.yaml': config, ...sources } });
  // If several tools share their only folder but need different content, no layout fits all.
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    assert.ok(errors.every(({ code }) => code === 'PRS7020'), errors.map(({ message }) => message).join('\n'));
    return undefined;
  }
  return { ...sources, ...Object.fromEntries(files.map(({ path, content }) => [path, String(content)])) };
}

const skillFiles = async (targets: readonly string[], layout: string, skills: string) =>
  Object.keys((await filesOf(targets, layout, { '.instr/project.prs': `@meta { id: "lamps" syntax: "1.6.0" }\n@skills {\n${skills}}\n` }))!).filter(path => path.endsWith('/SKILL.md'));

const skill = (name: string, wanted?: readonly string[]) =>
  `  ${name}: { description: "d" content: "c"${wanted ? ` targets: [${wanted.join(', ')}]` : ''} }\n`;

interface Read {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function readSkill(text: string): Read {
  const [, head = '', body = ''] = /^(?:---\n([\s\S]*?)---\n)?([\s\S]*)$/.exec(text)!;
  return { keys: (parse(head) ?? {}) as Read['keys'], body: body.trim() };
}

/** Whether a file has the same meaning for a tool as another one. A tool may be known to ignore unknown keys. */
function isSameFor(id: string, found: Read, alone: Read): boolean {
  const rows = (placeOf(id)!.frontmatter ?? []).map(row => (row as { key: string }).key);
  const ignored = (key: string) => builtinSpec(id)!.spec.reads?.also?.unknown === 'ignored' && !rows.includes(key) && !Object.hasOwn(alone.keys, key);
  const seen = Object.fromEntries(Object.entries(found.keys).filter(([key]) => !ignored(key)));
  const sorted = (keys: Read['keys']) => JSON.stringify(Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(seen) === sorted(alone.keys) && found.body === alone.body;
}

/** Fields of a skill, for all tools and for single tools. */
const fields = fc.record(
  {
    license: fc.constantFrom('MIT', 'Zlib'),
    trigger: fc.constant('When lamps fail'),
    userInvocable: fc.boolean(),
    disableModelInvocation: fc.boolean(),
    allowedTools: fc.constantFrom(['Read'], ['Read', 'Bash']),
    metadata: fc.constant({ lamp: 'blue' }),
    'x-own': fc.constantFrom('a', 'b'),
  },
  { requiredKeys: [] },
);

const prsValue = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(prsValue).join(', ')}]` : typeof value === 'object' && value !== null ? `{ ${prsFields(value)} }` : JSON.stringify(value);
const prsFields = (said: object) => Object.entries(said).map(([key, value]) => `${key}: ${prsValue(value)}`).join(' ');

/** Programs with one skill, in a block or in a file that tools may find directly. */
const program = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...ids), { minLength: 2, maxLength: 9 }), fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, fields), fc.array(fc.tuple(fc.nat(8), fc.record({ description: fc.constantFrom('d', 'other'), license: fc.constantFrom('MIT', 'Zlib'), 'x-own': fc.constantFrom('a', 'b') }, { requiredKeys: [] })), { maxLength: 2 }), fc.option(fc.nat(7), { nil: undefined, freq: 1 }), fc.constantFrom('block', 'file', 'found', 'found'))
  .map(([targets, base, own, some, where]) => {
    const tools = Object.fromEntries(own.map(([at, said]) => [targets[at % targets.length]!, said]).filter(([, said]) => Object.keys(said!).length > 0));
    const all = { ...base, ...(Object.keys(tools).length > 0 && { tools }), ...(some !== undefined && { targets: targets.slice(some % targets.length) }) };
    const start = '@meta { id: "lamps" syntax: "1.6.0" }\n';
    if (where === 'block') return { targets, sources: { '.instr/project.prs': `${start}@skills { notes: { description: "d" content: "Look." ${prsFields(all)} } }\n` } };
    const path = where === 'file' ? '.instr/skills/notes/SKILL.md' : '.agents/skills/notes/SKILL.md';
    const head = Object.entries({ name: 'notes', description: 'd', ...all }).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join('');
    return { targets, sources: { '.instr/project.prs': start, [path]: `---\n${head}---\n\nLook.\n`, [path.replace('SKILL.md', 'table.csv')]: '1,2\n' } };
  });

tests('every tool reads what it would get as the only tool', async () => {
  let shared = 0;
  await fc.assert(
    fc.asyncProperty(program, async ({ targets, sources }) => {
      const [once, each] = [await filesOf(targets, 'once', sources), await filesOf(targets, 'each', sources)];
      assert.is(once === undefined, each === undefined);
      fc.pre(once !== undefined && each !== undefined);
      const skillsIn = (files: Files) => Object.keys(files).filter(path => path.endsWith('notes/SKILL.md')).length;
      assert.ok(skillsIn(once) <= skillsIn(each));
      if (skillsIn(once) < skillsIn(each)) shared++;
      for (const id of targets) {
        const [own, ...others] = foldersOf(id).map(folder => `${folder}/notes/SKILL.md`) as [string, ...string[]];
        const isMeant = (await filesOf([id], 'each', sources))![own];
        // A file in the tool's own folder equals the previous one, except for the order of keys.
        if (once[own] !== undefined) {
          assert.ok(isSameFor(id, readSkill(once[own]), readSkill(each[own]!)), id);
          continue;
        }
        const there = others.filter(path => once[path] !== undefined);
        if (isMeant === undefined) assert.equal(there, others.filter(path => each[path] !== undefined), `${id} finds a skill for other tools`);
        else {
          assert.ok(there.length > 0, `${id} finds nothing`);
          for (const path of there) {
            assert.ok(isSameFor(id, readSkill(once[path]!), readSkill(isMeant)), `${id} of ${targets.join(', ')} reads at ${path}\n${once[path]}\ninstead of\n${isMeant}`);
            if (sources['.instr/skills/notes/table.csv' as never] !== undefined) assert.is(once[path.replace('SKILL.md', 'table.csv')], '1,2\n');
          }
        }
      }
    }),
    { numRuns: runs(100), seed: 20261122 },
  );
  assert.ok(shared >= runs(10), `${shared} programs shared one`);
});

tests('twelve tools that look in one folder share one copy', async () => {
  const twelve = ['codex', 'gemini', 'opencode', 'kilo', 'factory', 'augment', 'command-code', 'pi', 'kimi', 'qwen-code', 'cline', 'grok'];
  assert.equal(await skillFiles(twelve, 'once', skill('notes')), ['.agents/skills/notes/SKILL.md']);
  assert.equal(await skillFiles(['claude', 'continue', 'opencode'], 'once', skill('notes')), ['.claude/skills/notes/SKILL.md']);
});

tests('a skill that is not for every tool that looks in a folder is not written there', async () => {
  assert.equal(await skillFiles(['kimi', 'cline'], 'once', skill('notes')), ['.agents/skills/notes/SKILL.md']);
  const found = await skillFiles(['kimi', 'cline', 'qwen-code'], 'once', skill('notes', ['kimi', 'cline']));
  assert.equal(found.sort(), ['.cline/skills/notes/SKILL.md', '.kimi-code/skills/notes/SKILL.md']);
});

tests('a field that only one tool writes is not for the others, unless they are known to ignore it', async () => {
  // Cursor has a key for it. Kimi has none, and it is unknown whether it ignores the key.
  const text = '  notes: { description: "d" content: "c" userInvocable: false }\n';
  assert.equal((await skillFiles(['codex', 'cursor'], 'once', text)).sort(), ['.agents/skills/notes/SKILL.md', '.cursor/skills/notes/SKILL.md']);
  assert.equal((await skillFiles(['claude', 'kimi'], 'once', text)).sort(), ['.claude/skills/notes/SKILL.md', '.kimi-code/skills/notes/SKILL.md']);
  // The documentation of OpenCode says that it ignores unknown keys.
  assert.equal(await skillFiles(['claude', 'opencode'], 'once', text), ['.claude/skills/notes/SKILL.md']);
});

tests('a skill with different text for each tool is not shared', async () => {
  const text = '  notes: { description: "d" content: "c" tools: { kimi: { description: "e" } } }\n';
  const found = await skillFiles(['kimi', 'codex', 'opencode'], 'once', text);
  assert.equal(found.sort(), ['.agents/skills/notes/SKILL.md', '.kimi-code/skills/notes/SKILL.md']);
});

tests.run();
