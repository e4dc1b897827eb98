import type { ContentDraft, Draft } from '../kinds/draft.ts';
import { draftsAt } from '../kinds/items/plan.ts';
import type { Item } from '../model/model.ts';
import { itemText } from '../model/sourced.ts';
import { itemPlaces } from '../spec/item-places.ts';
import { plainPath } from '../text/paths.ts';
import { joinTexts, plain, traced } from '../text/traced.ts';
import type { TargetPlan } from './target-plan.ts';

/**
 * Drafts items that name their files (`into`), for a tool that knows such a place: there they keep their own front matter
 * and text. They get no other file.
 */
export function placeKept(plan: TargetPlan): Draft[] {
  if (plan.request.output !== undefined) return [];
  return (['guards', 'commands', 'agents', 'skills', 'checks'] as const).flatMap(collection =>
    plan.items[collection].flatMap(item => {
      const drafts = (item.keptAt ?? []).flatMap(path => draftsFor(item, path, plan));
      if (drafts.length > 0) plan.items[collection] = plan.items[collection].filter(one => one !== item);
      return drafts;
    }),
  );
}

function draftsFor(item: Item, path: string, plan: TargetPlan): readonly ContentDraft[] {
  if (plainPath(path) !== path || path.split('/').includes('..')) return [];
  const { request, context } = plan;
  const places = itemPlaces(request.spec, context.universalDir);
  const place = places.find(({ nameIn }) => nameIn(path) !== undefined);
  if (!place) return [];
  const { name, file } = place;
  const head = item.written?.head;
  if ((file?.format ?? 'markdown') === 'markdown' && head !== undefined)
    return asWritten(item, head, path, { request, place: name });
  return file === undefined ? [] : draftsAt(path, item, { name: name!, file }, plan);
}

/** Drafts of the front matter and text of the source, and of its resources. */
function asWritten(
  item: Item,
  head: string,
  path: string,
  where: Pick<ContentDraft, 'request' | 'place'>,
): readonly ContentDraft[] {
  const content = item.fields.get('content');
  const text = typeof content === 'string' ? content : '';
  const lines = item.origins ? traced(head, item.origins.name) : head;
  const base = path.slice(0, path.lastIndexOf('/') + 1);
  const main: ContentDraft = {
    kind: 'content',
    ...where,
    item,
    path,
    rows: plain(lines) === '' ? [] : [{ key: '', text: lines }],
    body: joinTexts([itemText(item, 'content', text), text === '' ? '' : '\n']),
    format: 'markdown',
    executable: false,
  };
  const resources = item.resources.map(
    (resource): ContentDraft => ({
      kind: 'content',
      ...where,
      item,
      path: base + resource.path,
      resource: resource.path,
      body: resource.read,
      format: 'other',
      executable: resource.executable,
    }),
  );
  return [main, ...resources];
}
