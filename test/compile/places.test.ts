/** Everything that emit reports has a location: a line of a source or of the configuration. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { root } from '../support/compile.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('locations');

const ids = [...builtinIds()].sort();

/** Reads the files of a project in `test/projects`. */
function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')];
    }),
  );
}

const sink = filesOf(join(root, 'test/projects/kitchen-sink'));

/** The configuration of the project with every target, in the version under test if the target has it. */
function configuration(version: string | undefined, layout: string): string {
  const targets = ids.map(id => {
    const has = version !== undefined && Object.hasOwn(builtinSpec(id)!.spec.versions, version);
    return has ? `  - ${id}: { version: ${version} }\n` : `  - ${id}\n`;
  });
  return `${sink['instr.yaml']!.replace(/^targets: .*\n/m, '')}targets:\n${targets.join('')}output: { layout: ${layout} }\n`;
}

const versions = [...new Set(ids.flatMap(id => Object.keys(builtinSpec(id)!.spec.versions)))];

for (const version of versions) {
  tests(`${version}: every finding and omission has a line of a source or of the configuration`, async () => {
    for (const layout of version === versions[0] ? ['each', 'once'] : ['each']) {
      const { diagnostics, omissions } = await compile({ files: { ...sink, 'instr.yaml': configuration(version, layout) } });
      assert.ok(omissions.length > 500, `only ${omissions.length} omissions`);
      const lost = [
        ...diagnostics.filter(({ file, line }) => line === undefined || !Object.hasOwn(sink, file!)).map(({ code, message }) => `${code} ${message}`),
        ...omissions.filter(({ file, line }) => line === undefined || !Object.hasOwn(sink, file!)).map(({ target, source }) => `${target} ${source}`),
      ];
      assert.equal([...new Set(lost)], [], layout);
    }
  });
}

const key = fc
  .tuple(fc.constantFrom('a', 'b c', 'd.e', 'f/g', '/h', 'i"j', 'ä', 'toString', 'k(l)'), fc.nat(9))
  .map(([word, number]) => `${word}${number}`);
const fields: Readonly<Record<string, string>> = {
  skills: 'description: "d"\ncontent: "c"\nx.y: "unknown"\n"z z": "unknown"',
  agents: 'description: "d"\ncontent: "c"\ncolor: "red"\n"z z": "unknown"',
  hooks: 'event: "stop"\ncommand: ["x"]\nmatcher: "m"\nstatusMessage: "s"',
  mcpServers: 'command: "x"\nenv: { "A B": "c" }\ntimeoutMs: 1500',
  guards: 'applyTo: ["**/*.ts"]\ncontent: "c"\n"z z": "unknown"',
  shortcuts: 'description: "d"\ncontent: "c"\nhint: "h"',
  workflows: 'description: "d"\ncontent: "c"\n"z z": "unknown"',
};

tests('the omission of an entry is located in the lines of the entry, whatever its name', async () => {
  const entries = fc.uniqueArray(fc.tuple(fc.constantFrom(...Object.keys(fields)), key), {
    selector: ([block, name]) => `${block} ${name.toLowerCase().replace(/[^a-z0-9ä]+/g, '-')}`,
    minLength: 1,
    maxLength: 12,
  });
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(entries, fc.subarray(ids, { minLength: 1, maxLength: 6 }), async (selected, targets) => {
      const lines = ['@meta { id: "p" syntax: "1.5.0" }'];
      const ranges: { readonly path: string; readonly start: number; readonly end: number }[] = [];
      for (const [block, name] of selected) {
        const start = lines.length + 1;
        lines.push(`@${block} {`, `${JSON.stringify(name)}: {`, ...fields[block]!.replace('x.y', '"x.y"').split('\n'), '}', '}');
        ranges.push({ path: `${block}.${/^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name)}`, start, end: lines.length });
      }
      const { omissions } = await compile({
        files: {
          'instr.yaml': `id: p\nsyntax: "1.5.0"\nincludeInstrSkill: false\ntargets: [${targets.join(', ')}]\n`,
          '.instr/project.prs': `${lines.join('\n')}\n`,
        },
      });
      for (const { source, line = 0 } of omissions) {
        const range = ranges.find(({ path }) => source === path || source.startsWith(`${path}.`) || source.startsWith(`${path}/`));
        if (!range) continue;
        checked++;
        assert.ok(line >= range.start + 1 && line <= range.end, `${source} is located at line ${line}, outside ${range.start + 1} to ${range.end}`);
      }
    }),
    { numRuns: runs(40) },
  );
  assert.ok(checked > runs(50), `only ${checked} omissions of entries were checked`);
});

tests.run();
