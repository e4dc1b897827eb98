import { type Draft, foldedPath } from '../kinds/draft.ts';
import { placeIn } from '../kinds/paths.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { groupBy } from '../text/group.ts';
import { pathKey } from '../text/portable-path.ts';
import type { LayoutContext } from './layout-context.ts';
import { areInterchangeable, type PlannedSkill, plannedSkills } from './planned-skill.ts';
import { skillFolders, universalFolder } from './skill-folders.ts';

/**
 * `output.layout: once`: writes a skill once for all tools that look in one folder and would get the very same there.
 * That folder is the one of a tool that looks nowhere else, or the universal one when every enabled tool that looks there
 * wants the skill as it is. A tool that finds the source itself, as it would get it, gets no file.
 */
export function shareSkills(drafts: readonly Draft[], context: LayoutContext): readonly Draft[] {
  const { requests, settings, sourceAt } = context;
  const skills = plannedSkills(drafts, settings.universalDir);
  const planned = new Set<Draft>(skills.flatMap(skill => skill.drafts));
  const others = new Set(drafts.filter(draft => !planned.has(draft)).map(foldedPath));
  const folders: SkillFolders = {
    universal: universalFolder(settings.universalDir),
    isSource: path => sourceAt(placeIn(settings, path)) !== undefined,
    isTaken: path => others.has(pathKey(path)),
    readersOf: folder =>
      requests.filter(request => skillFolders(request, settings.universalDir).includes(folder)),
  };
  const moved = new Map<Draft, string | undefined>();
  const newPaths = new Map<string, string>();
  for (const same of groupBy(skills, ({ rest }) => rest).values()) {
    for (const [skill, folder] of chooseFolders(same, folders)) {
      for (const draft of skill.drafts) {
        const path = (folder ?? skill.source!) + draft.path.slice(skill.own.length);
        moved.set(draft, folder === undefined ? undefined : path);
        newPaths.set(pathOfTarget(skill.request, draft.path), path);
      }
    }
  }
  return drafts.flatMap(draft => moveDraft(draft, moved, newPaths));
}

const pathOfTarget = ({ spec }: TargetRequest, path: string): string => `${spec.id}\0${path}`;

/** Where the skills of a project can be written. */
interface SkillFolders {
  /** The folder of skills that belongs to no tool. */
  readonly universal: string;
  /** Whether a path is a source, which is never written. */
  readonly isSource: (path: string) => boolean;
  /** Whether something else is written to a path. */
  readonly isTaken: (path: string) => boolean;
  /** The enabled tools that look for skills in a folder. */
  readonly readersOf: (folder: string) => readonly TargetRequest[];
}

/**
 * The folders of those of the skills that are not written to their own one; `undefined`: the target reads the source.
 * All skills have one path below their folders.
 */
function chooseFolders(
  skills: readonly PlannedSkill[],
  folders: SkillFolders,
): ReadonlyMap<PlannedSkill, string | undefined> {
  const folderOf = new Map<PlannedSkill, string>();
  const members = new Map<string, Set<PlannedSkill>>();
  const atSource = new Set(skills.filter(({ source }) => source !== undefined));
  const membersOf = (folder: string) => [...(members.get(folder) ?? [])];
  const put = (skill: PlannedSkill, folder: string) => {
    members.get(folderOf.get(skill) ?? '')?.delete(skill);
    folderOf.set(skill, folder);
    members.set(folder, (members.get(folder) ?? new Set()).add(skill));
  };
  const isSource = (folder: string, { rest }: PlannedSkill) => folders.isSource(`${folder}/${rest}`);
  const accepts = (folder: string, skill: PlannedSkill) =>
    membersOf(folder).length > 0 &&
    !isSource(folder, skill) &&
    areInterchangeable([...membersOf(folder), skill]);

  for (const skill of skills) if (skill.folders.length === 1) put(skill, skill.own);
  const isOpen = (skill: PlannedSkill) => !folderOf.has(skill) && !atSource.has(skill);
  for (const skill of skills.filter(isOpen)) {
    const isInOwn = membersOf(skill.own).length > 0;
    const folder = isInOwn ? skill.own : skill.folders.find(one => accepts(one, skill));
    if (folder !== undefined) put(skill, folder);
  }
  const { universal } = folders;
  const left = skills.filter(skill => isOpen(skill) && skill.folders.includes(universal));
  const path = `${universal}/${skills[0]!.rest}`;
  const isFree = membersOf(universal).length === 0 && !folders.isSource(path) && !folders.isTaken(path);
  if (left.length > 1 && isFree && isForAllReaders(left, skills, folders))
    for (const skill of left) put(skill, universal);
  for (const skill of skills.filter(isOpen)) put(skill, skill.own);

  // A skill returns to its own folder when its target would find something else as well. Each return can cause others.
  const isAway = (skill: PlannedSkill) => atSource.has(skill) || folderOf.get(skill) !== skill.own;
  const findsOnlyItself = (skill: PlannedSkill) =>
    skill.folders.every(folder =>
      isSource(folder, skill)
        ? folder === skill.source
        : membersOf(folder).length === 0 || areInterchangeable([...membersOf(folder), skill]),
    );
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const skill of skills) {
      if (!isAway(skill) || findsOnlyItself(skill)) continue;
      atSource.delete(skill);
      put(skill, skill.own);
      isStable = false;
    }
  }
  const away = skills.filter(isAway);
  return new Map(away.map(skill => [skill, atSource.has(skill) ? undefined : folderOf.get(skill)]));
}

/** Whether every enabled tool that looks in the universal folder gets there the skill that it would have alone. */
const isForAllReaders = (
  candidates: readonly PlannedSkill[],
  skills: readonly PlannedSkill[],
  { universal, readersOf }: SkillFolders,
): boolean =>
  readersOf(universal).every(request => {
    const own = skills.filter(skill => skill.request === request);
    return own.length > 0 && own.every(skill => areInterchangeable([...candidates, skill]));
  });

/** A draft at its new path; lists of documents name the new paths. */
function moveDraft(
  draft: Draft,
  moved: ReadonlyMap<Draft, string | undefined>,
  newPaths: ReadonlyMap<string, string>,
): Draft[] {
  if (draft.kind === 'document') {
    const newPath = (path: string | undefined) =>
      path === undefined ? undefined : newPaths.get(pathOfTarget(draft.request, path));
    const lists = [...draft.lists].map(([section, list]) => {
      const items = list.map(one => ({ ...one, ...(newPath(one.path) && { path: newPath(one.path)! }) }));
      return [section, items] as const;
    });
    return [newPaths.size === 0 ? draft : { ...draft, lists: new Map(lists) }];
  }
  if (!moved.has(draft)) return [draft];
  const path = moved.get(draft);
  return path === undefined ? [] : [{ ...draft, path }];
}
