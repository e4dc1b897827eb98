/** The library works in a web page: bundled without plug-ins or replacements, it gives the same results as in Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filesBelow } from '../../scripts/files.ts';
import { compile, parse, print, validate } from '../../src/index.ts';
import { root } from '../support/compile.ts';

/** The globals of every page, without those of Node. */
const page = { TextDecoder, TextEncoder, URL, Uint8Array, clearTimeout, console, queueMicrotask, setTimeout };
const folder = join(root, 'test/projects/kitchen-sink');
const files = Object.fromEntries(filesBelow(folder).map(path => [path, readFileSync(join(folder, path), 'utf8')]));

const tests = suite('library in a page');

const bundle = () =>
  build({
    stdin: { contents: "export * from 'instr';", resolveDir: root },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'library',
    logLevel: 'silent',
  });

tests('compiles, validates, parses and prints as in Node', async () => {
  const { outputFiles, warnings } = await bundle();
  assert.equal(warnings.map(({ text }) => text), []);
  const context = createContext({ ...page });
  const library = runInContext(`${outputFiles[0]!.text}; library`, context) as typeof import('../../src/index.ts');
  const input = { files, environment: {} };
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  const [there, here] = [await library.compile(input), await compile(input)];
  assert.ok(here.files.length > 20);
  assert.equal(plain(there), plain(here));
  assert.equal(plain(await library.validate(input)), plain(await validate(input)));
  const text = '@identity {\n  """\n  Be brief.\n  """\n}\n';
  assert.equal(print(library.parse(text).document), print(parse(text).document));
});

tests.run();
