/** A hint that can be an edit is a fix in the report, and applying the fix removes the diagnostic. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validate } from '../../src/index.ts';

type Files = Record<string, string>;
type Diagnostics = Awaited<ReturnType<typeof validate>>['diagnostics'];
type Fix = NonNullable<Diagnostics[number]['fixes']>[number];

const configuration = 'id: shop\nsyntax: "1.5.0"\ntargets: [claude]\n';
const meta = '@meta { id: "shop" syntax: "1.5.0" }\n@identity { "You work on a shop." }\n';

/** Diagnostic code, the content of the entry file after `meta`, and the expected result of the fix. */
const sources: readonly (readonly [string, string, string])[] = [
  ['PRS1001', '@context {\n  project "x"\n}', 'project: "x"'],
  ['PRS1001', '@context {\n  project: “x”\n}', 'project: "x"'],
  ['PRS4003', '@contxt { a: "x" }', '@context {'],
  ['PRS4015', '@skills { one: { description: "d" content: "c" requires: ["secnd"] } second: { description: "d" content: "c" } }', '["second"]'],
  ['PRS4019', '@skills { review: { description: "d" content: "c" } }\n@agents { a: { description: "d" content: "c" skills: ["reviw"] } }', '["review"]'],
  ['PRS4009', '@guards { api: { applyTo: ["a/**"] content: "c" requires: [test] } tests: { applyTo: ["b/**"] content: "c" } }', '[tests]'],
  ['PRS4022', '@hooks { a: { event: "pre-tool-uses" command: ["x"] } }', '"pre-tool-use"'],
  ['PRS4031', '@mcpServers { a: { transport: "stdi" command: ["x"] } }', '"stdio"'],
  ['PRS4046', '@skills { one: { descripton: "d" content: "c" } }', 'description:'],
  ['PRS4047', '@skills { one: { description: "d" content: "c" context: "frk" } }', '"fork"'],
  ['PRS4040', '@context { a: "x\u200by" }', 'a: "xy"'],
  ['PRS4042', '@mcpServers { a: { transport: "http" url: "http://example.com/mcp" } }', '"https://example.com/mcp"'],
  ['PRS4060', '@context { a: [never use any, b] }', '["never use any", b]'],
  ['PRS4061', '@standards {\n  ## Tests\n  a: "b"\n}', '\n  # Tests\n'],
  ['PRS4062', '@hooks { a: { event: "stop" command: "npm test" } }', 'command: ["npm", "test"]'],
  ['PRS4062', '@mcpServers { a: { command: ["npm run mcp"] } }', 'command: ["npm", "run", "mcp"]'],
  ['PRS4063', '@agents { reviewer: { description: "d" content: "c" } }\n@skills { one: { description: "d" content: "c" agent: "reviewr" } }', '"reviewer"'],
  ['PRS4064', '@hooks { a: { event: "stop" command: ["x"] targets: { cluade: { enabled: false } } } }', 'claude:'],
  ['PRS4065', '@skills { one: { description: "d" content: "c" sealed: ["contnt"] } }', '["content"]'],
  ['PRS2203', '@standards { code: { a: "a" } }\n@extend standards.code { b: "b" """text""" }', 'notes: """text'],
  ['PRS2206', '@skills { one: { description: "d" content: "c" requires: ["second"] } second: { description: "d" content: "c" } }\n@extend skills.one { requires: ["!secnd"] }', '"!second"'],
  ['PRS2202', '@standards { code: ["a"] }\n@override standards.cod { ["b"] }', 'standards.code {'],
  ['PRS2201', '@standards { code: { a: "a" } }\n@extend standards.cod { b: "b" }', 'standards.code {'],
  ['PRS2001', '@use ./shard', '@use ./shared'],
  ['PRS2003', '@use fragments/standards', '@use ./fragments/standards'],
  ['PRS2206', '@skills { one: { description: "d" content: "c" requires: ["!two"] } }', 'requires: []'],
  ['PRS2107', '@use ./shared(nam: "x")', '(name: "x")'],
  ['PRS2106', '@use ./shared(name: "x", only: ["standrds"])', '["standards"]'],
];

const configurations: readonly (readonly [string, string, string])[] = [
  ['PRS3007', 'id: shop\nsyntax: "1.5.0"\ntargts: [claude]\n', 'targets:'],
  ['PRS3008', 'id: 5\nsyntax: "1.5.0"\ntargets: [claude]\n', 'id: "5"'],
  ['PRS3008', 'id: shop\nsyntax: "1.5.0"\ntargets: claude\n', 'targets: [claude]'],
  ['PRS6001', 'id: shop\nsyntax: "1.5.0"\ntargets: [cluade]\n', '[claude]'],
  ['PRS4042', `${configuration}registry: { url: "http://registry.example.com" }\n`, '"https://registry.example.com"'],
  ['PRS3021', 'id: shop\nsyntax: "99.0.0"\ntargets: [claude]\n', 'syntax: "1.6.0"'],
  ['PRS3024', `${configuration}validation: { guardRequiresDepth: 0 }\n`, 'guardRequiresDepth: 1'],
  ['PRS7013', 'id: shop\nsyntax: "1.5.0"\ntargets:\n  - factory: { rulesMode: splt }\n', 'rulesMode: split'],
  ['PRS5013', `${configuration}policies:\n  - { name: p, kind: property-protection, severity: error, properties: [descripton] }\n`, '[description]'],
  ['PRS3032', `${configuration}skillTargets: { ./shard: house }\n`, '{ ./shared: house }'],
  ['PRS7012', 'id: shop\nsyntax: "1.5.0"\ntargets:\n  - claude: { maxThreads: 4 }\n', 'claude: {  }'],
  ['PRS7012', 'id: shop\nsyntax: "1.5.0"\ntargets:\n  - claude:\n      maxThreads: 4\n      version: full\n', 'claude:\n      version'],
  ['PRS7012', 'id: shop\nsyntax: "1.5.0"\ntargets: [{ claude: { version: full, maxThreads: 4 } }]\n', '{ version: full }'],
  ['PRS7012', 'id: shop\nsyntax: "1.5.0"\ntargets:\n  - claude:\n      guardsSkillsListing: false\n', '- claude:\n'],
  ['PRS7030', 'id: shop\nsyntax: "1.5.0"\ntargets: [claude, iflow]\n', '[claude, qwen-code]'],
  ['PRS3033', `registries:\n  "@shard": https://github.com/acme/shared.git\n${configuration}`, 'id: shop'],
  ['PRS3034', `${configuration}customConventions:\n  house: { name: house, section: { start: "# {{name}}" } }\n`, 'targets: [claude]\n'],
  ['PRS3023', `${configuration}validation: { rules: { empty-blok: error } }\n`, 'empty-block'],
];

function apply({ edits }: Fix, files: Files): Files {
  const changed = { ...files };
  for (const edit of [...edits].sort((a, b) => b.line - a.line || b.column - a.column)) {
    const text = changed[edit.file]!;
    const at = (line: number, column: number) =>
      text.split('\n').slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    changed[edit.file] = text.slice(0, at(edit.line, edit.column)) + edit.text + text.slice(at(edit.endLine, edit.endColumn));
  }
  return changed;
}

const tests = suite('fixes of findings');

async function check(code: string, files: Files, file: string, part: string): Promise<void> {
  const before = await validate({ files });
  const finding = before.diagnostics.find(one => one.code === code);
  assert.ok(finding, `${code} is found: ${before.diagnostics.map(one => `${one.code} ${one.message}`).join(' ')}`);
  assert.ok(finding!.fixes?.length, `${code} has a fix: ${finding!.hint}`);
  const fixed = apply(finding!.fixes![0]!, files);
  assert.ok(fixed[file]!.includes(part), fixed[file]);
  const after = await validate({ files: fixed });
  assert.not.ok(after.diagnostics.some(one => one.code === code), JSON.stringify(after.diagnostics, null, 1));
}

for (const [code, text, part] of sources) {
  tests(`${code} in ${text}`, () =>
    check(
      code,
      {
        'instr.yaml': configuration,
        '.instr/project.prs': `${meta}${text}\n`,
        '.instr/shared.prs':
          '@meta { id: "shared" syntax: "1.5.0" params: { name: string = "x" } }\n@standards { "Use {{name}}." }\n',
        '.instr/skilled.prs':
          '@meta { id: "skilled" syntax: "1.5.0" }\n@skills { deploy: { description: "d" content: "c" } }\n',
      },
      '.instr/project.prs',
      part,
    ));
}

for (const [code, text, part] of configurations) {
  tests(`${code} in ${JSON.stringify(text)}`, () =>
    check(
      code,
      {
        'instr.yaml': text,
        '.instr/project.prs': text.includes('skillTargets') ? `${meta}@use ./shared\n` : meta,
        '.instr/shared.prs': '@meta { id: "shared" syntax: "1.5.0" }\n@standards { "x" }\n',
      },
      'instr.yaml',
      part,
    ));
}

tests('a version that is too old or unknown is set to the right one', async () => {
  const files = (version: string) => ({
    'instr.yaml': configuration,
    '.instr/project.prs': `@meta { id: "shop" syntax: "${version}" }\n@identity { "x" }\n@override identity { "y" }\n`,
  });
  await check('PRS2303', files('1.0.0'), '.instr/project.prs', 'syntax: "1.5.0"');
  await check('PRS2304', files('1.9.0'), '.instr/project.prs', 'syntax: "1.6.0"');
});

tests('a policy without `severity` keeps its level', async () => {
  const policy = (severity: string) => `policies:\n  - name: p\n    kind: property-protection\n    severity: ${severity}\n    properties: [content]\n`;
  const files = {
    'instr.yaml': `${configuration}extends: ./base.yaml\n${policy('warning')}`,
    'base.yaml': policy('error'),
    '.instr/project.prs': meta,
  };
  await check('PRS3016', files, 'instr.yaml', 'kind: property-protection\n    properties');
});

tests('keys and names of Markdown files', async () => {
  const files = { 'instr.yaml': configuration, '.instr/project.prs': meta };
  const rule = '---\ndescription: Rules\napplyTo: ["a/**"]\nactivaton: manual\n---\n\nText.\n';
  await check('PRS2229', { ...files, '.instr/rules/a.md': rule }, '.instr/rules/a.md', '\nactivation: manual\n');
  const skill = '---\nname: Lamp Care!\ndescription: Care\n---\n\nText.\n';
  await check('PRS2306', { ...files, '.instr/skills/lamps/SKILL.md': skill }, '.instr/skills/lamps/SKILL.md', 'name: lamps\n');
});

tests('a server list entry that no tool supports is removed, with the comma before or after it', async () => {
  const files = { 'instr.yaml': configuration, '.instr/project.prs': meta };
  const servers = '"mcpServers": { "a": { "command": "a" } }';
  const unread = (text: string, part: string) => check('PRS2311', { ...files, '.instr/mcp.json': text }, '.instr/mcp.json', part);
  await unread(`{ ${servers}, "inputs": [] }`, `{ ${servers} }`);
  await unread(`{ "inputs": [{ "id": "x" }], ${servers} }`, `{  ${servers} }`);
  await unread(`{\n  ${servers},\n  "inputs": [\n    { "id": "x" }\n  ]\n}\n`, `{\n  ${servers}\n}\n`);
  await unread(`{\n  "inputs": {\n    "id": "x"\n  },\n  ${servers}\n}\n`, `{\n  ${servers}\n}\n`);
});

tests('an edit that would contain a secret is not in the report', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { diagnostics } = await validate({
    files: { 'instr.yaml': configuration, '.instr/project.prs': `${meta}@context { token: my ${secret} }\n` },
  });
  assert.equal(diagnostics.map(one => [one.code, one.fixes]).slice(0, 1), [['PRS1001', undefined]]);
  assert.not.ok(JSON.stringify(diagnostics).includes(secret));
});

tests.run();
