import { sha256 } from '../../host/hash.ts';
import type { Compiled } from '../../project/compile.ts';
import type { SourceFile } from '../../project/write/write-sources.ts';
import { fewLines, fewNames } from '../../text/names.ts';
import { plural } from './files.ts';
import { table } from './table.ts';

/** A file that was created, or would be. */
export interface CreatedFile {
  readonly path: string;
  readonly state: 'new' | 'changed' | 'unchanged';
}

/** A created file in the format of the JSON file list; it has no targets. */
export function createdData({
  path,
  text,
  state,
  executable,
}: CreatedFile & Pick<SourceFile, 'text' | 'executable'>): object {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const mode = executable ? '0755' : '0644';
  return { path, targets: [], state, mode, bytes: bytes.length, sha256: sha256(bytes) };
}

/** The maximum number of lines of a tree; the rest is counted. */
const longest = 40;

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
}

/** New and changed files as a tree; a folder with a single entry shares its line. */
function fileTree(files: readonly CreatedFile[]): string {
  const root: Folder = { folders: new Map(), files: [] };
  for (const { path, state } of files) {
    if (state === 'unchanged') continue;
    const names = path.split('/');
    let folder = root;
    for (const name of names.slice(0, -1)) {
      const next = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push(names.at(-1)! + (state === 'changed' ? ' (changed)' : ''));
  }
  return fewLines(
    linesOf(root),
    longest,
    rest => `… and ${plural(rest, 'line')} more (--json lists all files)`,
  )
    .map(line => `  ${line}\n`)
    .join('');
}

function linesOf(folder: Folder): string[] {
  const entries = [
    ...[...folder.folders].map(([name, below]) => [name, linesOf(below)] as const),
    ...folder.files.map(name => [name, []] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.flatMap(([name, below], at) => {
    const isLast = at === entries.length - 1;
    const [single] = below;
    const top = below.filter(line => !/^[│ ] /.test(line));
    if (top.length === 1 && single !== undefined)
      return [
        `${isLast ? '└' : '├'} ${name}/${single.slice(2)}`,
        ...below.slice(1).map(line => `${isLast ? ' ' : '│'} ${line.slice(2)}`),
      ];
    return [
      `${isLast ? '└' : '├'} ${name}${below.length > 0 ? '/' : ''}`,
      ...below.map(line => `${isLast ? ' ' : '│'} ${line}`),
    ];
  });
}

/** The created files, and the files of each tool in the plan of the next compile. */
export function createdFilesText(
  files: readonly CreatedFile[],
  dryRun: boolean,
  planned: Pick<Compiled, 'entries' | 'targets'> | undefined,
): string {
  const made = files.some(({ state }) => state !== 'unchanged')
    ? `${dryRun ? 'Would make' : 'Made'}:\n${fileTree(files)}`
    : '';
  return made + (planned ? toolFiles(planned) : '');
}

function toolFiles({ entries, targets }: Pick<Compiled, 'entries' | 'targets'>): string {
  const present = entries.filter(({ state }) => state !== 'removed');
  const rows = targets.map(id => {
    const paths = present.filter(entry => entry.targets.includes(id)).map(({ path }) => path);
    return [`  ${id}`, fewNames(paths) || 'no file'];
  });
  return rows.length > 0 ? `Each tool gets from \`prs compile\`:\n${table(rows, 80)}` : '';
}
