import { folderWithoutSkills, referenceFileNotFound, sourceOutside } from '../../generated/diagnostics.ts';
import type { DirEntry } from '../../host/host.ts';
import type { Data } from '../../model/model.ts';
import { markdownKind, readSourceHead } from '../../resolve/markdown.ts';
import type { ItemUnit, Resource, SkillUnit, SourceUnit } from '../../resolve/program.ts';
import { skillReferencesOf } from '../../resolve/written-at.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { parseDocument } from '../../syntax/parse.ts';
import type { Severity } from '../../text/diagnostics/diagnostic.ts';
import { renameFix } from '../../text/diagnostics/fixes.ts';
import { joinPath, nameOf, normalizeInnerPath, normalizePath, parentOf } from '../../text/paths.ts';
import {
  agentsPath,
  checksPath,
  commandsPath,
  documentsPath,
  isMarkdownPath,
  rulesPath,
} from '../../text/places.ts';
import { didYouMean } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';
import { entryKind } from '../open/project-tree.ts';
import type { Written } from './find.ts';
import { type GatherContext, hasRoom, idOf, type Place, placeName } from './gathering.ts';
import { isLocal, readResource, readResources } from './skill-files.ts';

/** A folder of a project whose Markdown files are entries of a block; `deep`: including subfolders. */
export interface ItemFolder {
  readonly path: string;
  readonly block: ItemUnit['block'];
  readonly deep: boolean;
}

export const itemFolders: readonly ItemFolder[] = [
  { path: rulesPath, block: 'guards', deep: true },
  { path: agentsPath, block: 'agents', deep: false },
  { path: commandsPath, block: 'shortcuts', deep: false },
  { path: checksPath, block: 'checks', deep: true },
];

/** The commands of the folder that tools share. */
export const sharedCommands = (universalDir: string): ItemFolder => ({
  path: joinPath(universalDir, 'commands'),
  block: 'shortcuts',
  deep: false,
});

/** The kind and name of a file by its folder in the project: `.instr/rules/api/style.md` is the rule `api-style`. */
function itemByFolder(
  path: string,
  { universalDir }: GatherContext['options'],
): Pick<ItemUnit, 'block' | 'name'> | undefined {
  if (!isMarkdownPath(path)) return undefined;
  const folders = universalDir === undefined ? itemFolders : [...itemFolders, sharedCommands(universalDir)];
  const folder = folders.find(one => path.startsWith(`${one.path}/`));
  if (!folder) return undefined;
  const below = path.slice(folder.path.length + 1);
  if (!folder.deep && below.includes('/')) return undefined;
  return { block: folder.block, name: withoutEnding(below).replaceAll('/', '-') };
}

const withoutEnding = (name: string): string => name.replace(/\.[^./]+$/, '');

/**
 * Adds a single file: a source, or Markdown. The kind of a Markdown file is given by its folder, otherwise by its
 * front matter. An entry whose name is not that of a skill is a document regardless of its front matter. Returns the
 * id of the file.
 */
export async function addFile(
  path: string,
  bytes: Uint8Array,
  place: Place,
  span: Span | undefined,
  gathering: GatherContext,
  isEntry = false,
): Promise<string | undefined> {
  const { units, report, options } = gathering;
  const id = idOf(place, path);
  if (units.has(id)) return id;
  const folder = parentOf(path);
  if (nameOf(path) === 'SKILL.md')
    return addSkill(folder, (await place.tree.list(folder)) ?? [], bytes, place, span, gathering);
  const source = decodeSource(id, bytes, report);
  if (!source || !hasRoom(gathering, span)) return undefined;
  const { layer } = place;
  const isOwn = place.tree.id === '';
  const item = isOwn ? itemByFolder(path, options) : undefined;
  if (item) units.set(id, { kind: 'item', id, layer, source, ...item });
  else if (!isMarkdownPath(path)) {
    const document = (options.parse ?? parseDocument)(source, report);
    const unit: SourceUnit = { kind: 'source', id, layer, document, references: new Map() };
    units.set(id, unit);
    gathering.queue.push({ unit, place, path });
  } else {
    const isDocument = isEntry || (isOwn && path.startsWith(`${documentsPath}/`));
    const kind = isDocument ? 'document' : markdownKind(source);
    const name = withoutEnding(nameOf(path));
    if (kind === 'skill') {
      const skill: SkillUnit = { kind, id, layer, source, folder: name, resources: [] };
      units.set(id, await withReferences(skill, folder, place, span, gathering));
    } else if (kind === 'document') units.set(id, { kind, id, layer, source });
    else units.set(id, { kind: 'item', id, layer, source, block: kind, name });
  }
  return id;
}

/** Adds the skill of a folder with its files; `shared` are additional files that all skills of the project get. */
export async function addSkill(
  folder: string,
  entries: readonly DirEntry[],
  bytes: Uint8Array,
  place: Place,
  span: Span | undefined,
  gathering: GatherContext,
  shared: readonly Resource[] = [],
): Promise<string | undefined> {
  const { units, report, isGenerated } = gathering;
  const { tree, layer } = place;
  const id = idOf(place, joinPath(folder, 'SKILL.md'));
  const known = units.get(id);
  if (known?.kind === 'skill') {
    units.set(id, { ...known, resources: withShared(known.resources, shared) });
    return id;
  }
  const source = decodeSource(id, bytes, report);
  if (!source || !hasRoom(gathering, span)) return undefined;
  const own = await readResources({ tree, report, span, isGenerated }, folder, entries);
  const name = nameOf(folder) || nameOf(tree.id) || 'skill';
  const resources = withShared(own, shared);
  const skill: SkillUnit = { kind: 'skill', id, layer, source, folder: name, resources };
  units.set(id, await withReferences(skill, folder, place, span, gathering));
  return id;
}

const withShared = (own: readonly Resource[], shared: readonly Resource[]): readonly Resource[] => {
  const taken = new Set(own.map(resource => resource.path));
  return [...own, ...shared.filter(resource => !taken.has(resource.path))];
};

/** Adds every skill directly below a directory or below its `skills/`: folders with `SKILL.md`, and Markdown skills. */
export async function addDirectory(
  path: string,
  entries: readonly DirEntry[],
  place: Place,
  written: Written,
  gathering: GatherContext,
): Promise<string | undefined> {
  if (entryKind(entries, 'SKILL.md')) return addSkillFolder(path, entries, place, written, gathering);
  const id = `${idOf(place, path)}/`;
  if (gathering.units.has(id)) return id;
  const inner = joinPath(path, 'skills');
  const nested = entryKind(entries, 'skills') === 'directory' ? await place.tree.list(inner) : undefined;
  const children = [
    ...entries.map(({ name, kind }) => ({ path: joinPath(path, name), kind })),
    ...(nested ?? []).map(({ name, kind }) => ({ path: joinPath(inner, name), kind })),
  ];
  const skills: string[] = [];
  for (const child of children) {
    const found =
      child.kind === 'directory'
        ? await addSkillFolder(child.path, await place.tree.list(child.path), place, written, gathering)
        : child.kind === 'file'
          ? await addMarkdownSkill(child.path, place, written, gathering)
          : undefined;
    if (found !== undefined) skills.push(found);
  }
  if (skills.length === 0) {
    gathering.report(folderWithoutSkills({ path: path || written.reference }, { span: written.span }));
    return undefined;
  }
  gathering.units.set(id, { kind: 'directory', id, layer: place.layer, skills });
  return id;
}

async function addSkillFolder(
  path: string,
  entries: readonly DirEntry[] | undefined,
  place: Place,
  { span }: Written,
  gathering: GatherContext,
): Promise<string | undefined> {
  if (!entries || !entryKind(entries, 'SKILL.md')) return undefined;
  const file = joinPath(path, 'SKILL.md');
  const id = idOf(place, file);
  if (gathering.units.has(id)) return id;
  const bytes = await place.tree.read(file);
  return bytes && addSkill(path, entries, bytes, place, span, gathering);
}

async function addMarkdownSkill(
  path: string,
  place: Place,
  { span }: Written,
  gathering: GatherContext,
): Promise<string | undefined> {
  const bytes = isMarkdownPath(path) ? await place.tree.read(path) : undefined;
  // Most files of a registry have no front matter.
  const head = bytes && String.fromCharCode(...bytes.subarray(0, 4));
  if (!bytes || !/^(?:---|\u00ef\u00bb\u00bf-)/.test(head ?? '')) return undefined;
  const source = decodeSource(idOf(place, path), bytes, gathering.report);
  const isSkill = source && markdownKind(source) !== 'document';
  return isSkill ? addFile(path, bytes, place, span, gathering) : undefined;
}

/** Reads the files that `references` of skills in a source name. */
export async function readSkillReferences(
  unit: SourceUnit,
  place: Place,
  path: string,
  gathering: GatherContext,
): Promise<void> {
  const written = unit.document.declarations.flatMap(skillReferencesOf);
  const resources = await readReferences(written, parentOf(path), place, gathering);
  if (resources.size > 0) gathering.units.set(unit.id, { ...unit, resources });
}

async function withReferences(
  skill: SkillUnit,
  folder: string,
  place: Place,
  span: Span | undefined,
  gathering: GatherContext,
): Promise<SkillUnit> {
  const { text } = skill.source;
  const end = text.indexOf('\n---', 3);
  if (!/^references[ \t]*:/m.test(text.slice(0, Math.max(0, end)))) return skill;
  const head = readSourceHead(skill.source);
  const at = place.layer.remote && span ? span : head.spanOf(['references']);
  // An invalid skill of a third party is no error of the project: the other skills are written.
  const written = [head.fields.get('references') ?? []]
    .flat()
    .flatMap((value: Data) =>
      typeof value === 'string' ? [{ value, span: at, severity: 'warning' as const }] : [],
    );
  return { ...skill, references: await readReferences(written, folder, place, gathering) };
}

interface WrittenReference {
  readonly value: string;
  readonly span: Span;
  readonly severity?: Severity;
}

/** The files of references to files in `folder`, by their paths as written. */
async function readReferences(
  written: readonly WrittenReference[],
  folder: string,
  place: Place,
  gathering: GatherContext,
): Promise<Map<string, Resource>> {
  const resources = new Map<string, Resource>();
  for (const { value, span, severity } of written) {
    if (resources.has(value)) continue;
    const where = { span, ...(severity && { severity }) };
    const resource = await readReference(value, folder, place, where, gathering);
    if (resource) resources.set(value, resource);
  }
  return resources;
}

async function readReference(
  written: string,
  folder: string,
  place: Place,
  where: { readonly span: Span; readonly severity?: Severity },
  { report }: GatherContext,
): Promise<Resource | undefined> {
  const { tree } = place;
  if (written.startsWith('!') || written.includes('{{') || /^[a-z][a-z0-9+.-]*:\/\//i.test(written))
    return undefined;
  const path = normalizeInnerPath(joinPath(folder, written));
  if (path === undefined || /^[/~]/.test(written)) {
    report(
      sourceOutside({ reference: written, place: placeName(place) }, { ...where, rule: 'reference-path' }),
    );
    return undefined;
  }
  const siblings = await tree.list(parentOf(path));
  const kind = entryKind(siblings, nameOf(path));
  const usable = kind === 'file' || (kind === undefined && !siblings && !isLocal(tree));
  const reader = { tree, report, span: where.span };
  const resource = usable ? await readResource(reader, path, normalizePath(written)) : undefined;
  if (!resource && kind !== 'file') {
    const names = (siblings ?? []).map(sibling => sibling.name);
    const hint = `${didYouMean(nameOf(path), names)}Check the path. It is relative to the folder of the file that contains it.`;
    const fixes = renameFix(where.span, nameOf(path), names);
    report(referenceFileNotFound({ path: written }, { ...where, hint, rule: 'reference-path', fixes }));
  }
  return resource;
}
