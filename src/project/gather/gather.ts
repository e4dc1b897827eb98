import { entryNotFound, notAFile, sourceOutside, sourceRemote } from '../../generated/diagnostics.ts';
import type { Unit } from '../../resolve/program.ts';
import { declaresSkills, referencesOf, writtenForm } from '../../resolve/written-at.ts';
import { splitReference } from '../../syntax/reference.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { joinWithOr } from '../../text/names.ts';
import { joinPath, nameOf, normalizeInnerPath, parentOf } from '../../text/paths.ts';
import { entryPath, isMarkdownPath, localPath, markdownEntryPath } from '../../text/places.ts';
import { didYouMean } from '../../text/similar.ts';
import { entryKind, projectTree } from '../open/project-tree.ts';
import { discover } from './discover.ts';
import { findSource, type Written } from './find.ts';
import { type GatherContext, type GatherOptions, idOf, type Place, projectPlace } from './gathering.ts';
import { addDirectory, addFile, readSkillReferences } from './units.ts';

export type { GatherOptions };

export interface Gathered {
  readonly units: ReadonlyMap<string, Unit>;
  readonly entryId: string | undefined;
  readonly includeIds: readonly string[];
  readonly discoveredIds: readonly string[];
  readonly localId: string | undefined;
  readonly inherit: string | undefined;
  /** Every file and folder of the project that was read or searched, relative to it, sorted. */
  readonly files: readonly string[];
  /** Files of the project that are copied with skills, relative to it, sorted. */
  readonly resources: readonly string[];
}

/**
 * Reads every file of a program once, breadth first. Files that are missing, unreadable or too large are reported at
 * their references; the result contains the others.
 */
export async function gatherUnits(options: GatherOptions, report: Report): Promise<Gathered> {
  const tree = projectTree(options.disk, options.root, report);
  const isGenerated: GatherContext['isGenerated'] = (path, read) =>
    options.isGenerated?.(path, read, tree.isDirect(path)) ?? false;
  const gathering: GatherContext = {
    options,
    tree,
    report,
    isGenerated,
    units: new Map(),
    queue: [],
    count: 0,
  };
  const entryId = await readEntry(options.entry, gathering);
  const parent = options.inherit;
  const inherit =
    parent && (await load(splitReference(parent.reference), '', projectPlace(gathering), parent, gathering));
  await drain(gathering);
  const includeIds: string[] = [];
  for (const path of options.include ?? []) {
    const id = path === localPath ? undefined : await readPath(path, gathering);
    if (id !== undefined) includeIds.push(id);
  }
  const hasLocal = entryKind(tree.list('.instr'), 'local.prs') !== undefined;
  const localId = hasLocal && options.entry !== localPath ? await readPath(localPath, gathering) : undefined;
  await drain(gathering);
  const discoveredIds = await discover(gathering);
  return {
    units: gathering.units,
    entryId,
    includeIds,
    discoveredIds,
    localId,
    inherit,
    files: [...tree.touched].sort(),
    resources: [...tree.resources].sort(),
  };
}

async function readEntry(entry: string, gathering: GatherContext): Promise<string | undefined> {
  const { tree, report, options } = gathering;
  const path = normalizeInnerPath(entry);
  const where = options.entrySpan ? { span: options.entrySpan } : { file: path || entry };
  if (path === undefined) {
    const hint = `Write \`/\` between folders: \`${entry.replaceAll('\\', '/')}\`.`;
    if (entry.includes('\\'))
      report(entryNotFound({ file: entry, suggestion: '', files: '' }, { ...where, hint }));
    else report(sourceOutside({ reference: entry, place: 'the project' }, where));
    return undefined;
  }
  const siblings = tree.list(parentOf(path)) ?? [];
  const kind = entryKind(siblings, nameOf(path));
  if (kind === 'directory' || kind === 'other') {
    const found = kind === 'directory' ? 'a folder' : 'a device or a pipe';
    report(notAFile({ file: path, found }, { file: path }));
    return undefined;
  }
  if (kind === undefined) {
    const suggestion = didYouMean(
      nameOf(path),
      siblings.map(sibling => sibling.name),
    );
    const usual = [entryPath, markdownEntryPath].filter(one =>
      entryKind(tree.list(parentOf(one)), nameOf(one)),
    );
    const there = [...usual, ...mainFilesThere(gathering)];
    const files =
      there.length === 0
        ? ''
        : `: ${joinWithOr(there.map(name => `\`${name}\``))} is there (\`input: { entry: ${there[0]} }\`)`;
    report(entryNotFound({ file: entry, suggestion, files }, where));
    return undefined;
  }
  return readPath(path, gathering, true);
}

/** Existing main files of tools that this compiler did not write. */
function mainFilesThere({ tree, options, isGenerated }: GatherContext): readonly string[] {
  const { mainFiles } = options;
  return [...new Set(mainFiles?.())].filter(path => {
    if (!isMarkdownPath(path) || !entryKind(tree.list(parentOf(path)), nameOf(path))) return false;
    const bytes = tree.read(path);
    return bytes !== undefined && !isGenerated(path, () => bytes);
  });
}

/** Reads one file of the project by its path; reports a link that leads out of it. */
async function readPath(
  path: string,
  gathering: GatherContext,
  isEntry = false,
): Promise<string | undefined> {
  const inner = normalizeInnerPath(path) ?? path;
  if (gathering.units.has(inner)) return inner;
  const bytes = gathering.tree.read(inner);
  if (bytes) return addFile(inner, bytes, projectPlace(gathering), undefined, gathering, isEntry);
  const kind = entryKind(gathering.tree.list(parentOf(inner)), nameOf(inner));
  if (kind !== 'file')
    gathering.report(sourceOutside({ reference: path, place: 'the project' }, { file: path }));
  return undefined;
}

/** Follows the references of every source in the queue until there are no new ones. */
async function drain(gathering: GatherContext): Promise<void> {
  // The queue grows during the loop.
  for (const { unit, place, path } of gathering.queue) {
    const references = unit.references as Map<string, string>;
    for (const declaration of unit.document.declarations) {
      for (const reference of referencesOf(declaration)) {
        const written = { reference: writtenForm(reference), span: reference.span };
        const known = references.get(written.reference);
        if (known !== undefined) continue;
        const id = await load(reference, parentOf(path), place, written, gathering);
        if (id !== undefined) references.set(written.reference, id);
      }
    }
    if (unit.document.declarations.some(declaresSkills))
      await readSkillReferences(unit, place, path, gathering);
  }
  gathering.queue.length = 0;
}

async function load(
  reference: { readonly path: string; readonly version?: string | undefined },
  folder: string,
  place: Place,
  written: Written,
  gathering: GatherContext,
): Promise<string | undefined> {
  const { options, report } = gathering;
  if (isRelative(reference.path)) {
    // Most references without `./` are plain paths, which need no resolution.
    const below = reference.path.replace(/^\.\//, '');
    return add(joinPath(folder, below), written, place, gathering);
  }
  if (!options.registries) {
    report(sourceRemote({ reference: written.reference }, { span: written.span }));
    return undefined;
  }
  const located = await options.registries.locate(reference.path, reference.version, written.span);
  return located && add(located.path, written, located, gathering);
}

const isRelative = (path: string): boolean => path === '.' || path === '..' || /^\.\.?\//.test(path);

async function add(
  path: string,
  written: Written,
  place: Place,
  gathering: GatherContext,
): Promise<string | undefined> {
  const found = await findSource(path, written, place, gathering);
  if (found?.kind === 'directory') return addDirectory(found.path, found.entries, place, written, gathering);
  if (!found?.bytes) return found && idOf(place, found.path);
  return addFile(found.path, found.bytes, place, written.span, gathering);
}
