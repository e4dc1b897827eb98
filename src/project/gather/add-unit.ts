import { directoryWithoutSkills } from '../../generated/diagnostics.ts';
import type { DirEntry } from '../../host/host.ts';
import { markdownKind } from '../../resolve/front-matter.ts';
import type { Resource, SkillUnit, SourceUnit } from '../../resolve/program.ts';
import { referencesOf } from '../../resolve/written.ts';
import type { Declaration } from '../../syntax/ast.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { documentsPath, isMarkdownPath } from '../../text/places.ts';
import type { Span } from '../../text/source.ts';
import { joinPath, kindIn, nameOf, parentOf, type Written } from './find.ts';
import { foundIn } from './folders.ts';
import { type Gathering, type Home, hasRoom, idOf } from './gathering.ts';
import { isAlone, readResources } from './skill-files.ts';
import { namesReferences, withReferences } from './skill-references.ts';

/** Most files of a large project name no others. */
const noReferences: ReadonlyMap<string, string> = new Map();
const hasReferences = (declaration: Declaration): boolean => referencesOf(declaration).length > 0;

/**
 * A single file: source or Markdown. Which kind of Markdown it is, its folder says, else its front matter; an entry
 * that is called like no skill is a document whatever its front matter says. Only what has to wait makes a promise.
 */
export function addFile(
  path: string,
  bytes: Uint8Array,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
  isEntry = false,
): string | undefined | Promise<string | undefined> {
  const id = idOf(home, path);
  if (gathering.units.has(id)) return id;
  if (nameOf(path) === 'SKILL.md') return addSkillFile(parentOf(path), bytes, home, span, gathering);
  const source = decodeSource(id, bytes, gathering.report);
  if (!source || !hasRoom(gathering, span)) return undefined;
  const { layer } = home;
  const folder = home.tree.id === '' ? foundIn(path) : undefined;
  if (folder) {
    gathering.units.set(id, { kind: 'item', id, layer, source, ...folder });
    return id;
  }
  if (!isMarkdownPath(path)) {
    const parse = gathering.options.parse ?? parseDocument;
    const document = parse(source, gathering.report);
    const references = document.declarations.some(hasReferences) ? new Map() : noReferences;
    const unit: SourceUnit = { kind: 'source', id, layer, document, references };
    gathering.units.set(id, unit);
    gathering.queue.push({ unit, home, path });
    return id;
  }
  const isDocument = isEntry || (home.tree.id === '' && path.startsWith(`${documentsPath}/`));
  const kind = isDocument ? 'document' : markdownKind(source);
  const name = nameOf(path).replace(/\.[^.]+$/, '');
  if (kind === 'skill') {
    const skill: SkillUnit = { kind, id, layer, source, folder: name, resources: [] };
    return addWithReferences(skill, parentOf(path), home, span, gathering);
  }
  if (kind === 'document') gathering.units.set(id, { kind, id, layer, source });
  else gathering.units.set(id, { kind: 'item', id, layer, source, block: kind, name });
  return id;
}

async function addSkillFile(
  folder: string,
  bytes: Uint8Array,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
): Promise<string | undefined> {
  return addSkill(folder, (await home.tree.list(folder)) ?? [], bytes, home, span, gathering);
}

function addWithReferences(
  skill: SkillUnit,
  folder: string,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
): string | Promise<string> {
  const { id } = skill;
  const add = (whole: SkillUnit) => {
    gathering.units.set(id, whole);
    return id;
  };
  return namesReferences(skill) ? withReferences(skill, folder, home, span, gathering).then(add) : add(skill);
}

/** One skill of a directory with its files. `extra` are files that it shares with others. Only what has to wait makes a promise. */
export function addSkill(
  folder: string,
  entries: readonly DirEntry[],
  bytes: Uint8Array,
  home: Home,
  span: Span | undefined,
  gathering: Gathering,
  extra: readonly Resource[] = [],
): string | undefined | Promise<string | undefined> {
  const id = idOf(home, joinPath(folder, 'SKILL.md'));
  const known = gathering.units.get(id);
  if (known?.kind === 'skill') {
    if (extra.length > 0) gathering.units.set(id, { ...known, resources: shared(known.resources, extra) });
    return id;
  }
  const source = decodeSource(id, bytes, gathering.report);
  if (!source || !hasRoom(gathering, span)) return undefined;
  const { report, isGenerated } = gathering;
  const add = (own: readonly Resource[]) => {
    const name = nameOf(folder) || nameOf(home.tree.id) || 'skill';
    const resources = shared(own, extra);
    const skill: SkillUnit = { kind: 'skill', id, layer: home.layer, source, folder: name, resources };
    return addWithReferences(skill, folder, home, span, gathering);
  };
  if (isAlone(entries)) return add([]);
  const reader = { tree: home.tree, report, span, isGenerated };
  return readResources(reader, folder, entries).then(add);
}

const shared = (own: readonly Resource[], extra: readonly Resource[]): readonly Resource[] => {
  if (own.length === 0) return extra;
  const taken = new Set(own.map(resource => resource.path));
  return extra.length === 0 ? own : [...own, ...extra.filter(resource => !taken.has(resource.path))];
};

/** Every skill directly below a directory or below its `skills/`: folders with `SKILL.md`, and Markdown skills. */
export async function addDirectory(
  path: string,
  entries: readonly DirEntry[],
  home: Home,
  written: Written,
  gathering: Gathering,
): Promise<string | undefined> {
  if (kindIn(entries, 'SKILL.md')) {
    const known = idOf(home, joinPath(path, 'SKILL.md'));
    if (gathering.units.has(known)) return known;
    const bytes = await home.tree.read(joinPath(path, 'SKILL.md'));
    return bytes && addSkill(path, entries, bytes, home, written.span, gathering);
  }
  const id = `${idOf(home, path)}/`;
  if (gathering.units.has(id)) return id;
  const skills: string[] = [];
  const nested =
    kindIn(entries, 'skills') === 'directory' ? await home.tree.list(joinPath(path, 'skills')) : undefined;
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
    if (!entries || !kindIn(entries, 'SKILL.md')) return undefined;
    const id = idOf(home, joinPath(path, 'SKILL.md'));
    if (gathering.units.has(id)) return id;
    const bytes = await home.tree.read(joinPath(path, 'SKILL.md'));
    return bytes && addSkill(path, entries, bytes, home, written.span, gathering);
  }
  if (kind !== 'file' || !isMarkdownPath(path)) return undefined;
  const bytes = await home.tree.read(path);
  const head = bytes && String.fromCharCode(...bytes.subarray(0, 4));
  if (!bytes || !/^(?:---|\u00ef\u00bb\u00bf-)/.test(head ?? '')) return undefined;
  const source = decodeSource(idOf(home, path), bytes, gathering.report);
  return source && markdownKind(source) !== 'document'
    ? addFile(path, bytes, home, written.span, gathering)
    : undefined;
}
