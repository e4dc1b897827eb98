/** The library compiles a project given as values and returns values, whatever is on the disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoryDisk } from '../../src/host/overlay.ts';
import { type CompiledFile, compile, parse, print, targets, validate } from '../../src/index.ts';
import { project, prs, tree } from '../cli/prs.ts';

const configuration = 'id: shop\nsyntax: "1.5.0"\ntargets: [claude]\nincludeInstrSkill: false\n';
const entry = '@meta { id: "shop" syntax: "1.5.0" }\n';
const identity = '@identity { "You work on a shop." }\n';
const files = { 'instr.yaml': configuration, '.instr/project.prs': entry + identity };

const codes = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code);
const asInput = (compiled: readonly CompiledFile[]) =>
  Object.fromEntries(compiled.map(({ path, content }) => [path, content ?? '']));

const tests = suite('library');

tests('gives the same output as the program', async () => {
  const folder = fileURLToPath(new URL('../projects/minimal', import.meta.url));
  const input = Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(found => found.isFile())
      .map(found => {
        const path = join(found.parentPath, found.name);
        return [relative(folder, path).split(sep).join('/'), readFileSync(path)];
      }),
  );
  const { ok, files: compiled } = await compile({ files: input });
  assert.ok(ok);
  const copy = project(input);
  assert.is(prs(copy, ['compile']).status, 0);
  const written = tree(copy).filter(path => !(path in input) && !/^\.instr\/(?:\.state|manifest)/.test(path));
  assert.equal(compiled.map(({ path }) => path), written);
  for (const { path, content } of compiled) assert.is(content, readFileSync(join(copy, path), 'utf8'), path);
});

tests('a shared settings file keeps what belongs to the user', async () => {
  const servers = `${entry}@mcpServers { docs: { command: ["docs-server"] } }\n`;
  const mine = '{\n  // mine\n  "mcpServers": { "mine": { "command": "x" } }\n}\n';
  const result = await compile({ files: { ...files, '.instr/project.prs': servers, '.mcp.json': mine } });
  assert.equal(codes(result.diagnostics), []);
  const { content } = result.files.find(({ path }) => path === '.mcp.json')!;
  assert.match(String(content), /\/\/ mine[\s\S]*"mine"[\s\S]*"docs-server"/);
});

tests('compares existing files, and takes them over only on request', async () => {
  const first = await compile({ files });
  const again = await compile({ files: { ...files, ...asInput(first.files) } });
  assert.equal(again.files.map(({ state }) => state), first.files.map(() => 'adopted'));
  const foreign = { ...files, [first.files[0]!.path]: 'Written by hand.\n' };
  const refused = await compile({ files: foreign });
  assert.not.ok(refused.ok);
  assert.is(refused.files[0]!.state, 'conflict');
  const taken = await compile({ files: foreign, force: true });
  assert.ok(taken.ok);
  assert.is(taken.files[0]!.content, first.files[0]!.content);
});

tests('targets and build profiles can be selected', async () => {
  const [first, second] = targets();
  const two = `id: shop\nsyntax: "1.5.0"\ntargets: [${first!.id}, ${second!.id}]\nbuilds: { docs: { output: docs } }\n`;
  const input = { ...files, 'instr.yaml': two };
  const one = await compile({ files: input, targets: [first!.label!] });
  assert.ok(one.files.length > 0 && one.files.every(file => file.targets.includes(first!.id)));
  const built = await compile({ files: input, build: 'docs' });
  assert.ok(built.files.length > 0 && built.files.every(({ path }) => path.startsWith('docs/')));
  assert.equal(codes((await compile({ files: input, build: 'dosc' })).diagnostics), ['PRS9707']);
  assert.equal(codes((await compile({ files: input, targets: ['nothing'] })).diagnostics), ['PRS9706']);
});

tests('scripts stay executable, and binary files are unchanged', async () => {
  const picture = new Uint8Array([0x89, 0x50, 0xff, 0x00]);
  const { files: compiled } = await compile({
    files: {
      ...files,
      '.instr/skills/review/SKILL.md': '---\nname: review\ndescription: Review\n---\nLook.\n',
      '.instr/skills/review/picture.png': picture,
      '.instr/skills/review/run.sh': { content: '#!/bin/sh\n', executable: true },
    },
  });
  const ending = (end: string) => compiled.find(({ path }) => path.endsWith(end))!;
  assert.equal(ending('picture.png').content, picture);
  assert.ok(ending('run.sh').executable);
  assert.not.ok(ending('SKILL.md').executable);
});

tests('private files are marked', async () => {
  const { files: compiled } = await compile({
    files: { ...files, '.instr/local.prs': '@local { "I work on a train." }\n' },
  });
  assert.equal(compiled.map(file => file.private), compiled.map(({ content }) => String(content).includes('train')));
  assert.ok(compiled.some(file => file.private));
});

tests('uses only the given environment', async () => {
  process.env.LIBRARY_TEST = 'from the process';
  const source = { ...files, '.instr/project.prs': `${entry}@identity { "Region: \${LIBRARY_TEST:-none}" }\n` };
  const text = async (environment?: Record<string, string>) =>
    String((await compile({ files: source, ...(environment && { environment }) })).files[0]!.content);
  assert.match(await text(), /Region: none/);
  assert.match(await text({ LIBRARY_TEST: 'north' }), /Region: north/);
});

tests('fetches nothing, and accepts a directory of shared files', async () => {
  const use = { ...files, '.instr/project.prs': `${entry}@inherit @acme/base\n` };
  const far = { ...use, 'instr.yaml': `${configuration}registries: { "@acme": "https://example.com/acme.git" }\n` };
  assert.equal(codes((await compile({ files: far })).diagnostics), ['PRS2003']);
  const near = { ...use, 'instr.yaml': `${configuration}registry: { path: shared }\n`, 'shared/@acme/base.prs': entry + identity };
  const { ok, files: compiled } = await compile({ files: near });
  assert.ok(ok);
  assert.match(String(compiled[0]!.content), /You work on a shop\./);
});

tests('does not search for formatter configurations on disk', async () => {
  const detect = { ...files, 'instr.yaml': `${configuration}formatting: { formatter: true }\n` };
  assert.equal(codes((await compile({ files: detect })).diagnostics), []);
  const given = { ...files, 'instr.yaml': `${configuration}formatting: { formatter: { tabWidth: 4 } }\n` };
  assert.ok((await compile({ files: given })).ok);
});

tests('reports errors with their position', async () => {
  const broken = { ...files, '.instr/project.prs': `${entry}@context {\n  project "Demo"\n}\n` };
  for (const result of [await compile({ files: broken }), await validate({ files: broken })]) {
    assert.not.ok(result.ok);
    const { code, file, line, hint } = result.diagnostics[0]!;
    assert.equal([code, file, line], ['PRS1001', '.instr/project.prs', 3]);
    assert.ok(hint);
  }
  assert.equal(codes((await compile({ files: {} })).diagnostics), ['PRS3001']);
});

tests('a single source can be parsed and printed', () => {
  const { document, diagnostics } = parse(`${entry}@standards{code:["a","b"]}`, 'x.prs');
  assert.equal(diagnostics, []);
  const text = print(document);
  assert.match(text, /code: \["a", "b"\]/);
  assert.is(print(parse(text).document), text);
  assert.equal(codes(parse(new Uint8Array([0xff])).diagnostics), ['PRS1004']);
});

tests('object keys have no special meaning', async () => {
  const odd = JSON.parse('{ "__proto__": "text", "constructor": "text" }');
  const { ok } = await compile({ files: { ...files, ...odd } });
  assert.ok(ok);
});

tests('the in-memory disk lists and finds files', () => {
  const disk = memoryDisk('/p', new Map([['a/b.txt', { content: 'é' }], ['c.txt', { content: '' }]]));
  assert.equal(disk.list('/p'), [
    { name: 'a', kind: 'directory' },
    { name: 'c.txt', kind: 'file' },
  ]);
  assert.is(disk.stat('/p/a/b.txt')!.size, 2);
  assert.is(disk.stat('/p/a')!.kind, 'directory');
  for (const path of ['/p/x', '/q', '/p/../q']) assert.is(disk.stat(path), undefined, path);
  assert.is(disk.readBytes('/p/a'), undefined);
});

tests.run();
