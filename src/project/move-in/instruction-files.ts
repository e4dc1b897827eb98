import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { recognise } from '../../import/recognise.ts';
import { manifestPath, readManifest } from '../../plan/manifest.ts';
import type { Compiling, WithDisk, WithReport } from '../../session/world.ts';
import { partOf } from '../../spec/part-of.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { compileGlobs } from '../../text/globs.ts';
import { apartFolder, isRepository } from '../keep/find-files.ts';
import { pathBelow } from '../open/root.ts';
import { ignoredPaths } from './ignored.ts';

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

/** Instruction files of a project, as paths relative to its root, sorted. */
export interface InstructionFiles {
  readonly files: readonly string[];
  /** Links to files that are listed under their own name. */
  readonly links: readonly string[];
  /** Servers, settings, commands, agents and skills that a folder has for itself: they are not the project's. */
  readonly inner: readonly string[];
}

/** What to look for. */
export interface Wanted {
  readonly specs: readonly TargetSpec[];
  readonly universalDir: string;
  /** Globs that narrow the files; none for all. */
  readonly only: readonly string[];
}

/**
 * Every file below the root that a tool reads as instructions, sorted; nested packages included. What version control
 * ignores, files that this compiler made, and second names of a file through links are left out. Private notes are
 * ignored by nature and stay in.
 */
export function findInstructionFiles(root: string, wanted: Wanted, context: Compiling): InstructionFiles {
  const { disk } = context;
  const owned = ownedFiles(root, context);
  const narrows = wanted.only.length > 0 ? compileGlobs(wanted.only) : () => true;
  const ignored = ignoredPaths(root, disk);
  const found: { path: string; link: boolean }[] = [];
  const inner: string[] = [];
  let left = most;
  // One level after the other, because asking about many folders at once costs as much as asking about one.
  for (let level = ['']; level.length > 0; ) {
    const folders: string[] = [];
    for (const folder of level) {
      const entries = disk.list(join(root, folder)) ?? [];
      if (folder !== '' && isRepository(entries) && !isNamed(folder, wanted.only)) continue;
      // What lies beside a skill, and below it, belongs to that skill.
      const skill = entries.find(({ name, kind }) => name === 'SKILL.md' && kind !== 'directory');
      for (const { name, kind } of folder !== '' && skill ? [skill] : entries) {
        if (left-- <= 0) break;
        const path = folder === '' ? name : `${folder}/${name}`;
        if (kind === 'directory') {
          if (!skipped.has(name) && !isApart(path, wanted.only)) folders.push(path);
        } else if (!owned.has(path) && narrows(path) && isInstruction(path, wanted)) {
          if (isInner(path, wanted)) inner.push(path);
          else found.push({ path, link: kind === 'link' });
        }
      }
    }
    const out = ignored(folders.map(path => `${path}/`));
    level = folders.filter(path => !out.has(`${path}/`));
  }
  const out = ignored([...found.map(({ path }) => path), ...inner]);
  const kept = found.filter(({ path }) => !out.has(path) || isPrivate(path, wanted));
  return { ...apart(kept, root, disk), inner: inner.filter(path => !out.has(path)).sort() };
}

/** Folders of tests, samples and texts for people are about other projects, unless a glob names them; tools' own are not. */
function isApart(path: string, only: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!apartFolder.test(name) || /(?:^|\/)\./.test(path)) return false;
  return !isNamed(path, only);
}

/** Whether a glob names a folder. */
const isNamed = (path: string, only: readonly string[]): boolean =>
  only.some(glob => glob.split('/').includes(path.slice(path.lastIndexOf('/') + 1)));

/** Files under their own names, and links to them; the file itself comes before links to it. */
function apart(
  found: readonly { readonly path: string; readonly link: boolean }[],
  root: string,
  disk: Disk,
): Pick<InstructionFiles, 'files' | 'links'> {
  const seen = new Set<string>();
  const files: string[] = [];
  const links: string[] = [];
  for (const { path } of [...found].sort((a, b) => Number(a.link) - Number(b.link))) {
    const real = disk.realpath(join(root, path));
    if (real === undefined || disk.stat(real)?.kind !== 'file') continue;
    // A link out of the project leads to somebody else's file.
    if (pathBelow(disk.realpath(root) ?? root, real) === undefined) continue;
    (seen.has(real) ? links : files).push(path);
    seen.add(real);
  }
  return { files: files.sort(), links: links.sort() };
}

/** Endings of files that a tool could read; most files of a project are ruled out by this alone. */
const possible =
  /\.(?:md|mdc|markdown|mdx|txt|json|jsonc|toml|ya?ml|prompt|hook)$|(?:^|\/)\.[\w-]+$|(?:^|\/)[A-Z]+$/;

/** Settings files hold other things too; they are read, and count when something is found in them. */
function isInstruction(path: string, { specs, universalDir }: Wanted): boolean {
  if (!possible.test(path)) return false;
  const found = recognise(path, specs, universalDir);
  return found !== undefined && found.file?.kind !== 'scripts';
}

/** In a folder below the root only main files and rules are instructions of this project, each for its folder. */
function isInner(path: string, { specs, universalDir }: Wanted): boolean {
  const found = recognise(path, specs, universalDir);
  if (found?.file === undefined || found.scope === '') return false;
  const part = partOf(found.file);
  return part !== 'instructions' && part !== 'guards' && part !== 'local';
}

function ownedFiles(root: string, { disk, report }: WithDisk & WithReport): ReadonlySet<string> {
  const bytes = disk.readBytes(join(root, manifestPath));
  const manifest = bytes && readManifest(decodeSource(manifestPath, bytes, report), report);
  return new Set(manifest?.files.keys());
}

function isPrivate(path: string, { specs, universalDir }: Wanted): boolean {
  const file = recognise(path, specs, universalDir)?.file;
  return file !== undefined && partOf(file) === 'local';
}
