/**
 * No command runs code from the formatter configuration of a project, or reads a configuration outside of the project.
 */
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, minimal, project, prs, read } from '../cli/prs.ts';

const tests = suite('formatter of a hostile project');

const configuration = (formatter: string) => `${minimal['instr.yaml']}formatting: { formatter: ${formatter} }\n`;
const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');
const source = `@meta { id: "sample" syntax: "1.5.0" }\n@identity { """\n${words}\n""" }\n`;

/** Code that creates the marker file when it runs. */
const code = (marker: string) =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker)}, 'ran');\nexport default { proseWrap: 'always', printWidth: 20 };\n`;

/** A clone in its own folder. Returns a check whether any code in it ran. */
function clone(formatter: string, files: (marker: string) => Files) {
  const outer = project({});
  const marker = join(outer, 'marker');
  const place = (one: Files) =>
    Object.fromEntries(Object.entries(one).map(([path, text]) => [join('clone', path), text]));
  const folder = project({
    ...place({ 'instr.yaml': configuration(formatter), '.instr/project.prs': source }),
    ...place(files(marker)),
  });
  return { outer: folder, folder: join(folder, 'clone'), ran: () => existsSync(marker) };
}

const commands = [
  ['compile', '--check'],
  ['compile', '--dry-run'],
  ['diff'],
  ['status'],
  ['doctor'],
  ['view', '--as', 'claude'],
  ['view'],
  ['explain', 'CLAUDE.md'],
  ['validate'],
  ['absorb', '--dry-run'],
  ['compile'],
];

const traps: readonly (readonly [string, string, (marker: string) => Files])[] = [
  ['a module that is found', 'true', marker => ({ 'prettier.config.mjs': code(marker) })],
  ['a module that is named', 'prettier.config.mjs', marker => ({ 'prettier.config.mjs': code(marker) })],
  ['a module above the project', 'true', marker => ({ '../prettier.config.mjs': code(marker) })],
  [
    'plug-ins',
    'true',
    marker => ({
      '.prettierrc.json': '{ "plugins": ["./plugin.mjs", "evil"] }',
      'plugin.mjs': code(marker),
      'node_modules/evil/package.json': '{ "name": "evil", "type": "module", "main": "index.js" }',
      'node_modules/evil/index.js': code(marker),
    }),
  ],
  [
    'a package that is named',
    'true',
    marker => ({
      'package.json': '{ "prettier": "evil" }',
      'node_modules/evil/package.json': '{ "name": "evil", "type": "module", "main": "index.js" }',
      'node_modules/evil/index.js': code(marker),
    }),
  ],
  [
    'a formatter that the project brings',
    '{ proseWrap: always }',
    marker => ({
      'node_modules/prettier/package.json': '{ "name": "prettier", "type": "module", "main": "index.js" }',
      'node_modules/prettier/index.js': code(marker),
    }),
  ],
];

for (const [at, [name, formatter, files]] of traps.entries())
  tests(`${name} never runs`, () => {
    const { folder, ran } = clone(formatter, files);
    // All commands read the configuration with the same function.
    for (const args of at === 0 ? commands : commands.slice(-1)) {
      const { status, stderr } = prs(folder, args);
      assert.ok(status !== null && status < 70, `${args}: ${stderr}`);
      assert.not.ok(ran(), args.join(' '));
    }
  });

tests('a configuration that is only code is reported with advice', () => {
  for (const files of [{ 'prettier.config.mjs': '' }, { '.prettierrc.ts': '' }, { 'package.json': '{"prettier":"@acme/style"}' }]) {
    const { folder } = clone('true', () => files);
    const { status, stderr } = prs(folder, ['compile']);
    assert.is(status, 0, stderr);
    assert.match(stderr, /warning PRS7103: .*is code, which is not executed: (?:prettier\.config\.mjs|\.prettierrc\.ts|@acme)/);
    assert.match(stderr, /formatting\.formatter/);
  }
  const { folder } = clone('tools/style.cjs', () => ({ 'tools/style.cjs': '' }));
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 1);
  assert.match(stderr, /error PRS7101: .*tools\/style\.cjs: it is code/);
});

tests('nothing outside of the project is read', () => {
  const wide = '{ "proseWrap": "always", "printWidth": 20 }';
  const above = clone('true', () => ({ '../.prettierrc': wide, '../.editorconfig': '[*]\nmax_line_length = 20\n' }));
  assert.is(prs(above.folder, ['compile']).status, 0);
  assert.ok(read(above.folder, 'CLAUDE.md').includes(words));
  const named = clone('../outside.json', () => ({ '../outside.json': wide }));
  const linked = clone('true', () => ({ '../outside.json': wide }));
  symlinkSync(join(linked.outer, 'outside.json'), join(linked.folder, '.prettierrc'));
  for (const { folder } of [named, linked]) {
    const { status, stderr } = prs(folder, ['compile']);
    assert.is(status, 1);
    assert.match(stderr, /error PRS7101: .*it is outside of the project/);
  }
});

tests.run();
