/** No code and no schema knows a tool: ids, labels and file names of tools stand in targets/ alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { readSpecs } from '../../scripts/specs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Words that are tools' names and something else as well, in the form in which the other meaning is written. */
const exempt: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\bcontinueOnFailure\b/g, 'field of hooks'],
  [/(?<!['"`])\bcontinue\b(?!['"`])/g, 'keyword of the language, and an English verb'],
  [/\b(?:api\.)?github\.com\b/gi, 'host of repositories'],
  [/\bGITHUB_(?:ACTIONS|WORKSPACE)\b/g, 'environment of a CI service'],
  [/\brenderGithub\b|render-github|'github'|\bgithub \(annotations\)|`github`|\bGitHub\b/g, 'form of annotations of a CI service'],
  [/\bgh[pousr]_|github_pat/gi, 'prefix of secrets'],
  [/\.agents\b/g, 'the universal directory is a word of the configuration'],
  [/\bSKILL\.md\b/g, 'file of the source language'],
];


/** Other names of tools that are words of the domain as well. */
const exemptAliases = new Set(['agent-skills', 'universal', 'forge']);

interface Spec {
  readonly id: string;
  readonly label?: string;
  readonly open?: true;
  readonly aliases?: readonly string[];
  readonly files: Readonly<Record<string, { readonly path: string; readonly dir?: string }>>;
}

const specs: readonly Spec[] = readSpecs(root);

const partsOf = (spec: Spec) => Object.values(spec.files).flatMap(({ dir, path }) => `${dir ?? ''}/${path}`.split('/'));

/** Names of files and folders that belong to no single tool: those of the open formats, and shared ones. */
const common = new Set([...specs.filter(({ open }) => open).flatMap(partsOf), '.vscode', '.github', 'README.md', '{name}.md']);

/** Parts of paths that name a tool: dotted folders, and files in capitals. */
const pathWords = new Set(
  specs
    .flatMap(partsOf)
    .filter(part => /^\.[a-z]|^[A-Z]{4,}[\w.]*\.md$/.test(part) && !part.includes('{') && !common.has(part)),
);

const escapePattern = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A word with no letter or digit beside it, in any letter case: `cursorRules` and `CURSOR_DIR` hide one too. */
const wordPattern = (words: Iterable<string>) =>
  new RegExp(`(?<![a-z0-9.])(?:${[...words].map(escapePattern).join('|')})(?![a-z0-9])`, 'i');

/** Behind a quote, a slash or a blank: elsewhere a dot and a word are a property. */
const pathPattern = new RegExp(`(?<![^\\s'"\`/([])(?:${[...pathWords].map(escapePattern).join('|')})(?![A-Za-z0-9])`);

/** Collections of the language, whose names no form of writing tells from a tool of the same name. */
const collections = new Set(
  (parse(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as { collections: { name: string }[] }).collections.map(({ name }) => name),
);

/** Two letters are part of many words: such a name counts only where it is a text of its own. */
const isWord = (id: string) => id.length > 2;
const ids = specs.map(({ id }) => id).filter(id => !collections.has(id));
const wholeTexts = new RegExp(`(?<=['"\`])(?:${ids.filter(id => !isWord(id)).map(escapePattern).join('|') || '(?!)'})(?=['"\`])`);
const labels = specs.flatMap(({ label }) => label ?? []);
const aliases = specs.flatMap(({ aliases: names = [] }) => names).filter(name => !exemptAliases.has(name));
const words = wordPattern([...ids.filter(isWord), ...labels, ...aliases]);

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(path => !path.startsWith('src/generated/'));
}

/** A comment may give an example; lines stay where they are. */
const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, comment => comment.replace(/[^\n]/g, ' '));

/** Places in a text where one of the words stands. `fooBar` and `FOO_BAR` are taken apart first. */
function mentions(text: string): string[] {
  let rest = text;
  for (const [pattern] of exempt) rest = rest.replace(pattern, match => ' '.repeat(match.length));
  const apart = rest.replace(/([a-z])([A-Z])/g, '$1 $2');
  const found: string[] = [];
  for (const [line, content] of apart.split('\n').entries()) {
    const match = words.exec(content) ?? wholeTexts.exec(content) ?? pathPattern.exec(content);
    if (match) found.push(`${line + 1}: ${match[0]}`);
  }
  return found;
}

const tests = suite('targets in code');

tests('there are specs to take the words from', () => {
  assert.ok(ids.length >= 10, `${ids.length} specs`);
  assert.ok(pathWords.size >= 10, [...pathWords].join(' '));
});

tests('a disguised name would be found', () => {
  const [id] = ids;
  const name = id!.replace(/-.*/, '');
  assert.equal(mentions(`const x = '${id}';`).length, 1);
  assert.equal(mentions(`if (${name}Rules) {}`).length, ids.includes(name) ? 1 : 0);
  assert.equal(mentions(`'${labels[0]}'`).length, 1);
  assert.equal(mentions('the universal directory `.agents`'), []);
});

tests('src knows no target', () => {
  const found = filesBelow('src', '.ts').flatMap(file =>
    mentions(withoutComments(readFileSync(join(root, file), 'utf8'))).map(place => `${file}:${place}`),
  );
  assert.equal(found, []);
});

tests('schema knows no target', () => {
  const found = filesBelow('schema', '').flatMap(file =>
    mentions(readFileSync(join(root, file), 'utf8')).map(place => `${file}:${place}`),
  );
  assert.equal(found, []);
});

tests.run();
