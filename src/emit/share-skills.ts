import { type ContentDraft, type Draft, foldedPath } from '../kinds/draft.ts';
import type { EmitSettings, SourceAt } from '../kinds/emit-settings.ts';
import { placeIn } from '../kinds/paths.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { groupBy } from '../text/group.ts';
import { compareCode } from '../text/order.ts';
import type { Pieces } from '../text/pieces.ts';
import { pathKey } from '../text/portable-path.ts';
import { alsoRead, filledDir, foldersOf, universalFolder } from './skill-folders.ts';
import { chooseHomes, type SkillPlaces } from './skill-homes.ts';
import { isAsWritten, type Skill } from './skill-texts.ts';

/**
 * `output.layout: once`: a skill lies once for all tools that look in one folder and would get the very same there, in the
 * place of a copy in the folder of each. That folder is one which a tool that looks nowhere else has anyway, or the universal
 * one, when every enabled tool that looks there wants the skill as it is. Skills that differ by tool stay apart; for a tool
 * that finds the source itself as it would get it, nothing is written. In pieces.
 */
export function* shareSkills(
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
  settings: Pick<EmitSettings, 'baseDir' | 'universalDir'>,
  sourceAt: SourceAt,
): Pieces<readonly Draft[]> {
  const universal = universalFolder(settings.universalDir);
  const wanted = yield* findSkills(drafts, universal, settings.universalDir);
  if (wanted.every(({ dirs }) => dirs.length === 1)) return drafts;
  const known = new Set(wanted.flatMap(skill => skill.drafts));
  const others = new Set(
    drafts.flatMap(draft => (known.has(draft as ContentDraft) ? [] : [foldedPath(draft)])),
  );
  const folders = new Map(requests.map(request => [request, foldersOf(request, settings.universalDir)]));
  const places: SkillPlaces = {
    universal,
    isSource: path => sourceAt(placeIn(settings, path)) !== undefined,
    isTaken: path => others.has(pathKey(path)),
    lookingIn: dir => requests.filter(request => folders.get(request)!.includes(dir)),
  };
  const moved = new Map<Draft, string | undefined>();
  const renamed = new Map<TargetRequest, Map<string, string>>();
  yield;
  for (const same of groupBy(wanted, ({ rest }) => rest).values()) {
    for (const [skill, dir] of chooseHomes(same, places)) {
      const paths = renamed.get(skill.request) ?? new Map<string, string>();
      renamed.set(skill.request, paths);
      for (const draft of skill.drafts) {
        const path = (dir ?? skill.source!) + draft.path.slice(skill.own.length);
        moved.set(draft, dir === undefined ? undefined : path);
        paths.set(draft.path, path);
      }
    }
    yield;
  }
  return drafts.flatMap(draft => moveDraft(draft, moved, renamed.get(draft.request)));
}

/** The skills of all targets, in the order of the ids of the targets. */
function* findSkills(
  drafts: readonly Draft[],
  universal: string,
  universalDir: string,
): Pieces<readonly Skill[]> {
  const skills: Skill[] = [];
  for (const [request, own] of groupBy(drafts, draft => draft.request)) {
    // Most of what a tool gets are other things, which the folder of their place tells.
    const dirs = new Map(
      [...new Set(own.map(({ place }) => place))].map(place => [
        place,
        dirOf({ request, place }, universal, universalDir),
      ]),
    );
    const items = new Map<string, ContentDraft[]>();
    for (const draft of own) {
      if (draft.kind !== 'content' || !draft.item || dirs.get(draft.place) === undefined) continue;
      const key = `${draft.place} ${draft.item.path} ${draft.item.name}`;
      const files = items.get(key);
      if (files) files.push(draft);
      else items.set(key, [draft]);
    }
    for (const files of items.values()) skills.push(...skillOf(request, files, dirs.get(files[0]!.place)!));
    yield;
  }
  return skills.sort((a, b) => compareCode(a.request.spec.id, b.request.spec.id));
}

function skillOf(request: TargetRequest, [main, ...others]: readonly ContentDraft[], own: string): Skill[] {
  if (!main?.item || main.resource !== undefined || !main.path.startsWith(`${own}/`)) return [];
  const { item } = main;
  // Items with a place of their own choice, and those without any, stay.
  const isFree = request.skillBaseDir === undefined && main.place !== undefined && !item.stands?.length;
  const dirs = [own, ...(isFree ? alsoRead(request).filter(dir => dir !== own) : [])];
  const rest = main.path.slice(own.length + 1);
  const source = dirs.find(dir => item.origin === `${dir}/${rest}`);
  const skill: Skill = { request, drafts: [main, ...others], own, rest, dirs };
  return [source !== undefined && isAsWritten(main) ? { ...skill, source } : skill];
}

/** The folder of skills that a file is planned for: the universal one where the tool has no place for skills. */
function dirOf(
  { request, place }: Pick<Draft, 'request' | 'place'>,
  universal: string,
  universalDir: string,
): string | undefined {
  if (place === undefined) return universal;
  const file = request.spec.files[place];
  return file?.kind === 'items' && file.of === 'skills' && file.dir !== undefined
    ? filledDir(file.dir, request, universalDir)
    : undefined;
}

/** A draft at its new path, or with lists that name the new paths. */
function moveDraft(
  draft: Draft,
  moved: ReadonlyMap<Draft, string | undefined>,
  renamed: ReadonlyMap<string, string> | undefined,
): Draft[] {
  if (draft.kind === 'document' && renamed) {
    const lists = [...draft.lists].map(
      ([section, list]) =>
        [
          section,
          list.map(one => {
            const path = one.path === undefined ? undefined : renamed.get(one.path);
            return path === undefined ? one : { ...one, path };
          }),
        ] as const,
    );
    return [{ ...draft, lists: new Map(lists) }];
  }
  if (!moved.has(draft)) return [draft];
  const path = moved.get(draft);
  return path === undefined ? [] : [{ ...draft, path }];
}
