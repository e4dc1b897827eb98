import { type ContentDraft, type DocumentDraft, type Draft, foldedPath } from '../kinds/draft.ts';
import { itemFolder, placeIn } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { yamlRows } from '../kinds/write/rows.ts';
import type { Item } from '../model/model.ts';
import { groupBy } from '../text/group.ts';
import { compareCodeUnits } from '../text/order.ts';
import { normalizePath } from '../text/paths.ts';
import { pathKey } from '../text/portable-path.ts';
import { plainText } from '../text/traced.ts';
import type { EmitContext } from './reports.ts';

/**
 * `output.layout: once`: writes a skill once for all tools that read the same folder and would get the same
 * files. That folder is the one of a tool that reads no other folder, or the universal one if every enabled
 * tool that reads it wants the skill in this form. A tool that finds the source of the skill, in the form it
 * would get, gets no file.
 */
export function shareSkills(drafts: readonly Draft[], context: EmitContext): readonly Draft[] {
  const { requests, settings, sourceAt } = context;
  const { universalDir } = settings;
  const skills = plannedSkills(drafts, universalDir);
  const planned = new Set<Draft>(skills.flatMap(skill => skill.drafts));
  const others = new Set(drafts.filter(draft => !planned.has(draft)).map(foldedPath));
  const universal = universalFolder(universalDir);
  const folders: SkillFolders = {
    universal,
    readers: requests.filter(request => skillFolders(request, universalDir).includes(universal)),
    isSource: path => sourceAt(placeIn(settings, path)) !== undefined,
    isOccupied: path => others.has(pathKey(path)),
  };
  /** The new path of each file that moves; `undefined` for one that its tool reads at the source. */
  const moved = new Map<Draft, string | undefined>();
  const newPaths = new Map<string, string>();
  for (const same of groupBy(skills, ({ relativePath }) => relativePath).values()) {
    for (const [skill, folder] of chooseFolders(same, folders)) {
      for (const draft of skill.drafts) {
        const path = (folder ?? skill.source!) + draft.path.slice(skill.folder.length);
        moved.set(draft, folder === undefined ? undefined : path);
        newPaths.set(pathOfTarget(draft, draft.path), path);
      }
    }
  }
  if (moved.size === 0) return drafts;
  return drafts.flatMap((draft): Draft[] => {
    if (draft.kind === 'document') return [withNewPaths(draft, newPaths)];
    const path = moved.get(draft);
    if (path === undefined) return moved.has(draft) ? [] : [draft];
    return [{ ...draft, path }];
  });
}

const pathOfTarget = ({ request: { spec } }: Draft, path: string): string => `${spec.id}\0${path}`;

function withNewPaths(draft: DocumentDraft, newPaths: ReadonlyMap<string, string>): DocumentDraft {
  const lists = [...draft.lists].map(([section, list]) => {
    const items = list.map(one => {
      const path = one.path === undefined ? undefined : newPaths.get(pathOfTarget(draft, one.path));
      return path === undefined ? one : { ...one, path };
    });
    return [section, items] as const;
  });
  return { ...draft, lists: new Map(lists) };
}

interface SkillFolders {
  /** The folder of skills that belongs to no tool, and the enabled tools that read it. */
  readonly universal: string;
  readonly readers: readonly TargetRequest[];
  /** Whether a path is a source, which is never written. */
  readonly isSource: (path: string) => boolean;
  readonly isOccupied: (path: string) => boolean;
}

/**
 * The folders of the skills that move away from their own; `undefined` means that the target reads the
 * source. All skills have the same `rest`.
 */
function chooseFolders(
  skills: readonly PlannedSkill[],
  { universal, readers, isSource: isSourcePath, isOccupied }: SkillFolders,
): ReadonlyMap<PlannedSkill, string | undefined> {
  const folderOf = new Map<PlannedSkill, string>();
  const atSource = new Set(skills.filter(({ source }) => source !== undefined));
  const membersOf = (folder: string) => skills.filter(skill => folderOf.get(skill) === folder);
  const isSource = (folder: string) => isSourcePath(`${folder}/${skills[0]!.relativePath}`);
  const fits = (folder: string, skill: PlannedSkill) => areInterchangeable([...membersOf(folder), skill]);

  for (const skill of skills) if (skill.folders.length === 1) folderOf.set(skill, skill.folder);
  const isOpen = (skill: PlannedSkill) => !folderOf.has(skill) && !atSource.has(skill);
  for (const skill of skills.filter(isOpen)) {
    const accepts = (one: string) => membersOf(one).length > 0 && !isSource(one) && fits(one, skill);
    const folder = membersOf(skill.folder).length > 0 ? skill.folder : skill.folders.find(accepts);
    if (folder !== undefined) folderOf.set(skill, folder);
  }
  const left = skills.filter(skill => isOpen(skill) && skill.folders.includes(universal));
  const isFree =
    membersOf(universal).length === 0 &&
    !isSource(universal) &&
    !isOccupied(`${universal}/${skills[0]!.relativePath}`);
  // Every enabled tool that reads the folder must find the skill in the form that it would have alone.
  const isForReader = (request: TargetRequest) => {
    const own = skills.filter(skill => skill.request === request);
    return own.length > 0 && own.every(skill => areInterchangeable([...left, skill]));
  };
  if (left.length > 1 && isFree && readers.every(isForReader))
    for (const skill of left) folderOf.set(skill, universal);
  for (const skill of skills.filter(isOpen)) folderOf.set(skill, skill.folder);

  // A skill returns to its own folder when its target would find another version as well. Each return can
  // cause others.
  const isAway = (skill: PlannedSkill) => atSource.has(skill) || folderOf.get(skill) !== skill.folder;
  const findsOnlyItself = (skill: PlannedSkill) =>
    skill.folders.every(folder =>
      isSource(folder) ? folder === skill.source : membersOf(folder).length === 0 || fits(folder, skill),
    );
  for (;;) {
    const wrong = skills.find(skill => isAway(skill) && !findsOnlyItself(skill));
    if (!wrong) break;
    atSource.delete(wrong);
    folderOf.set(wrong, wrong.folder);
  }
  const away = skills.filter(isAway);
  return new Map(away.map(skill => [skill, atSource.has(skill) ? undefined : folderOf.get(skill)]));
}

interface PlannedSkill {
  readonly request: TargetRequest;
  /** Its `SKILL.md` first, then its resources. */
  readonly drafts: readonly [ContentDraft, ...ContentDraft[]];
  /** The folder of skills that it was planned for. */
  readonly folder: string;
  /** Path of its `SKILL.md` relative to that folder. */
  readonly relativePath: string;
  /** All folders in which the target finds it, its own first. */
  readonly folders: readonly string[];
  /** The one that contains the source, when the source equals what the target would get. */
  readonly source?: string;
}

function plannedSkills(drafts: readonly Draft[], universalDir: string): readonly PlannedSkill[] {
  const files = drafts.filter((draft): draft is ItemDraft => draft.kind === 'content' && !!draft.item);
  const skills = groupBy(files, ({ request, place, item }) =>
    [request.spec.id, place, item.path, item.name].join('\0'),
  );
  return [...skills.values()]
    .flatMap(one => plannedSkill(one, universalDir))
    .sort((a, b) => compareCodeUnits(a.request.spec.id, b.request.spec.id));
}

type ItemDraft = ContentDraft & { readonly item: Item };

function plannedSkill(drafts: readonly [ItemDraft, ...ItemDraft[]], universalDir: string): PlannedSkill[] {
  const [main] = drafts;
  const { request, place, item, path } = main;
  const folder =
    place === undefined ? universalFolder(universalDir) : ownFolder(request, place, universalDir);
  if (folder === undefined || main.resource !== undefined || !path.startsWith(`${folder}/`)) return [];
  // A skill does not move when the configuration or its source chose the folder, or when it has no place of
  // its own.
  const isMovable = request.skillBaseDir === undefined && place !== undefined && !item.keptAt?.length;
  const folders = [...new Set([folder, ...(isMovable ? foreignFolders(request) : [])])];
  const relativePath = path.slice(folder.length + 1);
  const source = folders.find(one => item.origin === `${one}/${relativePath}`);
  const skill = { request, drafts, folder, relativePath, folders };
  return [source !== undefined && equalsSource(main) ? { ...skill, source } : skill];
}

/** Whether skills can share one file, because they differ only in keys that the other targets ignore. */
function areInterchangeable(skills: readonly PlannedSkill[]): boolean {
  const values = new Map<string, string>();
  for (const { key, text } of skills.flatMap(rowsOf)) {
    if ((values.get(key) ?? plainText(text)) !== plainText(text)) return false;
    values.set(key, plainText(text));
  }
  return skills.every(skill => {
    const keys = new Set(rowsOf(skill).map(({ key }) => key));
    return (
      haveSameFiles(skills[0]!, skill) &&
      [...values.keys()].every(key => keys.has(key) || ignores(skill, key))
    );
  });
}

const rowsOf = ({ drafts: [{ rows }] }: PlannedSkill): NonNullable<ContentDraft['rows']> => rows ?? [];

/** Whether a tool ignores a key: its spec has no row for it, and unknown keys have no effect in the tool. */
function ignores({ request: { spec }, drafts: [{ place }] }: PlannedSkill, key: string): boolean {
  const file = place === undefined ? undefined : spec.files[place];
  if (file?.kind !== 'items' || spec.reads?.also?.unknown !== 'ignored') return false;
  return !(file.frontmatter ?? []).some(row => typeof row === 'object' && row.key === key);
}

const haveSameFiles = (one: PlannedSkill, other: PlannedSkill): boolean =>
  one.drafts.length === other.drafts.length &&
  one.drafts.every((draft, index) => {
    const counterpart = other.drafts[index]!;
    return (
      draft.path.slice(one.folder.length) === counterpart.path.slice(other.folder.length) &&
      draft.executable === counterpart.executable &&
      draft.format === counterpart.format &&
      bodyOf(draft) === bodyOf(counterpart)
    );
  });

/** Resources are compared by the function that reads them, which is unique per resource. */
const bodyOf = ({ body }: ContentDraft): unknown => (typeof body === 'function' ? body : plainText(body));

/** Whether the source of a skill has exactly the keys and values that would be written. */
function equalsSource({ item, rows = [], body }: ContentDraft): boolean {
  const written = item?.written;
  if (!item || !written || item.variants || item.audience || typeof body === 'function') return false;
  const fields = [
    ...[...written.keys].map(([field, key]) => [key, item.fields.get(field)] as const),
    ...(item.extra ?? []),
  ];
  const values = fields.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value, bare: false }]));
  const texts = new Set(yamlRows(values, '', words => words).map(({ text }) => plainText(text)));
  const content = item.fields.get('content');
  return (
    fields.length === texts.size &&
    rows.length === texts.size &&
    rows.every(({ text }) => texts.has(plainText(text))) &&
    plainText(body).trim() === (typeof content === 'string' ? content.trim() : '')
  );
}

/** The folder of skills or agents in the universal directory. */
export const universalFolder = (universalDir: string, of: 'skills' | 'agents' = 'skills'): string =>
  normalizePath(`${universalDir}/${of}`);

const foreignFolders = ({ spec }: TargetRequest): readonly string[] => spec.reads?.also?.skills ?? [];

/** All folders in which a tool looks for skills, in any of its versions. */
export const skillFolders = (request: TargetRequest, universalDir: string): readonly string[] => [
  ...Object.keys(request.spec.files).flatMap(place => ownFolder(request, place, universalDir) ?? []),
  ...foreignFolders(request),
];

/** The folder of skills that an entry of the spec writes; `undefined` for other entries. */
function ownFolder(request: TargetRequest, place: string, universalDir: string): string | undefined {
  const file = request.spec.files[place];
  const isFolder = file?.kind === 'items' && file.of === 'skills' && file.dir !== undefined;
  return isFolder ? itemFolder(file, request, universalDir) : undefined;
}
