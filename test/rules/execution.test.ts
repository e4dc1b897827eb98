/** All places where the program starts a process or loads external code, with the reason. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** Patterns for code that starts a process, imports a computed module name, or evaluates text. */
const signs: Readonly<Record<string, RegExp>> = {
  process: /'(?:node:)?(?:child_process|cluster|worker_threads)'|\bprocess\.(?:dlopen|binding)\b|'simple-git'/,
  module: /\bimport\((?!\s*'[^'$]+',?\s*\))|(?<![\w.])require\((?!\s*'[^'$]+'\s*\))|\bcreateRequire\b|'(?:node:)?(?:vm|module|wasi)'/,
  code: /(?<![\w.])eval\(|\bnew Function\b|(?<![\w.])Function\(|\brunIn\w*Context\b|\bcompileFunction\b|(?<!typeof )import\('handlebars'\)/,
};

/** The reason for each place. See SECURITY.md. */
const allowed: Readonly<Record<string, string>> = {
  'cli/report/pager.ts process': 'the pager that the environment names, by an absolute path',
  'host/compile-cache.ts module': 'the cache of compiled code that Node has itself',
  'host/git.ts process': 'Git in a working copy: guarded configuration, no server, an absolute path',
  'host/repository.ts process': 'Git for registries: constant configuration, one protocol, an absolute path',
  'spec/templates.ts code': 'templates of targets: Handlebars with known helpers only and own properties only',
};

/** Generated validators contain module names in strings that are never loaded. */
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
  .map(entry => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter(file => !file.startsWith('generated/'));

const tests = suite('execution');

tests('processes are started and code is loaded only in known places', () => {
  const found = files.flatMap(file => {
    const text = readFileSync(join(source, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return Object.entries(signs).flatMap(([kind, sign]) => (sign.test(text) ? [`${file} ${kind}`] : []));
  });
  assert.equal(found.sort(), Object.keys(allowed).sort());
});

tests('the patterns match', () => {
  for (const [kind, text] of [
    ['process', "import { spawn } from 'node:child_process';"],
    ['module', 'await import(path)'],
    ['module', 'await import(`./${name}.js`)'],
    ['module', 'require(name)'],
    ['code', 'new Function(text)'],
    ['code', 'eval(text)'],
  ] as const)
    assert.match(text, signs[kind]!);
  assert.not.match("await import('yaml')", signs.module!);
});

tests.run();
