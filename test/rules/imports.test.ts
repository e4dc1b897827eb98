/** Imports follow the data flow: a module imports only from earlier stages. See ARCHITECTURE.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Maps each folder of src/ to the folders it may import from, in addition to itself and `generated`. */
const edges: Readonly<Record<string, readonly string[]>> = {
  text: [],
  syntax: ['text'],
  resolve: ['text', 'syntax'],
  check: ['text', 'syntax', 'resolve'],
  model: ['text', 'resolve'],
  spec: ['text', 'resolve', 'model'],
  // Contains both directions of a kind of file. The engines for both are listed above.
  kinds: ['text', 'syntax', 'resolve', 'model', 'spec'],
  emit: ['text', 'model', 'spec', 'resolve', 'kinds'],
  plan: ['text', 'kinds'],
  host: ['text'],
  registry: ['text', 'host'],
  migrate: ['text', 'syntax', 'resolve', 'model', 'spec', 'kinds'],
  // Generated code imports types from these folders.
  generated: ['text', 'syntax', 'spec', 'cli'],
};

/** Folders that compose everything. Only the command line is above the use cases. */
const composing: Readonly<Record<string, readonly string[]>> = {
  project: Object.keys(edges),
  lsp: ['text', 'syntax', 'resolve', 'model', 'spec', 'kinds', 'plan', 'host', 'registry', 'project'],
  cli: ['text', 'check', 'spec', 'emit', 'plan', 'host', 'project', 'lsp'],
};

/** Folders of pure functions: they use no disk, network, process or clock. */
const pure = ['text', 'syntax', 'resolve', 'check', 'model', 'spec', 'kinds', 'emit', 'plan'];

interface Import {
  readonly file: string;
  readonly folder: string;
  readonly target: string;
}

const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
  .map(entry => relative(join(root, 'src'), join(entry.parentPath, entry.name)).split(sep).join('/'));

const imports: Import[] = files.flatMap(file => {
  const text = readFileSync(join(root, 'src', file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g);
  return [...found].map(match => ({ file, folder: file.split('/')[0]!, target: match[1]! }));
});

const tests = suite('imports');

tests('every folder of src is in the table', () => {
  const folders = new Set(files.filter(file => file.includes('/')).map(file => file.split('/')[0]!));
  const known = new Set([...Object.keys(edges), ...Object.keys(composing)]);
  assert.equal([...folders].filter(folder => !known.has(folder)), []);
});

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|(['"`])(?:\\.|(?!\1)[^\\])*\1/gm, '');

tests('imports are found', () => {
  assert.ok(imports.length > 100, `${imports.length} imports`);
});

tests('imports follow the table', () => {
  const allowed = { ...edges, ...composing };
  const wrong = imports.flatMap(({ file, folder, target }) => {
    if (!target.startsWith('.') || !file.includes('/')) return [];
    const other = posix.join(posix.dirname(file), target).split('/')[0]!;
    if (other === folder || other === 'generated' || allowed[folder]!.includes(other)) return [];
    return [`${file} imports ${target}`];
  });
  assert.equal(wrong, []);
});

tests('imports include the file extension', () => {
  const wrong = imports.filter(({ target }) => target.startsWith('.') && !target.endsWith('.ts'));
  assert.equal(wrong.map(({ file, target }) => `${file} imports ${target}`), []);
});

tests('pure modules use no disk, network or process', () => {
  const wrong = imports.filter(({ folder, target }) => pure.includes(folder) && target.startsWith('node:'));
  assert.equal(wrong.map(({ file, target }) => `${file} imports ${target}`), []);
});

tests('pure modules use no Node API', () => {
  const wrong = files.filter(
    file => pure.includes(file.split('/')[0]!) && /\b(?:Buffer|process|__dirname)\s*[.[(]|\brequire\(/.test(withoutComments(readFileSync(join(root, 'src', file), 'utf8'))),
  );
  assert.equal(wrong, []);
});

tests('only the host, and modules that start processes for the user, use the disk', () => {
  const wrong = imports.filter(
    ({ folder, target }) => ['node:fs', 'node:fs/promises', 'node:child_process', 'node:net'].includes(target) && !['host', 'registry'].includes(folder),
  );
  // The pager runs on the user's terminal and gets its text through a file descriptor, so it needs no abstraction of
  // the disk. The record of an unchanged run is read before other modules are loaded.
  assert.equal(wrong.map(({ file }) => file).sort(), ['cli/report/pager.ts', 'cli/streams.ts', 'cli/unchanged.ts']);
});

tests('one module writes to the terminal, and another one prompts there', () => {
  const direct = /\bprocess\.(?:stdout|stderr)\.write\b|\bconsole\.(?:log|error|warn|info)\(|\bwriteSync\([12]\b|\bstdio: 'inherit'/;
  // Protocol servers write to another program.
  const printing = files.filter(file => !/^(?:lsp\/|cli\/mcp\.ts)/.test(file));
  const wrong = printing.filter(file => direct.test(withoutComments(readFileSync(join(root, 'src', file), 'utf8'))));
  assert.equal(wrong, []);
  assert.equal(imports.filter(({ target }) => target === '@clack/prompts').map(({ file }) => file), ['cli/ask.ts']);
});

tests('there are no import cycles, neither of types nor of dynamic imports', () => {
  const needs = new Map(
    files.map(file => {
      const text = readFileSync(join(root, 'src', file), 'utf8');
      const found = [...text.matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm)];
      return [file, found.map(match => posix.join(posix.dirname(file), (match[1] ?? match[2])!))] as const;
    }),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    for (const other of needs.get(file) ?? []) visit(other, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  assert.equal(circles, []);
});

tests.run();
