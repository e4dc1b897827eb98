/** src/generated/grammar.ts: the nearley grammar of src/syntax/grammar.ne, compiled. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const source = join(root, 'src/syntax/grammar.ne');
  const require = createRequire(import.meta.url);
  const nearley = require('nearley');
  const compile = require('nearley/lib/compile');
  const render = require('nearley/lib/generate');
  const bootstrapped = require('nearley/lib/nearley-language-bootstrapped');
  const parser = new nearley.Parser(nearley.Grammar.fromCompiled(bootstrapped));
  parser.feed(readFileSync(source, 'utf8'));
  const compiled = compile(parser.results[0], { file: source });
  const text: string = render(compiled, 'grammar');
  return [{ path: 'src/generated/grammar.ts', text: `// @ts-nocheck\n${text}` }];
}
