import type { ContentDraft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { yamlRows } from '../kinds/write/front-matter.ts';
import type { Data } from '../model/model.ts';
import { plain } from '../text/traced.ts';

/** A skill as planned for one target. */
export interface Skill {
  readonly request: TargetRequest;
  /** Its own file first, then what lies beside it. */
  readonly drafts: readonly [ContentDraft, ...ContentDraft[]];
  /** The folder of skills that it is planned for. */
  readonly own: string;
  /** Path of its own file below that. */
  readonly rest: string;
  /** Every folder in which the target finds it, its own first. */
  readonly dirs: readonly string[];
  /** The one of them in which the source itself lies, when the source is what the target would get. */
  readonly source?: string;
}

/**
 * Whether each of these skills, put into one file as drafts for one path are, is what its target would get alone: the same
 * text, the same files beside it, and no key more, but for those that the tool is known to ignore.
 */
export function areOne(skills: readonly Skill[]): boolean {
  const [first, ...others] = skills;
  if (!first) return true;
  const keys = new Map<string, string>();
  for (const { drafts } of skills)
    for (const { key, text } of drafts[0].rows ?? []) {
      if ((keys.get(key) ?? plain(text)) !== plain(text)) return false;
      keys.set(key, plain(text));
    }
  return (
    others.every(other => haveSameFiles(first, other)) &&
    skills.every(skill => {
      const own = new Set((skill.drafts[0].rows ?? []).map(({ key }) => key));
      return [...keys.keys()].every(key => own.has(key) || ignores(skill, key));
    })
  );
}

/** Whether a tool ignores a key: it has no row for it, and its spec says that unknown keys change nothing. */
function ignores({ request: { spec }, drafts: [{ place }] }: Skill, key: string): boolean {
  const file = place === undefined ? undefined : spec.files[place];
  const isUnknown =
    file?.kind === 'items' &&
    !(file.frontmatter ?? []).some(row => typeof row === 'object' && row.key === key);
  return isUnknown && spec.reads?.also?.unknown === 'ignored';
}

/** Whether two skills are the same but for front matter. */
const haveSameFiles = (one: Skill, other: Skill): boolean =>
  one.drafts.length === other.drafts.length &&
  one.drafts.every((draft, at) => {
    const its = other.drafts[at]!;
    return (
      draft.path.slice(one.own.length) === its.path.slice(other.own.length) &&
      draft.executable === its.executable &&
      draft.format === its.format &&
      (typeof draft.body === 'function' || typeof its.body === 'function'
        ? draft.body === its.body
        : plain(draft.body) === plain(its.body))
    );
  });

/** Whether the Markdown file of a skill has exactly the keys and values that would be written. */
export function isAsWritten({ item, rows = [], body }: ContentDraft): boolean {
  const written = item?.written;
  // Keys that only this compiler reads stand there, too.
  if (!item || !written || item.variants || item.audience || typeof body === 'function') return false;
  const said: [string, Data | undefined][] = [
    ...[...written.keys].map(([field, key]) => [key, item.fields.get(field)] as [string, Data | undefined]),
    ...(item.extra ?? []),
  ];
  const content = item.fields.get('content');
  const own = yamlRows(
    said.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value, bare: false }])),
    '',
    undefined,
  );
  const texts = new Set(own.map(({ text }) => plain(text)));
  return (
    said.length === own.length &&
    rows.length === texts.size &&
    rows.every(({ text }) => texts.has(plain(text))) &&
    plain(body).trim() === (typeof content === 'string' ? content.trim() : '')
  );
}
