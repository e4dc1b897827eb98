/** src/generated/grammar.ts: the nearley grammar of src/syntax/grammar.ne, compiled. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const source = join(root, 'src/syntax/grammar.ne');
  if (!existsSync(source)) return [];
  const require = createRequire(import.meta.url);
  const nearley = require('nearley');
  const compile = require('nearley/lib/compile');
  const render = require('nearley/lib/generate');
  const bootstrapped = require('nearley/lib/nearley-language-bootstrapped');
  const parser = new nearley.Parser(nearley.Grammar.fromCompiled(bootstrapped));
  parser.feed(readFileSync(source, 'utf8'));
  const compiled = compile(parser.results[0], { file: source });
  const text: string = render(compiled, 'grammar');
  return [{ path: 'src/generated/grammar.ts', text: `// @ts-nocheck\n${asFunction(text)}` }];
}

/** The rules are made when something asks for them: what parses by the table of the grammar seldom does. */
function asFunction(text: string): string {
  const end = text.lastIndexOf('\nexport default ');
  const [start] = /^(?:.*\n)*?import .*\n/.exec(text) ?? [];
  if (start === undefined || end === -1) throw new Error('nearley writes grammars otherwise');
  const result = text.slice(end).replace('export default', 'return').trim();
  return `${start}export default () => {${text.slice(start.length, end)}\n${result}\n};\n`;
}
