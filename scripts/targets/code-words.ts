/** Code and schemas must not name a tool. Finds ids, labels, aliases and file names of tools in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { filesBelow } from '../files.ts';
import { root } from '../generate.ts';

/** Words that name a tool and also have another meaning. The patterns match the forms with the other meaning. */
const exempt: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\bcontinueOnFailure\b/g, 'field of hooks'],
  [/(?<!['"`])\bcontinue\b(?!['"`])/g, 'keyword of the language, and an English verb'],
  [/\b(?:api\.)?github\.com\b/gi, 'host of repositories'],
  [/\bGITHUB_(?:ACTIONS|WORKSPACE)\b/g, 'environment of a CI service'],
  [
    /\brenderGithub\b|render-github|'github'|\bgithub \(annotations\)|`github`|\bGitHub\b/g,
    'form of annotations of a CI service',
  ],
  [/\bgh[pousr]_|github_pat/gi, 'prefix of secrets'],
  [/\.agents\b/g, 'the universal directory is a word of the configuration'],
  [/\bSKILL\.md\b/g, 'file of the source language'],
];

/** Aliases of tools that are also words of the domain. */
const exemptAliases = new Set(['agent-skills', 'universal', 'forge']);

/** The parts of a spec that name its tool. */
export interface Named {
  readonly id: string;
  readonly label?: string;
  readonly open?: true;
  readonly aliases?: readonly string[];
  readonly files: Readonly<Record<string, { readonly path: string; readonly dir?: string }>>;
}

const partsOf = (spec: Named) =>
  Object.values(spec.files).flatMap(({ dir, path }) => `${dir ?? ''}/${path}`.split('/'));

const escapePattern = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches a word between non-alphanumeric characters, ignoring case: `CURSOR_DIR` contains one too. */
const wordPattern = (words: Iterable<string>) =>
  new RegExp(`(?<![a-z0-9.])(?:${anyOf(words)})(?![a-z0-9])`, 'i');

/** Collections of the language. A tool of the same name is spelled the same way, so these ids are not searched. */
const collections = new Set(
  (
    parse(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as { collections: { name: string }[] }
  ).collections.map(({ name }) => name),
);

/** Whether an id is searched as a word. Two-letter ids are part of many words; they only count as a complete string literal. */
const isWord = (id: string) => id.length > 2;

/** A place where code or a schema names a tool. */
export interface Mention {
  readonly file: string;
  readonly line: number;
  readonly word: string;
}

/** The words that name the tools of some specs. */
export interface ToolWords {
  readonly ids: readonly string[];
  readonly labels: readonly string[];
  /** Parts of paths that name a tool: dotted folders, and files in capitals. */
  readonly pathWords: readonly string[];
  /** Lines of a text that contain one of the words. `fooBar` and `FOO_BAR` are split first. */
  find(text: string): Omit<Mention, 'file'>[];
}

const anyOf = (words: Iterable<string>) => [...words].map(escapePattern).join('|') || '(?!)';

export function toolWords(specs: readonly Named[]): ToolWords {
  // File and folder names that belong to no single tool: those of open formats, and shared ones.
  const open = specs.filter(spec => spec.open).flatMap(partsOf);
  const common = new Set([...open, '.vscode', '.github', 'README.md', '{name}.md']);
  const pathWords = [...new Set(specs.flatMap(partsOf))].filter(
    part => /^\.[a-z]|^[A-Z]{4,}[\w.]*\.md$/.test(part) && !part.includes('{') && !common.has(part),
  );
  const ids = specs.map(({ id }) => id).filter(id => !collections.has(id));
  const labels = specs.flatMap(({ label }) => label ?? []);
  const aliases = specs.flatMap(spec => spec.aliases ?? []).filter(name => !exemptAliases.has(name));
  const patterns = [
    wordPattern([...ids.filter(isWord), ...labels, ...aliases]),
    new RegExp(`(?<=['"\`])(?:${anyOf(ids.filter(id => !isWord(id)))})(?=['"\`])`),
    // Only after a quote, slash, bracket or space: elsewhere a dot and a word are a property access.
    new RegExp(`(?<![^\\s'"\`/([])(?:${anyOf(pathWords)})(?![A-Za-z0-9])`),
  ];
  const find = (text: string) => {
    let rest = text;
    for (const [pattern] of exempt) rest = rest.replace(pattern, match => ' '.repeat(match.length));
    const separated = rest.replace(/([a-z])([A-Z])/g, '$1 $2');
    return separated.split('\n').flatMap((content, line) => {
      const match = patterns.map(pattern => pattern.exec(content)).find(Boolean);
      return match ? [{ line: line + 1, word: match[0] }] : [];
    });
  };
  return { ids, labels, pathWords, find };
}

/** Places where `src` or `schema` names a tool. Comments in `src` are ignored, because they may give an example. */
export function mentionsIn(folder: 'src' | 'schema', { find }: ToolWords): Mention[] {
  const isCode = (path: string) => path.endsWith('.ts') && !path.startsWith('generated/');
  const paths = filesBelow(join(root, folder)).filter(path => folder !== 'src' || isCode(path));
  return paths.flatMap(path => {
    const file = `${folder}/${path}`;
    const text = readFileSync(join(root, file), 'utf8');
    return find(folder === 'src' ? withoutPackages(withoutComments(text)) : text).map(found => ({
      file,
      ...found,
    }));
  });
}

/** Removes names of imported packages, which this repository does not choose. */
const withoutPackages = (text: string) => text.replace(/(\bfrom |\bimport\()'[^.'][^']*'/g, "$1''");

/** Blanks out comments. Line numbers do not change. */
const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, comment => comment.replace(/[^\n]/g, ' '));
