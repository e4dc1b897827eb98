/** Under the layout `once` each tool finds every skill that it wants where it looks, and none lies there in vain. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';

const tests = suite('sharing skills');

/** Folders in which a tool looks for skills, its own first; nothing for one whose folder depends on an option. */
function foldersOf(id: string): string[] {
  const { files, reads } = builtinSpec(id)!.spec;
  const own = Object.values(files).flatMap(file => (file.kind === 'items' && file.of === 'skills' ? [file.dir!] : []));
  return own.length === 1 ? [...own, ...(reads?.also?.skills ?? [])] : [];
}

const ids = [...builtinIds()].filter(id => foldersOf(id).length > 0).sort();

const skillFiles = async (targets: readonly string[], layout: string, skills: string) => {
  const { files } = await compile({
    files: {
      'instr.yaml': `id: lamps\nsyntax: "1.6.0"\nincludeInstrSkill: false\noutput: { layout: ${layout} }\ntargets:\n${targets.map(id => `  - ${id}: { version: ${Object.keys(builtinSpec(id)!.spec.versions).at(-1)} }\n`).join('')}`,
      '.instr/project.prs': `@meta { id: "lamps" syntax: "1.6.0" }\n@skills {\n${skills}}\n`,
    },
  });
  return files.map(({ path }) => path).filter(path => path.endsWith('/SKILL.md'));
};

const skill = (name: string, wanted?: readonly string[]) =>
  `  ${name}: { description: "d" content: "c"${wanted ? ` targets: [${wanted.join(', ')}]` : ''} }\n`;

tests('every tool finds what it wants, and no tool more than without the layout', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 8 }), fc.nat(7), async (targets, at) => {
      const some = targets.slice(at % targets.length);
      const text = skill('all') + skill('some', some);
      const once = await skillFiles(targets, 'once', text);
      const each = await skillFiles(targets, 'each', text);
      assert.ok(once.length <= each.length);
      for (const id of targets) {
        const finds = (paths: readonly string[], name: string) => foldersOf(id).some(folder => paths.includes(`${folder.replace('{universal}', '.agents')}/${name}/SKILL.md`));
        for (const name of ['all', 'some']) assert.is(finds(once, name), finds(each, name), `${id} of ${targets.join(', ')} and ${name}`);
      }
    }),
    { numRuns: 60, seed: 20261122 },
  );
});

tests('twelve tools that look in one folder have one copy', async () => {
  const twelve = ['codex', 'gemini', 'opencode', 'kilo', 'factory', 'augment', 'command-code', 'pi', 'kimi', 'qwen-code', 'cline', 'grok'];
  assert.equal(await skillFiles(twelve, 'once', skill('notes')), ['.agents/skills/notes/SKILL.md']);
  assert.equal(await skillFiles(['claude', 'continue', 'opencode'], 'once', skill('notes')), ['.claude/skills/notes/SKILL.md']);
});

tests('a skill whose words differ by tool stays apart', async () => {
  const text = '  notes: { description: "d" content: "c" tools: { kimi: { description: "e" } } }\n';
  const found = await skillFiles(['kimi', 'codex', 'opencode'], 'once', text);
  assert.equal(found.sort(), ['.agents/skills/notes/SKILL.md', '.kimi-code/skills/notes/SKILL.md']);
});

tests.run();
