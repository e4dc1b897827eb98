import { audienceWider } from '../../generated/diagnostics.ts';
import type { EntriesFile, SettingsFile } from '../../generated/types/target.ts';
import type { Item, LayoutOrigin, Text } from '../../model/model.ts';
import { equalData, isObject } from '../../text/data.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { groupBy } from '../../text/group.ts';
import { fewNames, fewQuoted } from '../../text/names.ts';
import { fillOrigins, joinTexts, plainText } from '../../text/traced.ts';
import type { ContentDraft, EntriesDraft } from '../draft.ts';
import type { NonEmpty, RenderContext } from '../kind.ts';
import type { ImpliedKey, Json, KeyEdit, OutputBase, SharedFile, WholeFile } from '../output.ts';
import { documentPath, fillOptions, type Place } from '../places.ts';
import type { EmitSettings, TargetRequest } from '../request.ts';
import { literalFor, specPlace } from './convention.ts';
import { frontMatter, headerText, plainStart } from './rows.ts';

/** Merges drafts with the same body to one file; front matter rows are merged by key. */
export function renderContent(
  drafts: NonEmpty<ContentDraft>,
  base: OutputBase,
  rendering: RenderContext,
): WholeFile {
  const all = drafts.some(({ headed }) => headed) ? ([joinParts(drafts, base, rendering)] as const) : drafts;
  const { settings } = rendering;
  const [first] = all;
  const { item, resource, format, executable, body, keys } = first;
  const file = { ...base, kind: 'whole', executable, format } as const;
  const rows = mergeRows(all, base, rendering);
  if (typeof body === 'function') {
    const isCopy = settings.trace && item && resource !== undefined;
    return { ...file, content: body, ...(isCopy && { copied: { item, resource } }) };
  }
  const by = specPlace(first.request, `files.${first.place ?? 'fallback'}`);
  const implied = impliedIn(all);
  return {
    ...file,
    ...contentOf(wholeText(first, body, rows, by, settings), settings, (item && bundledSource(item)) ?? by),
    ...(implied.length > 0 && { implied }),
    ...(first.plain !== undefined && { plain: first.plain }),
    ...(keys && { keys }),
  };
}

/** Joins drafts of items that share a file, in program order. Drafts of one item must agree. */
function joinParts(drafts: NonEmpty<ContentDraft>, base: OutputBase, rendering: RenderContext): ContentDraft {
  const order = Object.values(rendering.model.items).flatMap(items => items.map(({ path }) => path));
  const ranks = new Map(order.map((path, rank) => [path, rank]));
  const rankOf = ({ item }: ContentDraft) => ranks.get(item?.path ?? '') ?? -1;
  const groups = [...groupBy(drafts, ({ item }) => item?.path ?? '').values()];
  groups.sort(([a], [b]) => rankOf(a) - rankOf(b));
  for (const group of groups) mergeRows(group, base, rendering);
  const bodies = groups.flatMap(([{ body }]) => (typeof body === 'function' ? [] : [body]));
  const rows = groups.flatMap(([draft]) => draft.rows ?? []);
  return { ...groups[0]![0], rows, body: joinTexts(bodies, '\n') };
}

function wholeText(
  { format, path }: ContentDraft,
  body: Text,
  rows: ReadonlyMap<string, Text>,
  by: string,
  settings: EmitSettings,
): Text {
  const literal = literalFor(settings);
  const above = format === 'markdown' ? headerText(settings.header, literal) : '';
  const head = frontMatter([...rows.values()], by, literal);
  // A plain text has no front matter.
  const isBare =
    format === 'markdown' && !path.endsWith('.txt') && rows.size === 0 && plainText(above) === '';
  return joinTexts([head, above, isBare ? plainStart(body, literal) : body]);
}

/** The keys that have no meaning for the tools of all drafts. */
function impliedIn(drafts: NonEmpty<ContentDraft>): readonly ImpliedKey[] {
  const rows = drafts.flatMap(draft => draft.rows ?? []);
  const stated = new Set(rows.flatMap(row => (row.implied ? [] : row.key)));
  const keys = [...new Set(rows.map(({ key }) => key))].filter(key => !stated.has(key));
  const isEverywhere = ({ key, value }: ImpliedKey) =>
    drafts.every(({ implied = [] }) => implied.some(one => one.key === key && equalData(one.value, value)));
  return [...keys.map(key => ({ key })), ...(drafts[0].implied ?? []).filter(isEverywhere)];
}

/** The file of the bundled skill, which is the only item without origins when texts are traced. */
export const bundledSource = ({ origins }: Item): string | undefined =>
  origins ? undefined : 'conventions/language-skill.md';

/** The rows of all drafts by key. Different values of one key, and different bodies, are conflicts. */
function mergeRows(
  drafts: NonEmpty<ContentDraft>,
  { path }: OutputBase,
  { clashes }: RenderContext,
): ReadonlyMap<string, Text> {
  const first = drafts[0];
  const rows = new Map<string, Text>();
  drafts.forEach(draft => {
    draft.rows?.forEach(row => {
      const present = rows.get(row.key);
      if (present === undefined) rows.set(row.key, row.text);
      else if (plainText(present) !== plainText(row.text))
        clashes.add(path, first, draft, [...rows.keys()].indexOf(row.key) + 2);
    });
    if (typeof first.body === 'function' || draft.body === first.body) return;
    const one = plainText(first.body);
    const other = typeof draft.body === 'function' ? '' : plainText(draft.body);
    if (one !== other) clashes.add(path, first, draft, firstDifference(one, other) + rows.size + 3);
  });
  return rows;
}

export const contentOf = (
  text: Text,
  { trace }: EmitSettings,
  by: LayoutOrigin['by'],
): Pick<WholeFile, 'content' | 'unformatted'> =>
  trace
    ? { content: plainText(text), unformatted: fillOrigins(text, { kind: 'layout', by }) }
    : { content: plainText(text) };

export function firstDifference(a: string, b: string): number {
  const left = a.split('\n');
  const right = b.split('\n');
  const index = left.findIndex((line, at) => line !== right[at]);
  return (index === -1 ? left.length : index) + 1;
}

export function editsDraft(
  { name, file }: Place<EntriesFile | SettingsFile>,
  request: TargetRequest,
  edits: readonly KeyEdit[],
): EntriesDraft {
  const path = documentPath(fillOptions(file.path, request), request, true);
  const isPrivate = file.kind === 'settings' && file.private === true;
  return { kind: 'entries', path, request, place: name, format: file.format, edits, private: isPrivate };
}

/** Merges the edits of several targets for one file. Different values at one path are a conflict. */
export function renderEdits(
  drafts: NonEmpty<EntriesDraft>,
  base: OutputBase,
  rendering: RenderContext,
): SharedFile {
  return {
    kind: 'shared',
    ...base,
    format: drafts[0].format,
    edits: unite(drafts, base.path, rendering),
    ...(drafts.some(draft => draft.private) && { private: true }),
  };
}

function unite(drafts: readonly EntriesDraft[], path: string, { clashes, report }: RenderContext): KeyEdit[] {
  const joined = new Map<string, { edit: KeyEdit; draft: EntriesDraft }>();
  for (const draft of drafts) {
    for (const edit of draft.edits) {
      const key = JSON.stringify(edit.kind === 'element' ? [edit.path, edit.value] : [edit.path]);
      const known = joined.get(key);
      if (!known) {
        joined.set(key, { edit, draft });
        continue;
      }
      const { value, differs } = mergeValues(known.edit.value, edit.value);
      if (differs)
        clashes.add(path, known.draft, draft, { key: [...edit.path, ...differs], about: edit.about });
      joined.set(key, { edit: { ...known.edit, value }, draft: known.draft });
    }
  }
  if (drafts.length > 1) reportAddedKeys(drafts, path, report);
  return [...joined.values()].map(({ edit }) => edit);
}

/** Reports keys that an entry adds for one tool and that others read as well without setting them. */
function reportAddedKeys(drafts: readonly EntriesDraft[], path: string, report: Report): void {
  const all = drafts.flatMap(({ edits, request }) => edits.map(edit => ({ edit, request })));
  const byPath = groupBy(all, ({ edit }) => edit.path.join('\0'));
  for (const { edit, request } of all) {
    const { added, about, kind } = edit;
    if (!added || about === undefined || kind !== 'set') continue;
    const same = byPath.get(edit.path.join('\0'))!;
    const without = same.filter(
      other => other.request !== request && !added.every(key => other.edit.added?.includes(key)),
    );
    const others = [...new Set(without.map(other => other.request.spec.id))];
    if (others.length === 0) continue;
    const holes = {
      path,
      entries: fewQuoted(added.map(key => `${about}.${key}`)),
      others: fewNames(others),
      verb: others.length === 1 ? 'reads' : 'read',
      meant: request.spec.id,
    };
    report(audienceWider(holes, { file: path, about, span: request.at }));
  }
}

/** Merges two values, or returns where they contradict each other first. Objects may have different keys. */
function mergeValues(a: Json, b: Json): { readonly value: Json; readonly differs?: readonly string[] } {
  if (!isObject(a) || !isObject(b)) return equalData(a, b) ? { value: a } : { value: a, differs: [] };
  const united: Record<string, Json> = Object.assign(Object.create(null), a);
  for (const [key, value] of Object.entries(b)) {
    if (!Object.hasOwn(a, key)) {
      united[key] = value;
      continue;
    }
    const both = mergeValues(a[key]!, value);
    if (both.differs) return { value: a, differs: [key, ...both.differs] };
    united[key] = both.value;
  }
  return { value: united };
}
