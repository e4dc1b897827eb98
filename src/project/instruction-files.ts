import { join } from 'node:path';
import picomatch from 'picomatch';
import type { TargetSpec } from '../generated/types/target.ts';
import { recognise } from '../import/recognise.ts';
import { manifestPath, readManifest } from '../plan/manifest.ts';
import { decodeSource } from '../syntax/decode.ts';
import type { Context } from './context.ts';

/** Folders of other people's or made files; nothing in them is an instruction of this project. */
const skipped = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  'vendor',
  'dist',
  'build',
  'out',
  'target',
  '.venv',
  'venv',
  '__pycache__',
  '.next',
  'coverage',
  '.instr',
]);

const most = 100_000;

export interface InstructionFiles {
  readonly files: readonly string[];
  /** Links to files that are listed under their own name. */
  readonly links: readonly string[];
}

/**
 * Every file below the root that a tool reads as instructions, sorted; nested packages included. Ignored folders,
 * files that this compiler made, and second names of a file through links are left out. `only` narrows to globs.
 */
export function findInstructionFiles(
  root: string,
  specs: readonly TargetSpec[],
  context: Context,
  only: readonly string[] = [],
): InstructionFiles {
  const { disk } = context;
  const ignored = ignoredBy(root, context);
  const owned = ownedFiles(root, context);
  const wanted = only.length > 0 ? picomatch([...only], { dot: true }) : () => true;
  const found: { path: string; real: string; link: boolean }[] = [];
  let left = most;
  const search = (folder: string): void => {
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      if (left-- <= 0) return;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory') {
        if (!skipped.has(name) && !ignored(`${path}/`)) search(path);
        continue;
      }
      if (owned.has(path) || ignored(path) || !wanted(path) || !isInstruction(path, specs)) continue;
      const real = disk.realpath(join(root, path));
      if (real !== undefined && disk.stat(real)?.kind === 'file')
        found.push({ path, real, link: kind === 'link' });
    }
  };
  search('');
  // The file itself comes before links to it.
  const order = [...found].sort((a, b) => Number(a.link) - Number(b.link));
  const seen = new Set<string>();
  const files: string[] = [];
  const links: string[] = [];
  for (const { path, real } of order) {
    if (seen.has(real)) links.push(path);
    else files.push(path);
    seen.add(real);
  }
  return { files: files.sort(), links: links.sort() };
}

/** Endings of files that a tool could read; most files of a project are ruled out by this alone. */
const possible =
  /\.(?:md|mdc|markdown|mdx|txt|json|jsonc|toml|ya?ml|prompt|hook)$|(?:^|\/)\.[\w-]+$|(?:^|\/)[A-Z]+$/;

/** Settings files hold other things too; they are read, and count when something is found in them. */
function isInstruction(path: string, specs: readonly TargetSpec[]): boolean {
  if (!possible.test(path)) return false;
  const found = recognise(path, specs);
  return found !== undefined && found.file?.kind !== 'scripts';
}

function ownedFiles(root: string, { disk, report }: Context): ReadonlySet<string> {
  const bytes = disk.readBytes(join(root, manifestPath));
  const manifest = bytes && readManifest(decodeSource(manifestPath, bytes, report), report);
  return new Set(manifest?.files.keys());
}

/** The `.gitignore` of the root, as far as folders and names go; git itself need not be there. */
function ignoredBy(root: string, { disk }: Context): (path: string) => boolean {
  const bytes = disk.readBytes(join(root, '.gitignore'));
  if (!bytes) return () => false;
  const rules = new TextDecoder()
    .decode(bytes)
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const not = line.startsWith('!');
      const folder = line.endsWith('/');
      const bare = line.replace(/^!/, '').replace(/\/$/, '');
      const anchored = bare.includes('/');
      const glob = anchored ? bare.replace(/^\//, '') : `**/${bare}`;
      return { not, folder, matches: picomatch(glob, { dot: true }) };
    });
  return path => {
    const isFolder = path.endsWith('/');
    const plain = path.replace(/\/$/, '');
    let result = false;
    for (const { not, folder, matches } of rules) if ((!folder || isFolder) && matches(plain)) result = !not;
    return result;
  };
}
