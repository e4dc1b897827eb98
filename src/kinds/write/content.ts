import type { Item } from '../../model/model.ts';
import type { LayoutOrigin, Text } from '../../model/origin.ts';
import type { Changing } from '../../text/changing.ts';
import { groupBy } from '../../text/group.ts';
import { fillGaps, joinTexts, plain } from '../../text/traced.ts';
import { byTarget, type ContentDraft, type Draft } from '../draft.ts';
import type { EmitSettings } from '../emit-settings.ts';
import type { Several } from '../kind.ts';
import type { OutputBase, WholeFile } from '../output.ts';
import type { Rendering } from '../rendering.ts';
import { type FrontMatterRow, frontMatter, headerText, plainStart } from './front-matter.ts';
import { literalFor, specPlace } from './layouts.ts';

/** Drafts for one path and the file that was made of them. */
interface Made {
  readonly wanted: readonly Draft[];
  readonly file: WholeFile;
}

/** By the first draft. Drafts belong to settings, so that the same drafts are the same file. */
const known = new WeakMap<Draft, Made>();

/** One file of the same body; rows of front matter are united. One whose drafts disagree is made each time, to say so. */
export function renderContent(
  wanted: Several<ContentDraft>,
  base: OutputBase,
  rendering: Rendering,
): WholeFile {
  const first = wanted[0];
  const before = known.get(first);
  const isSame =
    before?.wanted.length === wanted.length && before.wanted.every((one, at) => one === wanted[at]);
  if (isSame) return before.file;
  const { count } = rendering.clashes;
  const make = wanted.some(({ headed }) => headed) ? uniteParts : unite;
  const file = make(byTarget(wanted), base, rendering);
  if (rendering.clashes.count === count) known.set(first, { wanted, file });
  return file;
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
  return unite([{ ...first, rows, body: joinTexts(bodies, '\n') }], base, rendering);
}

function unite(drafts: Several<ContentDraft>, base: OutputBase, rendering: Rendering): WholeFile {
  const { settings } = rendering;
  const first = drafts[0];
  const { item, resource, format, executable } = first;
  const { path, targets, build } = base;
  const file: Changing<WholeFile> = { kind: 'whole', path, targets, content: '', executable, format };
  if (build !== undefined) file.build = build;
  if (typeof first.body === 'function') {
    uniteRows(drafts, base, rendering);
    file.content = first.body;
    if (settings.trace && item && resource !== undefined) file.copied = { item, resource };
    return file;
  }
  // Only words that are traced come from somewhere.
  const by = settings.trace ? specPlace(first.request, `files.${first.place ?? 'fallback'}`) : '';
  const text = wholeText(drafts, first.body, by, base, rendering);
  const implied = impliedIn(drafts);
  file.content = plain(text);
  if (settings.trace) file.made = fillGaps(text, { kind: 'layout', by: (item && bundledIn(item)) ?? by });
  if (implied.length > 0) file.implied = implied;
  if (first.keys) file.keys = first.keys;
  return file;
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

/** The keys that no source says, for any of the drafts. */
function impliedIn(drafts: Several<ContentDraft>): readonly string[] {
  if (!drafts.some(({ rows }) => rows?.some(row => row.implied))) return noKeys;
  const implied = new Set<string>();
  const each = (visit: (row: FrontMatterRow) => void) => {
    drafts.forEach(({ rows }) => void rows?.forEach(visit));
  };
  each(row => {
    if (row.implied) implied.add(row.key);
  });
  each(row => {
    if (!row.implied) implied.delete(row.key);
  });
  return [...implied];
}

const noKeys: readonly string[] = [];

/** The file that the skill comes from which the compiler brings along: the one item without origins where texts are traced. */
export const bundledIn = ({ origins }: Item): string | undefined =>
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
