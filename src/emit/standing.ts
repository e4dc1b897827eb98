import type { ContentDraft, Draft } from '../kinds/draft.ts';
import { draftsAt } from '../kinds/items/plan.ts';
import type { Item } from '../model/model.ts';
import { itemText } from '../model/sourced.ts';
import { type ItemPlace, itemPlaces } from '../spec/item-places.ts';
import { plainPath } from '../text/paths.ts';
import { joinTexts, plain, traced } from '../text/traced.ts';
import type { Placing } from './placing.ts';

/**
 * Items that say in which files they stand (`into`): for a tool that knows such a place they stand there, with the
 * front matter and the text that they have, and are placed nowhere else.
 */
export function placeStanding(placing: Placing): Draft[] {
  if (placing.request.output !== undefined) return [];
  const drafts: Draft[] = [];
  for (const collection of ['guards', 'commands', 'agents', 'skills', 'checks'] as const) {
    const items = placing.items[collection];
    const standing = new Map(
      items.flatMap(item => {
        if (!item.stands) return [];
        const found = item.stands.flatMap(path => draftsFor(item, path, placing));
        return found.length > 0 ? [[item, found] as const] : [];
      }),
    );
    if (standing.size === 0) continue;
    drafts.push(...[...standing.values()].flat());
    placing.items[collection] = items.filter(item => !standing.has(item));
  }
  return drafts;
}

function draftsFor(item: Item, path: string, placing: Placing): readonly ContentDraft[] {
  const place = placeAt(path, placing);
  if (!place) return [];
  const { name, file } = place;
  const head = item.written?.head;
  const isText = file === undefined || (file.format ?? 'markdown') === 'markdown';
  if (isText && head !== undefined) return asWritten(item, head, path, place, placing);
  return file === undefined ? [] : draftsAt(path, item, { name: name!, file }, placing);
}

/** The entry of a spec that a path lies in. */
function placeAt(path: string, { request, context }: Placing): ItemPlace | undefined {
  if (plainPath(path) !== path || path.split('/').includes('..')) return undefined;
  return itemPlaces(request.spec, context.universalDir).find(({ nameIn }) => nameIn(path) !== undefined);
}

/** Drafts of the front matter and text of the source, and of its further files. */
function asWritten(
  item: Item,
  head: string,
  path: string,
  { name }: ItemPlace,
  { request }: Placing,
): readonly ContentDraft[] {
  const content = item.fields.get('content');
  const text = typeof content === 'string' ? content : '';
  const lines = item.origins ? traced(head, item.origins.name) : head;
  const common = { kind: 'content', request, place: name, item } as const;
  const base = path.slice(0, path.lastIndexOf('/') + 1);
  return [
    {
      ...common,
      path,
      rows: plain(lines) === '' ? [] : [{ key: '', text: lines }],
      body: joinTexts([itemText(item, 'content', text), text === '' ? '' : '\n']),
      format: 'markdown',
      executable: false,
    },
    ...item.resources.map(
      (resource): ContentDraft => ({
        ...common,
        path: base + resource.path,
        resource: resource.path,
        body: resource.read,
        format: 'other',
        executable: resource.executable,
      }),
    ),
  ];
}
