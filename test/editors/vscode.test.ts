/** The VS Code extension is consistent with the language and with itself. `npm run package:vscode` packages it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { textMateGrammar } from '../../scripts/editors/grammar.ts';
import { commands } from '../../src/lsp/lenses.ts';
import { remoteScheme } from '../../src/lsp/protocol.ts';
import { blockNames } from '../../src/resolve/catalogue.ts';
import { root } from '../support/compile.ts';
import { grammarTester, needing } from '../support/machine.ts';

const folder = join(root, 'editors/vscode');
const markdown = 'node_modules/tm-grammars/grammars/markdown.json';
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const client = readdirSync(join(folder, 'src')).map(name => read(`src/${name}`)).join('\n');

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languages: readonly { readonly configuration: string }[];
    readonly grammars: readonly { readonly scopeName: string }[];
  };
}
const { contributes } = JSON.parse(read('package.json')) as Manifest;

interface Rule {
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly while?: string;
  readonly include?: string;
  readonly patterns?: readonly Rule[];
}
const grammar = textMateGrammar(root) as { scopeName: string; patterns: Rule[]; repository: Record<string, Rule> };
const within = (rule: Rule): Rule[] => [rule, ...(rule.patterns ?? []).flatMap(within)];
const all = Object.values(grammar.repository).flatMap(within);

const tests = suite('extension for VS Code');

tests('the grammar lists exactly the blocks of the language', () => {
  const [known] = grammar.repository.block!.patterns!;
  const pattern = new RegExp(known!.match!, 'u');
  for (const name of blockNames) assert.is(pattern.exec(`@${name} {`)?.[0], `@${name}`);
  for (const other of ['@mine {', '@skillsets {', '@meta-data {']) assert.is(pattern.exec(other), null);
});

tests('all patterns are valid, and all included rules exist', () => {
  assert.is(grammar.scopeName, contributes.grammars[0]!.scopeName);
  for (const { match, begin, end, while: goesOn, include } of all) {
    for (const pattern of [match, begin, end, goesOn]) if (pattern !== undefined) new RegExp(pattern.replaceAll('\\G', ''), 'u');
    if (include?.startsWith('#')) assert.ok(grammar.repository[include.slice(1)], include);
  }
});

tests('every command is registered, except those of the server', () => {
  const names = client.matchAll(/registerCommand\('instr\.(\w+)'|^ {4}(\w+): (?:async )?\(\) =>/gm);
  const registered = [...names].map(match => `instr.${match[1] ?? match[2]}`);
  assert.equal(registered.sort(), contributes.commands.map(({ command }) => command).sort());
  for (const own of Object.values(commands)) assert.not.ok(registered.includes(own), own);
  assert.match(client, new RegExp(`'${remoteScheme}'`));
  const { wordPattern } = JSON.parse(read(contributes.languages[0]!.configuration));
  assert.equal('  @guards größe'.match(new RegExp(wordPattern.pattern, `${wordPattern.flags}g`)), ['@guards', 'größe']);
});

needing(tests, 'packages of the extension')('tokens have the scopes given in the examples', () => {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'dist/prs.tmLanguage.json'), JSON.stringify(grammar));
  const { status, stdout } = spawnSync(process.execPath, [grammarTester, '-g', 'dist/prs.tmLanguage.json', '-g', markdown, 'test/blocks.prs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(status, 0, stdout);
});

tests.run();
