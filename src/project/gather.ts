import type { Report } from '../diagnostics/diagnostic.ts';
import {
  directoryWithoutSkills,
  entryNotFound,
  notAFile,
  programTooLarge,
  referenceFileNotFound,
  sourceOutside,
  sourceRemote,
} from '../generated/diagnostics.ts';
import type { DirEntry, Disk } from '../host/host.ts';
import { innerPath } from '../registry/path.ts';
import type { Registries, Tree } from '../registry/tree.ts';
import { isSkillText, readFrontMatter } from '../resolve/front-matter.ts';
import type { Layer, Resource, SkillUnit, SourceUnit, Unit } from '../resolve/program.ts';
import { unitLimit } from '../resolve/run.ts';
import { normalReference, referencesOf, skillReferencesOf, writtenForm } from '../resolve/written.ts';
import type { Document } from '../syntax/ast.ts';
import { decodeSource } from '../syntax/decode.ts';
import { parseDocument } from '../syntax/parse.ts';
import { splitReference } from '../syntax/reference.ts';
import { didYouMean } from '../text/similar.ts';
import type { Source, Span } from '../text/source.ts';
import { discover } from './discover.ts';
import {
  type Found,
  findSource,
  joinPath,
  kindsIn,
  nameOf,
  parentOf,
  type Search,
  type Written,
} from './find.ts';
import { type ProjectTree, projectTree } from './project-tree.ts';
import { isLocal, readResource, readResources } from './skill-files.ts';

export interface GatherOptions {
  readonly disk: Disk;
  /** Absolute path of the project, `/`-separated. */
  readonly root: string;
  /** Path of the entry file, relative to the project. */
  readonly entry: string;
  /** Further files, relative to the project, in order. */
  readonly include?: readonly string[];
  /** `inherit` of the configuration; a relative path starts at the project. */
  readonly inherit?: { readonly reference: string; readonly span: Span } | undefined;
  /** Where skills and commands are discovered beside `.instr`; absent: nowhere else. */
  readonly universalDir?: string | undefined;
  readonly registries?: Registries | undefined;
  readonly parse?: (source: Source, report: Report) => Document;
  /** Whether this compiler wrote a file: such files are no sources. */
  readonly isGenerated?: (path: string, bytes: Uint8Array) => boolean;
}

export interface Gathered {
  readonly units: ReadonlyMap<string, Unit>;
  /** `undefined` when the entry could not be read. */
  readonly entryId: string | undefined;
  readonly includeIds: readonly string[];
  readonly discoveredIds: readonly string[];
  readonly localId: string | undefined;
  readonly inherit: string | undefined;
  /** Every file and directory of the project that was looked at, relative to it, sorted. */
  readonly files: readonly string[];
}

/** Layer of the files of the project itself. */
export const projectLayer: Layer = { reference: '@project', remote: false };

/** Where a file lies: the tree, what findings call it, and the layer of what is found there. */
export interface Home {
  readonly tree: Tree;
  readonly layer: Layer;
}

/** What all of one gathering shares. */
export interface Gathering {
  readonly options: GatherOptions;
  readonly tree: ProjectTree;
  readonly report: Report;
  readonly units: Map<string, Unit>;
  /** Sources whose references are still to be followed. */
  readonly queue: { readonly unit: SourceUnit; readonly home: Home; readonly path: string }[];
  count: number;
}

export const projectHome = ({ tree }: Gathering): Home => ({ tree, layer: projectLayer });

/**
 * Reads every file of a program, breadth first, each once. What is missing, unreadable or too large has been reported
 * at the reference that names it; what could be read is in the result.
 */
export async function gatherUnits(options: GatherOptions, report: Report): Promise<Gathered> {
  const tree = projectTree(options.disk, options.root, report);
  const gathering: Gathering = { options, tree, report, units: new Map(), queue: [], count: 0 };
  const entryId = await readEntry(options.entry, gathering);
  const inherit = options.inherit && (await follow(options.inherit, gathering));
  await drain(gathering);
  const includeIds: string[] = [];
  const localPath = '.instr/local.prs';
  for (const path of options.include ?? []) {
    const id = path === localPath ? undefined : await readPath(path, gathering);
    if (id !== undefined) includeIds.push(id);
  }
  const hasLocal = kindsIn(tree.list('.instr') ?? []).has('local.prs');
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
  };
}

async function readEntry(entry: string, gathering: Gathering): Promise<string | undefined> {
  const { tree, report } = gathering;
  const path = innerPath(entry);
  if (path === undefined) {
    report(sourceOutside({ reference: entry, place: 'the project' }, { file: entry }));
    return undefined;
  }
  const siblings = tree.list(parentOf(path)) ?? [];
  const kind = kindsIn(siblings).get(nameOf(path));
  if (kind === 'directory' || kind === 'other') {
    const found = kind === 'directory' ? 'a directory' : 'no regular file';
    report(notAFile({ file: path, found }, { file: path }));
    return undefined;
  }
  if (kind === undefined) {
    const suggestion = didYouMean(
      nameOf(path),
      siblings.map(sibling => sibling.name),
    );
    report(entryNotFound({ file: path, suggestion }, { file: path }));
    return undefined;
  }
  return readPath(path, gathering);
}

/** Reads one file of the project by its path; reports a link that leads out of it. */
async function readPath(path: string, gathering: Gathering): Promise<string | undefined> {
  const inner = innerPath(path) ?? path;
  if (gathering.units.has(inner)) return inner;
  const bytes = gathering.tree.read(inner);
  if (bytes) return addFile(inner, bytes, projectHome(gathering), undefined, gathering);
  const kind = kindsIn(gathering.tree.list(parentOf(inner)) ?? []).get(nameOf(inner));
  if (kind !== 'file')
    gathering.report(sourceOutside({ reference: path, place: 'the project' }, { file: path }));
  return undefined;
}

/** The reference of the configuration, which stands in no source file. */
async function follow(
  { reference, span }: NonNullable<GatherOptions['inherit']>,
  gathering: Gathering,
): Promise<string | undefined> {
  const { path, version } = splitReference(reference);
  return load({ path, version }, '', projectHome(gathering), { reference, span }, gathering);
}

/** Follows the references of every source in the queue until there is nothing new. */
async function drain(gathering: Gathering): Promise<void> {
  // The queue grows while it is walked.
  for (const { unit, home, path } of gathering.queue) {
    const references = unit.references as Map<string, string>;
    for (const declaration of unit.document.declarations) {
      for (const reference of referencesOf(declaration)) {
        const written = { reference: writtenForm(reference), span: reference.span };
        const known = references.get(written.reference);
        if (known !== undefined) continue;
        const id = await load(reference, parentOf(path), home, written, gathering);
        if (id !== undefined) references.set(written.reference, id);
      }
    }
    await readSkillReferences(unit, home, path, gathering);
  }
  gathering.queue.length = 0;
}

async function load(
  reference: { readonly path: string; readonly version?: string | undefined },
  folder: string,
  home: Home,
  written: Written,
  gathering: Gathering,
): Promise<string | undefined> {
  const { options, report } = gathering;
  if (isRelative(reference.path)) {
    const found = await findSource(searchIn(home, gathering), joinPath(folder, reference.path), written);
    return found && add(found, home, written, gathering);
  }
  if (!options.registries) {
    const hint = isPathLike(reference.path)
      ? `Write \`./${reference.path}\` for a file of the project. `
      : '';
    const rest = 'Add `registry` or `registries` to instr.yaml for references to shared files.';
    report(sourceRemote({ reference: written.reference }, { span: written.span, hint: `${hint}${rest}` }));
    return undefined;
  }
  const located = await options.registries.locate(reference.path, reference.version, written.span);
  if (!located) return undefined;
  const { tree, path, layer } = located;
  const found = await findSource(searchIn({ tree, layer }, gathering), path, written);
  return found && add(found, { tree, layer }, written, gathering);
}

const searchIn = (home: Home, { units, report }: Gathering): Search => ({
  tree: home.tree,
  place: home.layer.remote ? 'its registry' : 'the project',
  isKnown: path => units.has(idOf(home, path)),
  report,
});

const isRelative = (path: string): boolean => path === '.' || path === '..' || /^\.\.?\//.test(path);

/** `standards` or `fragments/standards`: most likely a file of the project without its `./`. */
const isPathLike = (path: string): boolean => /^[\w-]+(?:\/[\w.-]+)*$/.test(path);

const idOf = ({ tree }: Home, path: string): string => (tree.id === '' ? path : `${tree.id}:${path}`);

async function add(
  found: Found,
  home: Home,
  written: Written,
  gathering: Gathering,
): Promise<string | undefined> {
  if (found.kind === 'directory') return addDirectory(found.path, found.entries, home, written, gathering);
  return found.bytes
    ? addFile(found.path, found.bytes, home, written.span, gathering)
    : idOf(home, found.path);
}

/** A single file: source, Markdown skill or other Markdown. */
async function addFile(
  path: string,
  bytes: Uint8Array,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
): Promise<string | undefined> {
  const id = idOf(home, path);
  if (gathering.units.has(id)) return id;
  if (nameOf(path) === 'SKILL.md') {
    const folder = parentOf(path);
    return addSkill(folder, (await home.tree.list(folder)) ?? [], bytes, home, span, gathering);
  }
  const source = decodeSource(id, bytes, gathering.report);
  if (!source || !hasRoom(gathering, span)) return undefined;
  const { layer } = home;
  if (!path.endsWith('.md')) {
    const parse = gathering.options.parse ?? parseDocument;
    const document = parse(source, gathering.report);
    const unit: SourceUnit = { kind: 'source', id, layer, document, references: new Map() };
    gathering.units.set(id, unit);
    gathering.queue.push({ unit, home, path });
  } else if (isSkillText(source)) {
    const folder = nameOf(path).replace(/\.md$/, '');
    const skill: SkillUnit = { kind: 'skill', id, layer, source, folder, resources: [] };
    gathering.units.set(id, await withReferences(skill, parentOf(path), home, span, gathering));
  } else gathering.units.set(id, { kind: 'knowledge', id, layer, source });
  return id;
}

/** One skill of a directory with its files. `extra` are files that it shares with others. */
export async function addSkill(
  folder: string,
  entries: readonly DirEntry[],
  bytes: Uint8Array,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
  extra: readonly Resource[] = [],
): Promise<string | undefined> {
  const id = idOf(home, joinPath(folder, 'SKILL.md'));
  const known = gathering.units.get(id);
  if (known?.kind === 'skill') {
    if (extra.length > 0) gathering.units.set(id, { ...known, resources: shared(known.resources, extra) });
    return id;
  }
  const source = decodeSource(id, bytes, gathering.report);
  if (!source || !hasRoom(gathering, span)) return undefined;
  const reader = { tree: home.tree, report: gathering.report, span };
  const resources = shared(await readResources(reader, folder, entries), extra);
  const skill: SkillUnit = {
    kind: 'skill',
    id,
    layer: home.layer,
    source,
    folder: nameOf(folder) || nameOf(home.tree.id) || 'skill',
    resources,
  };
  gathering.units.set(id, await withReferences(skill, folder, home, span, gathering));
  return id;
}

const shared = (own: readonly Resource[], extra: readonly Resource[]): readonly Resource[] => {
  if (own.length === 0) return extra;
  const taken = new Set(own.map(resource => resource.path));
  return extra.length === 0 ? own : [...own, ...extra.filter(resource => !taken.has(resource.path))];
};

/** Every skill directly below a directory or below its `skills/`: folders with `SKILL.md`, and Markdown skills. */
async function addDirectory(
  path: string,
  entries: readonly DirEntry[],
  home: Home,
  written: Written,
  gathering: Gathering,
): Promise<string | undefined> {
  if (kindsIn(entries).has('SKILL.md')) {
    const known = idOf(home, joinPath(path, 'SKILL.md'));
    if (gathering.units.has(known)) return known;
    const bytes = await home.tree.read(joinPath(path, 'SKILL.md'));
    return bytes && addSkill(path, entries, bytes, home, written.span, gathering);
  }
  const id = `${idOf(home, path)}/`;
  if (gathering.units.has(id)) return id;
  const skills: string[] = [];
  const nested =
    kindsIn(entries).get('skills') === 'directory'
      ? await home.tree.list(joinPath(path, 'skills'))
      : undefined;
  for (const [folder, names] of [
    [path, entries],
    [joinPath(path, 'skills'), nested ?? []],
  ] as const) {
    for (const { name, kind } of names) {
      const found = await skillBelow(joinPath(folder, name), kind, home, written, gathering);
      if (found !== undefined) skills.push(found);
    }
  }
  if (skills.length === 0) {
    gathering.report(directoryWithoutSkills({ path: path || written.reference }, { span: written.span }));
    return undefined;
  }
  gathering.units.set(id, { kind: 'directory', id, layer: home.layer, skills });
  return id;
}

async function skillBelow(
  path: string,
  kind: DirEntry['kind'],
  home: Home,
  written: Written,
  gathering: Gathering,
): Promise<string | undefined> {
  if (kind === 'directory') {
    const entries = await home.tree.list(path);
    if (!entries || !kindsIn(entries).has('SKILL.md')) return undefined;
    const id = idOf(home, joinPath(path, 'SKILL.md'));
    if (gathering.units.has(id)) return id;
    const bytes = await home.tree.read(joinPath(path, 'SKILL.md'));
    return bytes && addSkill(path, entries, bytes, home, written.span, gathering);
  }
  if (kind !== 'file' || !path.endsWith('.md')) return undefined;
  const bytes = await home.tree.read(path);
  const head = bytes && Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (!bytes || !/^(?:---|\u00ef\u00bb\u00bf-)/.test(head ?? '')) return undefined;
  const source = decodeSource(idOf(home, path), bytes, gathering.report);
  return source && isSkillText(source) ? addFile(path, bytes, home, written.span, gathering) : undefined;
}

/** Counts a file that is about to be added; reports the first one too many. */
export function hasRoom(gathering: Gathering, span: Span | undefined): boolean {
  gathering.count++;
  if (gathering.count === unitLimit + 1) gathering.report(programTooLarge({ limit: unitLimit }, { span }));
  return gathering.count <= unitLimit;
}

/** Files that `references` of skills in a source name. */
async function readSkillReferences(
  unit: SourceUnit,
  home: Home,
  path: string,
  gathering: Gathering,
): Promise<void> {
  const found = new Map<string, Resource>();
  for (const declaration of unit.document.declarations) {
    for (const { value, span } of skillReferencesOf(declaration)) {
      if (found.has(value)) continue;
      const resource = await readReference(value, parentOf(path), home, span, gathering);
      if (resource) found.set(value, resource);
    }
  }
  if (found.size > 0) gathering.units.set(unit.id, { ...unit, resources: found });
}

async function withReferences(
  skill: SkillUnit,
  folder: string,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
): Promise<SkillUnit> {
  const end = skill.source.text.indexOf('\n---', 3);
  if (!/^references[ \t]*:/m.test(skill.source.text.slice(0, Math.max(0, end)))) return skill;
  const head = readFrontMatter(skill.source);
  const value = head.data.get('references');
  const references = new Map<string, Resource>();
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item !== 'string') continue;
    const at = home.layer.remote && span ? span : head.spanOf(['references']);
    const resource = await readReference(item, folder, home, at, gathering);
    if (resource) references.set(item, resource);
  }
  return { ...skill, references };
}

async function readReference(
  written: string,
  folder: string,
  home: Home,
  span: Span,
  gathering: Gathering,
): Promise<Resource | undefined> {
  const { report } = gathering;
  if (written.startsWith('!') || written.includes('{{') || /^[a-z][a-z0-9+.-]*:\/\//i.test(written))
    return undefined;
  const path = innerPath(joinPath(folder, written));
  if (path === undefined || /^[/~]/.test(written)) {
    const place = home.layer.remote ? 'its registry' : 'the project';
    report(sourceOutside({ reference: written, place }, { span, rule: 'reference-path' }));
    return undefined;
  }
  const siblings = await home.tree.list(parentOf(path));
  const kind = siblings && kindsIn(siblings).get(nameOf(path));
  const reader = { tree: home.tree, report, span };
  const usable = kind === 'file' || (kind === undefined && !siblings && !isLocal(home.tree));
  const resource = usable ? await readResource(reader, path, normalReference(written)) : undefined;
  if (!resource && kind !== 'file') {
    const names = (siblings ?? []).map(sibling => sibling.name);
    const hint = `${didYouMean(nameOf(path), names)}Check the path: it starts at the folder of the file it stands in.`;
    report(referenceFileNotFound({ path: written }, { span, hint, rule: 'reference-path' }));
  }
  return resource;
}
