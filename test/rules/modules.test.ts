/**
 * What a cold start loads. Every package and every folder of src costs milliseconds on every run, so what a command
 * loads is a decision that stands here; a new import has to be put here on purpose, or made lazy.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build } from '../../scripts/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tells of every module, script and part of Node that is loaded, on a channel of its own. */
const listener = `
const { Module, register } = require('node:module');
const { writeSync } = require('node:fs');
const vm = require('node:vm');
const tell = name => writeSync(3, name + '\\n');
const { _load } = Module;
Module._load = function (request, parent, isMain) {
  tell(isMain ? request : Module.isBuiltin(request) ? request : Module._resolveFilename(request, parent, isMain));
  return _load.apply(this, arguments);
};
const { Script } = vm;
vm.Script = class extends Script {
  constructor(text, options) {
    tell(options.filename);
    super(text, options);
  }
};
register('data:text/javascript,' + encodeURIComponent(\`
import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  writeSync(3, found.url + '\\\\n');
  return found;
}
\`));
`;

interface Loaded {
  /** Outputs of the build. */
  readonly chunks: readonly string[];
  readonly packages: readonly string[];
  readonly folders: readonly string[];
  /** Modules of kinds of files that read, or check a spec. */
  readonly reading: readonly string[];
  readonly builtins: readonly string[];
  readonly bytes: number;
}

const metafile = await build();

function load(args: readonly string[], cwd: string): Loaded {
    const { status, output, stderr } = spawnSync(process.execPath, ['--require', join(folder, 'listener.cjs'), program, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, CI: '', NODE_COMPILE_CACHE: '' },
  });
  assert.is(status, 0, stderr);
  const names = output[3]!.trim().split('\n');
  const paths = names.map(name => (name.startsWith('file:') ? fileURLToPath(name) : name)).filter(isAbsolute);
  const chunks = [...new Set(paths)].map(path => relative(root, path));
  const inputs = new Set(
    chunks.flatMap(chunk => {
      const found = metafile.outputs[chunk];
      assert.ok(found, `${chunk} was built`);
      return Object.entries(found.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
    }),
  );
  const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
  return {
    chunks: sorted(chunks.map(chunk => chunk.replaceAll('\\', '/'))),
    packages: sorted([...inputs].flatMap(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
    folders: sorted([...inputs].flatMap(path => /^src\/([^/]+)\//.exec(path)?.[1] ?? [])),
    reading: sorted([...inputs].filter(path => /^src\/kinds\/(?:.*\/)?(?:read|lint)(?:\.ts$|\/)/.test(path))),
    builtins: sorted(names.filter(name => name.startsWith('node:'))),
    bytes: chunks.reduce((sum, chunk) => sum + metafile.outputs[chunk]!.bytes, 0),
  };
}

const program = join(root, 'dist/prs.cjs');
const folder = mkdtempSync(join(tmpdir(), 'prs-modules-'));
cpSync(join(root, 'test/projects/minimal'), folder, { recursive: true });
writeFileSync(join(folder, 'listener.cjs'), listener);

const tests = suite('modules');

tests('--version loads the entry alone', () => {
  const { packages, folders, builtins, bytes } = load(['--version'], folder);
  assert.equal(packages, []);
  // It also has what answers an unchanged compile.
  assert.equal(folders, ['cli', 'host']);
  // Node has both loaded itself by then.
  assert.equal(builtins, ['node:fs', 'node:path']);
  assert.ok(bytes < 10_400, `${bytes} bytes`);
});

tests('--help loads prepared text', () => {
  for (const args of [['--help'], ['compile', '--help']]) {
    const { packages, folders } = load(args, folder);
    assert.equal(packages, []);
    assert.equal(folders, ['cli', 'host']);
  }
});

/** A further chunk wakes Node's loader of modules, which takes longer than to compile a small project. */
const hot = ['dist/chunks/core.cjs', 'dist/prs.cjs'];

const compiling = {
  packages: ['clipanion', 'fastest-levenshtein', 'jsonc-parser', 'nearley'],
  folders: [
    'check',
    'cli',
    'config',
    'diagnostics',
    'emit',
    'generated',
    'host',
    'kinds',
    'load',
    'model',
    'plan',
    'policy',
    'project',
    'resolve',
    'session',
    'spec',
    'syntax',
    'text',
  ],
};

tests('compile loads neither registries nor what other commands need', () => {
  // Git is asked nothing about a clone in which it was not told to merge by compiling.
  mkdirSync(join(folder, '.git'));
  const { chunks, packages, folders, reading, builtins } = load(['compile'], folder);
  assert.equal(chunks, hot);
  assert.ok(existsSync(join(folder, '.instr/manifest.json')), 'new files were written');
  assert.not(builtins.includes('node:child_process'), 'a process was started');
  assert.equal(reading, []);
  assert.equal(packages, compiling.packages);
  assert.equal(folders, compiling.folders);
});

function withConfig(settings: string, body: (folder: string) => void): void {
  const other = mkdtempSync(join(tmpdir(), 'prs-modules-'));
  try {
    cpSync(join(root, 'test/projects/minimal'), other, { recursive: true });
    writeFileSync(join(other, 'listener.cjs'), listener);
    writeFileSync(join(other, 'instr.yaml'), `id: other\nsyntax: "1.0.0"\n${settings}\n`);
    body(other);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
}

tests('what edits TOML is a script, too', () => {
  withConfig('targets: [codex]', other => {
    writeFileSync(
      join(other, '.instr/project.prs'),
      '@meta { id: "toml" syntax: "1.4.0" }\n@mcpServers { files: { command: "npx" } }\n',
    );
    const { chunks, packages } = load(['compile'], other);
    assert.ok(existsSync(join(other, '.codex/config.toml')));
    assert.equal(chunks, ['dist/chunks/core.cjs', 'dist/chunks/shared-toml.cjs', 'dist/prs.cjs']);
    assert.ok(packages.includes('smol-toml'));
  });
});

tests('the parser of YAML is a script that a file loads which is not plain', () => {
  withConfig('targets:\n  - &one claude', other => {
    const { chunks, packages } = load(['validate'], other);
    assert.equal(chunks, ['dist/chunks/core.cjs', 'dist/chunks/yaml.cjs', 'dist/prs.cjs']);
    assert.ok(packages.includes('yaml'));
  });
});

tests('validate loads what compile loads', () => {
  const { chunks, packages, folders, builtins } = load(['validate'], folder);
  assert.equal(chunks, hot);
  assert.equal(packages, compiling.packages);
  assert.equal(folders, compiling.folders);
  // Each brings all of Node's streams along.
  for (const heavy of ['node:v8', 'node:tty', 'node:stream', 'node:net']) assert.not(builtins.includes(heavy), heavy);
});

tests.after(() => rmSync(folder, { recursive: true, force: true }));
tests.run();
