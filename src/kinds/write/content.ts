import type { Item, LayoutOrigin, Text } from '../../model/model.ts';
import { groupBy } from '../../text/group.ts';
import { fillGaps, joinTexts, plain } from '../../text/traced.ts';
import { byTarget, type ContentDraft } from '../draft.ts';
import type { EmitSettings } from '../emit-settings.ts';
import type { Several } from '../kind.ts';
import type { OutputBase, WholeFile } from '../output.ts';
import type { Rendering } from '../rendering.ts';
import { frontMatter, headerText, plainStart } from './front-matter.ts';
import { literalFor, specPlace } from './layouts.ts';

/** One file of the same body; rows of front matter are merged by key. */
export function renderContent(
  wanted: Several<ContentDraft>,
  base: OutputBase,
  rendering: Rendering,
): WholeFile {
  const unite = wanted.some(({ headed }) => headed) ? uniteParts : uniteDrafts;
  return unite(byTarget(wanted), base, rendering);
}

/** Drafts of several items, each a part of the file: those of one item agree, and the parts stand in the order of the program. */
function uniteParts(drafts: Several<ContentDraft>, base: OutputBase, rendering: Rendering): WholeFile {
  const order = Object.values(rendering.model.items).flatMap(items => items.map(({ path }) => path));
  const rank = (draft: ContentDraft) => order.indexOf(draft.item?.path ?? '');
  const groups = [...groupBy(drafts, ({ item }) => item?.path ?? '').values()].sort(
    ([a], [b]) => rank(a) - rank(b),
  );
  for (const group of groups) uniteRows(group, base, rendering);
  const [first] = groups[0]!;
  const bodies = groups.flatMap(([{ body }]) => (typeof body === 'function' ? [] : [body]));
  const rows = groups.flatMap(([draft]) => draft.rows ?? []);
  return uniteDrafts([{ ...first, rows, body: joinTexts(bodies, '\n') }], base, rendering);
}

function uniteDrafts(drafts: Several<ContentDraft>, base: OutputBase, rendering: Rendering): WholeFile {
  const { settings } = rendering;
  const [first] = drafts;
  const { item, resource, format, executable, body, keys } = first;
  const file = { ...base, kind: 'whole', executable, format } as const;
  if (typeof body === 'function') {
    uniteRows(drafts, base, rendering);
    const isCopy = settings.trace && item && resource !== undefined;
    return { ...file, content: body, ...(isCopy && { copied: { item, resource } }) };
  }
  const by = specPlace(first.request, `files.${first.place ?? 'fallback'}`);
  const text = wholeText(drafts, body, by, base, rendering);
  const implied = impliedIn(drafts);
  return {
    ...file,
    ...contentOf(text, settings, (item && bundledSource(item)) ?? by),
    ...(implied.length > 0 && { implied }),
    ...(keys && { keys }),
  };
}

/** Front matter, header and body of a file. */
function wholeText(
  drafts: Several<ContentDraft>,
  body: Text,
  by: string,
  base: OutputBase,
  rendering: Rendering,
): Text {
  const { settings } = rendering;
  const [{ format, path }] = drafts;
  const literal = literalFor(settings);
  const above = format === 'markdown' ? headerText(settings.header, literal) : '';
  const rows = uniteRows(drafts, base, rendering);
  const head = frontMatter([...rows.values()], by, literal);
  // Nothing is front matter in a plain text.
  const isBare = format === 'markdown' && !path.endsWith('.txt') && rows.size === 0 && plain(above) === '';
  return joinTexts([head, above, isBare ? plainStart(body, literal) : body]);
}

/** The keys that the spec adds and that no source has for any of the drafts. */
function impliedIn(drafts: Several<ContentDraft>): readonly string[] {
  const rows = drafts.flatMap(draft => draft.rows ?? []);
  const stated = new Set(rows.flatMap(row => (row.implied ? [] : row.key)));
  const implied = rows.flatMap(row => (row.implied && !stated.has(row.key) ? row.key : []));
  return [...new Set(implied)];
}

/** The file that the skill comes from which the compiler brings along: the one item without origins where texts are traced. */
export const bundledSource = ({ origins }: Item): string | undefined =>
  origins ? undefined : 'conventions/language-skill.md';

/** The rows of all drafts by their keys; other words under one key, and other bodies, are disagreements. */
function uniteRows(
  drafts: Several<ContentDraft>,
  { path }: OutputBase,
  { clashes }: Rendering,
): ReadonlyMap<string, Text> {
  const first = drafts[0];
  const rows = new Map<string, Text>();
  drafts.forEach(draft => {
    draft.rows?.forEach(row => {
      const there = rows.get(row.key);
      if (there === undefined) rows.set(row.key, row.text);
      else if (plain(there) !== plain(row.text))
        clashes.add(path, first, draft, [...rows.keys()].indexOf(row.key) + 2);
    });
    if (typeof first.body === 'function' || draft.body === first.body) return;
    const one = plain(first.body);
    const other = typeof draft.body === 'function' ? '' : plain(draft.body);
    if (one !== other) clashes.add(path, first, draft, firstDifference(one, other) + rows.size + 3);
  });
  return rows;
}

/** The content of a file, with its origins where it is traced. */
export const contentOf = (
  text: Text,
  { trace }: EmitSettings,
  by: LayoutOrigin['by'],
): Pick<WholeFile, 'content' | 'made'> =>
  trace ? { content: plain(text), made: fillGaps(text, { kind: 'layout', by }) } : { content: plain(text) };

/** The first line that is not the same in both. */
export function firstDifference(a: string, b: string): number {
  const left = a.split('\n');
  const right = b.split('\n');
  const index = left.findIndex((line, at) => line !== right[at]);
  return (index === -1 ? left.length : index) + 1;
}
