/** Reads the documents of the repository and their code blocks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Every document: those at the root, and README files of folders. */
export const documents = ['.', ...readdirSync(root, { withFileTypes: true }).flatMap(folderName)].flatMap(folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => posix.join(folder, name)),
);

function folderName(entry: { name: string; isDirectory(): boolean }): string[] {
  const others = ['node_modules', 'dist', 'coverage', 'docs-site', 'test', 'src'];
  return entry.isDirectory() && !entry.name.startsWith('.') && !others.includes(entry.name) ? [entry.name] : [];
}

export interface Block {
  readonly document: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /**
   * The file that the block shows, if its first line is a path. `added`: the block is appended to the existing file.
   */
  readonly file?: { readonly path: string; readonly added: boolean };
}

export const blocksOf = (document: string): Block[] => {
  const text = read(document);
  return [...text.matchAll(/^(`{3,})(\S*)[^\n]*\n([\s\S]*?)^\1$/gm)].map(match => {
    const label = /^(?:#|<!--) (added to )?([\w./@-]*\.[a-z]+|\.[\w.-]+)(?: -->)?\n/.exec(match[3]!);
    return {
      document,
      line: text.slice(0, match.index).split('\n').length,
      language: match[2] || 'text',
      // In Markdown the label would be part of the file.
      text: label && match[2] === 'md' ? match[3]!.slice(label[0].length) : match[3]!,
      ...(label && match[2] !== 'sh' && match[2] !== 'text' && { file: { path: label[2]!, added: label[1] !== undefined } }),
    };
  });
};

export const blocks: readonly Block[] = documents.flatMap(blocksOf);

export const titleOf = ({ document, line }: Block) => `${document}:${line}`;

/**
 * The parts of a document that a reader follows from top to bottom: each chapter of the README separately, other
 * documents as a whole.
 */
export function sessionsOf(document: string): Block[][] {
  const sessions = new Map<number, Block[]>();
  const chapters = [...read(document).matchAll(/^## .*$/gm)].map(({ index }) => read(document).slice(0, index).split('\n').length);
  for (const block of blocksOf(document)) {
    const chapter = ['README.md', 'GUIDE.md'].includes(document) ? chapters.filter(line => line < block.line).length : 0;
    sessions.set(chapter, [...(sessions.get(chapter) ?? []), block]);
  }
  return [...sessions.values()].filter(session => session.some(({ language }) => language === 'sh'));
}

/** Files that a reader writes before a command of the same session. The command shows whether they are valid. */
export const usedFiles: ReadonlySet<string> = new Set(
  documents.flatMap(sessionsOf).flatMap(session => {
    const last = session.findLastIndex(({ language }) => language === 'sh');
    return session.slice(0, last).flatMap(block => (block.file ? [titleOf(block)] : []));
  }),
);
