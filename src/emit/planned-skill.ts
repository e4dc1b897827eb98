import type { ContentDraft, Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { yamlRows } from '../kinds/write/front-matter.ts';
import type { Item } from '../model/model.ts';
import { groupBy } from '../text/group.ts';
import { compareCode } from '../text/order.ts';
import { plain } from '../text/traced.ts';
import { foreignFolders, ownFolder, universalFolder } from './skill-folders.ts';

/** The files of one skill as they are planned for one target. */
export interface PlannedSkill {
  readonly request: TargetRequest;
  /** Its `SKILL.md` first, then its resources. */
  readonly drafts: readonly [ContentDraft, ...ContentDraft[]];
  /** The folder of skills that it is planned for. */
  readonly own: string;
  /** Path of its `SKILL.md` below that folder. */
  readonly rest: string;
  /** Every folder in which the target finds it, its own first. */
  readonly folders: readonly string[];
  /** The one of them that holds the source, when the source is what the target would get. */
  readonly source?: string;
}

/** The skills of all targets, in the order of the ids of the targets. */
export function plannedSkills(drafts: readonly Draft[], universalDir: string): readonly PlannedSkill[] {
  const folderOf = ({ request, place }: Draft) =>
    place === undefined ? universalFolder(universalDir) : ownFolder(request, place, universalDir);
  const files = drafts.flatMap(draft => {
    const own = draft.kind === 'content' && draft.item ? folderOf(draft) : undefined;
    return own === undefined ? [] : [{ own, draft: draft as ContentDraft & { readonly item: Item } }];
  });
  const skills = groupBy(files, ({ draft: { request, place, item } }) =>
    [request.spec.id, place, item.path, item.name].join('\0'),
  );
  return [...skills.values()]
    .flatMap(([first, ...others]) => plannedSkill(first.own, first.draft, others))
    .sort((a, b) => compareCode(a.request.spec.id, b.request.spec.id));
}

function plannedSkill(
  own: string,
  main: ContentDraft & { readonly item: Item },
  others: readonly { readonly draft: ContentDraft }[],
): PlannedSkill[] {
  const { request, item } = main;
  if (main.resource !== undefined || !main.path.startsWith(`${own}/`)) return [];
  // A skill whose folder the configuration or its source chose, and one without a place of its own, does not move.
  const isMovable = request.skillBaseDir === undefined && main.place !== undefined && !item.keptAt?.length;
  const folders = [...new Set([own, ...(isMovable ? foreignFolders(request) : [])])];
  const rest = main.path.slice(own.length + 1);
  const source = folders.find(folder => item.origin === `${folder}/${rest}`);
  const drafts = [main, ...others.map(({ draft }) => draft)] as const;
  const skill = { request, drafts, own, rest, folders };
  return [source !== undefined && equalsSource(main) ? { ...skill, source } : skill];
}

/**
 * Whether skills can be one file: merged as drafts for one path are, they give each target what it would get alone.
 * The texts and resources are the same, and a key that only some of them have is one that the other tools ignore.
 */
export function areInterchangeable(skills: readonly PlannedSkill[]): boolean {
  const values = new Map<string, string>();
  for (const { key, text } of skills.flatMap(rowsOf)) {
    if ((values.get(key) ?? plain(text)) !== plain(text)) return false;
    values.set(key, plain(text));
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

/** Whether the spec of a tool has no row for a key, and unknown keys change nothing in the tool. */
function ignores({ request: { spec }, drafts: [{ place }] }: PlannedSkill, key: string): boolean {
  const file = place === undefined ? undefined : spec.files[place];
  if (file?.kind !== 'items' || spec.reads?.also?.unknown !== 'ignored') return false;
  return !(file.frontmatter ?? []).some(row => typeof row === 'object' && row.key === key);
}

/** Whether two skills are the same but for front matter. */
const haveSameFiles = (one: PlannedSkill, other: PlannedSkill): boolean =>
  one.drafts.length === other.drafts.length &&
  one.drafts.every((draft, index) => {
    const counterpart = other.drafts[index]!;
    return (
      draft.path.slice(one.own.length) === counterpart.path.slice(other.own.length) &&
      draft.executable === counterpart.executable &&
      draft.format === counterpart.format &&
      bodyOf(draft) === bodyOf(counterpart)
    );
  });

/** Contents of resources are compared by the function that reads them, which each resource has once. */
const bodyOf = ({ body }: ContentDraft): unknown => (typeof body === 'function' ? body : plain(body));

/** Whether the source of a skill has exactly the keys and values that would be written. */
function equalsSource({ item, rows = [], body }: ContentDraft): boolean {
  const written = item?.written;
  if (!item || !written || item.variants || item.audience || typeof body === 'function') return false;
  const fields = [
    ...[...written.keys].map(([field, key]) => [key, item.fields.get(field)] as const),
    ...(item.extra ?? []),
  ];
  const values = fields.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value, bare: false }]));
  const texts = new Set(yamlRows(values, '', undefined).map(({ text }) => plain(text)));
  const content = item.fields.get('content');
  return (
    fields.length === texts.size &&
    rows.length === texts.size &&
    rows.every(({ text }) => texts.has(plain(text))) &&
    plain(body).trim() === (typeof content === 'string' ? content.trim() : '')
  );
}
