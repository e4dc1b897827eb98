import type { ContentDraft, Draft } from '../kinds/draft.ts';
import { fill } from '../kinds/paths.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { groupBy } from '../text/group.ts';
import { compareCode } from '../text/order.ts';
import { plainPath } from '../text/paths.ts';
import { plain } from '../text/traced.ts';

/** One skill as one target is to have it. */
interface Wanted {
  readonly request: TargetRequest;
  /** Its own file first, then what lies beside it. */
  readonly drafts: readonly [ContentDraft, ...ContentDraft[]];
  /** The folder of skills that it is planned for. */
  readonly own: string;
  /** Path of its own file below that. */
  readonly rest: string;
  /** Every folder in which the target finds it, its own first. */
  readonly dirs: readonly string[];
}

/**
 * `output.layout: once`: a skill lies in the fewest folders in which every tool that wants it looks. It goes where a tool
 * that looks nowhere else has it, and to a new folder only if all enabled tools that look there want it; skills whose
 * words differ by tool stay apart, and one that lies in such a folder as a source is not written at all.
 */
export function shareSkills(
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
  universalDir: string,
): readonly Draft[] {
  const wanted = findWanted(drafts, universalDir);
  const lookingIn = (dir: string) =>
    requests.filter(
      request => ownDirs(request, universalDir).includes(dir) || alsoRead(request).includes(dir),
    );
  const moved = new Map<TargetRequest, Map<string, string | undefined>>();
  for (const same of groupBy(wanted, ({ rest }) => rest).values())
    for (const [skill, dir] of chooseDirs(same, lookingIn)) {
      const paths = moved.get(skill.request) ?? new Map<string, string | undefined>();
      moved.set(skill.request, paths);
      for (const { path } of skill.drafts)
        paths.set(path, dir === undefined ? undefined : dir + path.slice(skill.own.length));
    }
  return moved.size === 0 ? drafts : drafts.flatMap(draft => moveDraft(draft, moved.get(draft.request)));
}

/** The skills of all targets whose place is that of their spec, in the order of the ids of the targets. */
function findWanted(drafts: readonly Draft[], universalDir: string): Wanted[] {
  const found = new Map<TargetRequest, Map<unknown, ContentDraft[]>>();
  for (const draft of drafts) {
    if (draft.kind !== 'content' || !draft.item || skillsPlace(draft) === undefined) continue;
    const items = found.get(draft.request) ?? new Map<unknown, ContentDraft[]>();
    found.set(draft.request, items);
    const key = `${draft.place} ${draft.item.path} ${draft.item.name}`;
    items.set(key, [...(items.get(key) ?? []), draft]);
  }
  const all = [...found].flatMap(([request, items]) =>
    [...items.values()].flatMap((files): Wanted[] => {
      const [main, ...others] = files;
      if (!main?.item || main.resource !== undefined) return [];
      const own = dirOf(skillsPlace(main)!, request, universalDir);
      if (!main.path.startsWith(`${own}/`)) return [];
      const rest = main.path.slice(own.length + 1);
      // Where a skill stands because somebody says so, it stays.
      const isFree =
        request.skillBaseDir === undefined && !main.item.stands?.length && !main.item.native?.size;
      const dirs = [own, ...(isFree ? alsoRead(request) : [])];
      return [{ request, drafts: [main, ...others], own, rest, dirs }];
    }),
  );
  return all.sort((a, b) => compareCode(a.request.spec.id, b.request.spec.id));
}

/** The folder of a place of skills, as its spec has it. */
function skillsPlace({ request: { spec }, place }: Draft): string | undefined {
  const file = place === undefined ? undefined : spec.files[place];
  return file?.kind === 'items' && file.of === 'skills' ? file.dir : undefined;
}

const dirOf = (dir: string, request: TargetRequest, universalDir: string): string =>
  request.skillBaseDir ??
  plainPath(fill(dir, request).replaceAll('{universal}', universalDir === '' ? '.' : universalDir));

const ownDirs = (request: TargetRequest, universalDir: string): string[] =>
  Object.values(request.spec.files).flatMap(file =>
    file.kind === 'items' && file.of === 'skills' && file.dir !== undefined
      ? [dirOf(file.dir, request, universalDir)]
      : [],
  );

const alsoRead = ({ spec }: TargetRequest): readonly string[] => spec.reads?.also?.skills ?? [];

/** The folder for each skill that is not to lie in its own; `undefined`: it lies in one already. */
function chooseDirs(
  skills: readonly Wanted[],
  lookingIn: (dir: string) => readonly TargetRequest[],
): Map<Wanted, string | undefined> {
  const chosen = new Map<Wanted, string | undefined>();
  const homes = new Map<string, Wanted[]>();
  const put = (skill: Wanted, dir: string) => {
    homes.set(dir, [...(homes.get(dir) ?? []), skill]);
    if (dir !== skill.own) chosen.set(skill, dir);
  };
  let open: Wanted[] = [];
  for (const skill of skills) {
    const origin = skill.drafts[0].item?.origin;
    if (skill.dirs.length === 1) put(skill, skill.own);
    else if (origin !== undefined && skill.dirs.some(dir => `${dir}/${skill.rest}` === origin))
      chosen.set(skill, undefined);
    else open.push(skill);
  }
  const isOpenTo = (dir: string) =>
    lookingIn(dir).every(request => skills.some(skill => skill.request === request));
  for (;;) {
    const left = open.filter(skill => {
      const home = skill.dirs.find(dir => homes.get(dir)?.every(other => isSame(skill, other)));
      if (home !== undefined) put(skill, home);
      return home === undefined;
    });
    const best = [...new Set(left.flatMap(({ dirs }) => dirs))]
      .sort(compareCode)
      .filter(dir => !homes.has(dir) && isOpenTo(dir))
      .map(dir => ({ dir, group: sameIn(left, dir) }))
      .reduce<{ dir: string; group: readonly Wanted[] } | undefined>(
        (most, one) => (one.group.length > (most?.group.length ?? 1) ? one : most),
        undefined,
      );
    if (!best) return chosen;
    for (const skill of best.group) put(skill, best.dir);
    open = left.filter(skill => !best.group.includes(skill));
  }
}

/** Skills that can lie in a folder together, as the first of them has it. */
function sameIn(skills: readonly Wanted[], dir: string): readonly Wanted[] {
  const group: Wanted[] = [];
  for (const skill of skills)
    if (skill.dirs.includes(dir) && group.every(other => isSame(skill, other))) group.push(skill);
  return group;
}

/** Whether one file can be both: no key has other words, and what they say is the same. */
function isSame(one: Wanted, other: Wanted): boolean {
  if (one.drafts.length !== other.drafts.length) return false;
  return one.drafts.every((draft, at) => {
    const its = other.drafts[at]!;
    const rows = new Map((its.rows ?? []).map(({ key, text }) => [key, plain(text)]));
    return (
      draft.path.slice(one.own.length) === its.path.slice(other.own.length) &&
      draft.executable === its.executable &&
      (typeof draft.body === 'function' || typeof its.body === 'function'
        ? draft.body === its.body
        : plain(draft.body) === plain(its.body)) &&
      (draft.rows ?? []).every(({ key, text }) => (rows.get(key) ?? plain(text)) === plain(text))
    );
  });
}

/** A draft where it is to lie, and lists that name it there. */
function moveDraft(draft: Draft, paths: ReadonlyMap<string, string | undefined> | undefined): Draft[] {
  if (!paths) return [draft];
  if (draft.kind === 'document') {
    const lists = [...draft.lists].map(
      ([section, list]) =>
        [
          section,
          list.map(one => {
            if (one.path === undefined || !paths.has(one.path)) return one;
            return { ...one, path: paths.get(one.path) ?? one.item.origin ?? one.path };
          }),
        ] as const,
    );
    return [{ ...draft, lists: new Map(lists) }];
  }
  if (!paths.has(draft.path)) return [draft];
  const path = paths.get(draft.path);
  return path === undefined ? [] : [{ ...draft, path }];
}
