/** The documents are correct: examples compile, commands exist, and links are valid. `steps` runs the commands. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isMap, parse, parseDocument } from 'yaml';
import { describeCommands } from '../../src/cli/help.ts';
import { compile, targets } from '../../src/index.ts';
import { blocks, documents, read, root, titleOf, usedFiles } from './documents.ts';

/** Blocks that no command of their document tests. */
const of = (...languages: string[]) =>
  blocks.filter(block => languages.includes(block.language) && !usedFiles.has(titleOf(block)));

const scripts: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
const commands = new Map((await describeCommands()).map(info => [info.name, info]));

/** Why a command line is invalid. `undefined` if it is valid. */
function wrongCommand(line: string): string | undefined {
  const words = line
    .replace(/\s#.*$/, '')
    .trim()
    .replace(/^npx instr\b/, 'prs')
    .match(/"[^"]*"|\S+/g);
  if (!words) return undefined;
  const [program, first, ...rest] = words as [string, string | undefined, ...string[]];
  if (program === 'npm') {
    if (['ci', 'install', 'test', 'pack'].includes(first ?? '')) return undefined;
    const name = rest.find(word => !word.startsWith('-'));
    return first === 'run' && scripts[name!] ? undefined : `no script ${name}`;
  }
  if (program === 'npx' && first === 'tsx') return existsSync(join(root, rest[0]!)) ? undefined : `no file ${rest[0]}`;
  if (program !== 'prs') return `${program} is not known here`;
  if (first === undefined || first === 'help' || first === '<command>' || first.startsWith('-')) return undefined;
  const command = commands.get(first);
  if (!command) return `no command ${first}`;
  const known = ['--help', '--version', ...command.options.flatMap(({ names }) => names)];
  const unknown = rest.filter(word => /^--?[a-z]/.test(word) && !known.includes(word.split('=')[0]!));
  return unknown.length > 0 ? `prs ${first} has no ${unknown.join(', ')}` : undefined;
}

const commandLines = (text: string) => text.split(/\n|&&/).filter(line => line.trim() !== '');

/** A minimal project around an example. */
const configuration = 'id: shop\nsyntax: "1.5.0"\ntargets: [claude]\n';
const entry = '@meta { id: "shop" syntax: "1.5.0" }\n@identity { "You work on a shop." }\n';

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const { diagnostics } = await compile({
    files: { 'instr.yaml': configuration, '.instr/project.prs': entry, ...files },
  });
  return diagnostics
    // The single tool of this project may not support everything in an example.
    .filter(({ code, severity }) => severity !== 'info' && code !== 'PRS7028')
    .map(({ code, message, line }) => `${code} line ${line}: ${message}`);
}

/** Completes a part of a configuration. A placeholder is replaced by any target. */
function wholeConfiguration(text: string): string {
  const ids = targets().map(({ id }) => id);
  let index = 0;
  const document = parseDocument(text.replace(/<target>/g, () => ids[index++]!));
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return text;
  for (const [key, value] of Object.entries(parse(configuration))) if (!document.has(key)) document.set(key, value);
  return document.toString();
}

const tests = suite('documents');

tests('documents and examples are found', () => {
  for (const name of ['README.md', 'MIGRATING.md', 'ORGANISATIONS.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'schema/README.md']) {
    assert.ok(documents.includes(name), name);
  }
  assert.ok(blocks.length > 20, `${blocks.length} examples`);
  assert.equal([...new Set(blocks.map(({ language }) => language))].sort(), ['js', 'json', 'lua', 'md', 'prs', 'sh', 'starlark', 'text', 'yaml']);
});

for (const block of of('text')) {
  tests(`${titleOf(block)} is not code that could be run`, () => {
    assert.not.match(block.text, /^(?:npx |npm |prs )/m);
  });
}

for (const block of of('json')) {
  tests(`${titleOf(block)} is JSON`, () => {
    JSON.parse(block.text);
  });
}

for (const block of of('prs')) {
  tests(`${titleOf(block)} compiles`, async () => {
    const source = block.text.includes('@meta') ? block.text : `@meta { id: "shop" syntax: "1.6.0" }\n${block.text}`;
    assert.equal(await problemsOf({ '.instr/project.prs': source, ...siblingFiles(source) }), []);
  });
}

/** Scripts that hooks of an example run. They are separate files, but a document shows only one file. */
function siblingFiles(source: string): Record<string, string> {
  const paths = [...source.matchAll(/path: "(\.instr\/scripts\/[^"]+)"/g)].map(([, path]) => path!);
  return Object.fromEntries(paths.map(path => [path, 'true\n']));
}

/** The comment at the start of an example names its file. Without a comment it is a configuration. */
for (const block of of('yaml')) {
  tests(`${titleOf(block)} is valid for the file named in its first line`, async () => {
    const file = /^# (\S+\.ya?ml)$/m.exec(block.text)?.[1] ?? 'instr.yaml';
    const id = /^targets\/([\w-]+)\.yaml$/.exec(file)?.[1];
    if (file === 'instr.yaml') assert.equal(await problemsOf({ 'instr.yaml': wholeConfiguration(block.text) }), []);
    else if (id !== undefined) {
      const files = { [`.instr/${file}`]: block.text, 'instr.yaml': configuration.replace('claude', id) };
      assert.equal(await problemsOf(files), []);
    } else {
      assert.match(file, /^\.git/, 'only files of other systems are not compiled');
      assert.equal(parseDocument(block.text).errors, []);
      const lines = [...block.text.matchAll(/^ *- (?:run: )?((?:npm|npx|prs) .*)$/gm)].map(([, line]) => line!);
      assert.ok(lines.length > 0, 'it runs nothing');
      assert.equal(lines.flatMap(line => wrongCommand(line) ?? []), []);
    }
  });
}

// `test/cli/build-tools` runs examples that are complete files.
for (const block of of('js').filter(({ text }) => !/^\/\/ \S+\.mjs\b/.test(text))) {
  tests(`${titleOf(block)} runs`, () => {
    const library = pathToFileURL(join(root, 'dist/index.js')).href;
    const text = block.text.replace("from 'instr'", `from '${library}'`);
    assert.is.not(text, block.text, 'it does not import the library');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      encoding: 'utf8',
    });
    assert.is(status, 0, stderr);
    assert.match(stdout, /You work on a shop\./);
  });
}

for (const document of documents) {
  tests(`${document} names only existing commands`, () => {
    const lines = [...withoutFences(read(document)).matchAll(/`((?:prs|npm run|npx) [^`]+)`/g)].map(([, line]) => line!);
    assert.equal(lines.flatMap(line => commandLines(line).flatMap(part => wrongCommand(part) ?? [])), []);
  });

  tests(`${document} has only valid links`, () => {
    const broken = linksOf(read(document)).filter(link => !leadsSomewhere(document, link));
    assert.equal(broken, []);
  });
}

const withoutFences = (text: string) => text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '');

/** Link targets, except URLs and code. */
function linksOf(text: string): string[] {
  const plain = withoutFences(text).replace(/`[^`\n]*`/g, 'code');
  return [...plain.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!).filter(link => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string | undefined];
  const target = path === '' ? document : posix.join(dirname(document), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).has(anchor);
}

/** Heading anchors as repository hosts generate them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutFences(text).matchAll(/^#{1,6} +(.*)$/gm)) {
    const slug = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

tests('the architecture map is short and names only existing folders', () => {
  const text = read('ARCHITECTURE.md');
  const lines = text.split('\n').length;
  assert.ok(lines < 250, `${lines} lines`);
  const named = [...text.matchAll(/`((?:src\/[\w-]+|[\w-]+)\/)`/g)].map(([, folder]) => folder!);
  assert.ok(named.length > 20, `${named.length} folders`);
  const made = ['src/generated/'];
  // The rows about tests, use cases and conventions name folders inside them.
  const missing = named.filter(folder => !made.includes(folder) && !['', 'test', 'src/project', 'conventions'].some(at => isFolder(join(root, at, folder))));
  assert.equal(missing, []);
});

tests('every folder of src is on the map', () => {
  const text = read('ARCHITECTURE.md');
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory());
  assert.equal(folders.map(({ name }) => name).filter(name => !text.includes(`\`src/${name}/\``)), []);
});

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

tests.run();
