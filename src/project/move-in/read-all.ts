import { join } from 'node:path';
import { importEmpty } from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { placeInProject } from '../../host/relative-path.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import { importFile } from '../../migrate/import/import.ts';
import { type Recognised, recognise } from '../../migrate/import/recognise.ts';
import { type ImportedFile, linkedFile } from '../../migrate/migration.ts';
import { blockOfText } from '../../migrate/pieces.ts';
import { manifestPath, readManifest } from '../../plan/manifest.ts';
import { loadsPath } from '../../spec/loading/load.ts';
import { partOf } from '../../spec/spec.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { compileGlobs } from '../../text/globs.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { isDataPath, sharedDir } from '../../text/places.ts';
import { otherProjects, skillFinder } from '../adopt/scan.ts';
import { type Known, knownSpecs } from '../open/known-specs.ts';
import { projectRoot } from '../open/root.ts';
import type { ProjectFile } from '../project-files.ts';
import type { CompileContext, WithDisk, WithReport } from '../session/world.ts';
import { withTextLinks } from '../text-links.ts';
import { isPlaceOf } from './readers.ts';

export interface ReadFiles extends Known {
  readonly root: string;
  readonly config?: string;
  readonly found: readonly ImportedFile[];
  readonly links: readonly string[];
  /** Servers, settings, commands, agents and skills of a subfolder, which do not apply to the whole project. */
  readonly inner: readonly string[];
}

/**
 * Reads all instruction files of the project, or those that match the globs in `only`. Files that cannot be read are
 * reported and left out.
 */
export async function readAll(only: readonly string[], given: CompileContext): Promise<ReadFiles> {
  const place = projectRoot(given);
  const { files: listed, disk } = withTextLinks(place.root, given.disk);
  const context = { ...given, disk };
  const known = await knownSpecs(context);
  const { specs } = known;
  const universalDir = sharedDir(known.universalDir);
  const { files, links, inner } = findFiles(place.root, specs, universalDir, listed, only, context);
  // Files near the root come first, because they are about the whole project.
  const depthOf = ({ scope }: Recognised) => (scope === '' ? 0 : scope.split('/').length);
  files.sort((a, b) => depthOf(a.match) - depthOf(b.match) || compareCodeUnits(a.path, b.path));
  const found: ImportedFile[] = [];
  const parts: MappedBlock[] = [];
  for (const { path } of files) {
    const bytes = context.disk.readBytes(join(place.root, path));
    if (!bytes) continue;
    // When a whole project is read, an empty file or a settings file without relevant content is not reported.
    const isQuiet = isDataPath(path);
    const imported = await importFile(
      { path, bytes, specs, universalDir, inPlace: text => blockOfText(text, parts) },
      finding => {
        if (isQuiet ? finding.severity !== 'error' : finding.code !== emptyCode) context.report(finding);
      },
    );
    if (!imported) continue;
    found.push({ path, imported, text: new TextDecoder().decode(bytes) });
    parts.push(...imported.parts);
  }
  return { ...place, ...known, found, links, inner };
}

const emptyCode = importEmpty({ path: '' }, {}).code;

interface FoundFile extends ProjectFile {
  readonly match: Recognised;
}

/**
 * Every file below the root that a tool reads as instructions, including nested packages. Files that Git ignores,
 * outputs of this compiler, and further names of a file through links are left out. Private notes are included,
 * although they are usually ignored.
 */
function findFiles(
  root: string,
  specs: readonly TargetSpec[],
  universalDir: string,
  listed: readonly ProjectFile[],
  only: readonly string[],
  context: CompileContext,
) {
  const owned = ownedFiles(root, context);
  const narrows = only.length > 0 ? compileGlobs(only) : () => true;
  const otherProject = otherProjects(root, only, context);
  const skillOf = skillFinder(listed);
  const found: FoundFile[] = [];
  const inner: string[] = [];
  for (const file of withPrivateNotes(listed, specs, root, context)) {
    const { path } = file;
    const skill = skillOf(path);
    if (path.startsWith('.instr/') || (skill !== undefined && path !== `${skill}/SKILL.md`)) continue;
    // Inside the folder of a tool, these names do not exclude a file.
    if (otherProject(path.replace(/(^|\/)\.[^/]+\/.*/, '$1file')) !== undefined) continue;
    if (owned.has(path) || !narrows(path) || !possible.test(path)) continue;
    const match = recognise(path, specs, universalDir);
    // Settings files have other content, too; they are read, and count only when something relevant is found.
    if (!match || match.file?.kind === 'scripts') continue;
    if (isInner(match)) inner.push(path);
    else found.push({ ...file, match });
  }
  return { ...splitLinks(found, root, context), inner: inner.sort() };
}

/** Extensions of files that a tool could read. This excludes most files of a project. */
const possible =
  /\.(?:md|mdc|markdown|mdx|txt|json|jsonc|toml|ya?ml|prompt|hook)$|(?:^|\/)\.[\w-]+$|(?:^|\/)[A-Z]+$/;

/** In a folder below the root only main files and rules are instructions of this project, each for its folder. */
function isInner({ file, scope }: Recognised): boolean {
  if (file === undefined || scope === '') return false;
  const part = partOf(file);
  return part !== 'instructions' && part !== 'guards' && part !== 'local';
}

function withPrivateNotes(
  listed: readonly ProjectFile[],
  specs: readonly TargetSpec[],
  root: string,
  { disk }: WithDisk,
): readonly ProjectFile[] {
  const paths = specs.flatMap(({ files }) =>
    Object.values(files).flatMap(file => (partOf(file) === 'local' ? [file.path] : [])),
  );
  const missing = new Set(paths);
  for (const { path } of listed) missing.delete(path);
  const notes = [...missing].filter(path => disk.stat(join(root, path))?.kind === 'file');
  return [...listed, ...notes.map(path => ({ path, kind: 'file' as const }))];
}

/** Files under their own names, and links to them; the file itself comes before links to it. */
function splitLinks(found: readonly FoundFile[], root: string, { disk }: WithDisk) {
  const known = new Set<string>();
  const files: FoundFile[] = [];
  const links: string[] = [];
  for (const file of [...found].sort((a, b) => Number(a.kind === 'link') - Number(b.kind === 'link'))) {
    const real = disk.realpath(join(root, file.path));
    if (real === undefined || disk.stat(real)?.kind !== 'file') continue;
    // A link that leads out of the project, or into the Git folder, is not followed.
    if (placeInProject(disk.realpath(root) ?? root, real) === undefined) continue;
    if (known.has(real)) links.push(file.path);
    else files.push(file);
    known.add(real);
  }
  return { files, links: links.sort() };
}

function ownedFiles(root: string, { disk, report }: WithDisk & WithReport): ReadonlySet<string> {
  const bytes = disk.readBytes(join(root, manifestPath));
  const manifest = bytes && readManifest(decodeSource(manifestPath, bytes, report), report);
  return new Set(manifest?.files.keys());
}

/**
 * Returns the tools that a file is for: those that load it under one of its names, or through a file that only
 * imports it; otherwise those whose place contains it. Returns nothing when it is for all tools, or for none in use.
 */
export function audienceFinder(
  { root, found, links }: ReadFiles,
  specs: readonly TargetSpec[],
  { disk }: WithDisk,
): (file: ImportedFile) => { readonly targets?: readonly string[] } {
  const paths = new Set([...found.map(({ path }) => path), ...links]);
  const has = (path: string) => paths.has(path);
  const real = (path: string) => disk.realpath(join(root, path));
  const reals = new Map(links.map(path => [path, real(path)]));
  const pointers = found.map(({ path, imported }) => [path, linkedFile(imported.body, path, paths)] as const);
  return ({ path }) => {
    const own = real(path);
    const names = [path, ...links.filter(link => reals.get(link) === own)];
    names.push(...pointers.flatMap(([from, to]) => (to !== undefined && names.includes(to) ? [from] : [])));
    const loaders = specs.filter(spec => names.some(name => loadsPath(spec, name, has)));
    const owners = specs.filter(spec => names.some(name => isPlaceOf(spec, name)));
    const readers = loaders.length > 0 ? loaders : owners;
    if (readers.length === 0 || readers.length === specs.length) return {};
    return { targets: readers.map(({ id }) => id) };
  };
}
