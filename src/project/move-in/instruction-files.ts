import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { type Recognised, recognise } from '../../import/recognise.ts';
import { manifestPath, readManifest } from '../../plan/manifest.ts';
import type { Compiling, WithDisk, WithReport } from '../../session/world.ts';
import { partOf } from '../../spec/spec.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { compileGlobs } from '../../text/globs.ts';
import { otherProjects, skillFinder } from '../adopt/scan.ts';
import { placeInProject } from '../open/root.ts';
import { listProjectFiles, type ProjectFile } from '../project-files.ts';

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
  const { specs, universalDir, only } = wanted;
  const owned = ownedFiles(root, context);
  const narrows = only.length > 0 ? compileGlobs(only) : () => true;
  const otherProject = otherProjects(root, only, context);
  const listed = listProjectFiles(root, disk);
  const skillOf = skillFinder(listed);
  const found: ProjectFile[] = [];
  const inner: string[] = [];
  for (const file of [...listed, ...privateNotes(root, specs, listed, disk)]) {
    const { path } = file;
    const skill = skillOf(path);
    if (path.startsWith('.instr/') || (skill !== undefined && path !== `${skill}/SKILL.md`)) continue;
    // Inside of a tool's own folder no name counts.
    if (otherProject(path.replace(/(^|\/)\.[^/]+\/.*/, '$1file')) !== undefined) continue;
    if (owned.has(path) || !narrows(path) || !possible.test(path)) continue;
    const match = recognise(path, specs, universalDir);
    // Settings files hold other things too; they are read, and count when something is found in them.
    if (!match || match.file?.kind === 'scripts') continue;
    if (isInner(match)) inner.push(path);
    else found.push(file);
  }
  return { ...splitLinks(found, root, disk), inner: inner.sort() };
}

/** Private notes of the project that version control ignores. */
function privateNotes(
  root: string,
  specs: readonly TargetSpec[],
  listed: readonly ProjectFile[],
  disk: Disk,
): ProjectFile[] {
  const known = new Set(listed.map(({ path }) => path));
  const paths = specs.flatMap(({ files }) =>
    Object.values(files).flatMap(file => (partOf(file) === 'local' ? [file.path] : [])),
  );
  return [...new Set(paths)].flatMap(path =>
    !known.has(path) && disk.stat(join(root, path))?.kind === 'file' ? [{ path, kind: 'file' as const }] : [],
  );
}

/** Files under their own names, and links to them; the file itself comes before links to it. */
function splitLinks(
  found: readonly ProjectFile[],
  root: string,
  disk: Disk,
): Pick<InstructionFiles, 'files' | 'links'> {
  const seen = new Set<string>();
  const files: string[] = [];
  const links: string[] = [];
  for (const { path } of [...found].sort((a, b) => Number(a.kind === 'link') - Number(b.kind === 'link'))) {
    const real = disk.realpath(join(root, path));
    if (real === undefined || disk.stat(real)?.kind !== 'file') continue;
    // A link out of the project, or into Git, leads to somebody else's file.
    if (placeInProject(disk.realpath(root) ?? root, real) === undefined) continue;
    (seen.has(real) ? links : files).push(path);
    seen.add(real);
  }
  return { files: files.sort(), links: links.sort() };
}

/** Endings of files that a tool could read; most files of a project are ruled out by this alone. */
const possible =
  /\.(?:md|mdc|markdown|mdx|txt|json|jsonc|toml|ya?ml|prompt|hook)$|(?:^|\/)\.[\w-]+$|(?:^|\/)[A-Z]+$/;

/** In a folder below the root only main files and rules are instructions of this project, each for its folder. */
function isInner({ file, scope }: Recognised): boolean {
  if (file === undefined || scope === '') return false;
  const part = partOf(file);
  return part !== 'instructions' && part !== 'guards' && part !== 'local';
}

function ownedFiles(root: string, { disk, report }: WithDisk & WithReport): ReadonlySet<string> {
  const bytes = disk.readBytes(join(root, manifestPath));
  const manifest = bytes && readManifest(decodeSource(manifestPath, bytes, report), report);
  return new Set(manifest?.files.keys());
}
