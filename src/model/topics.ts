import type { ResolvedBlock } from '../resolve/program.ts';
import { plain } from '../text/traced.ts';
import { blockOrigin } from './item-origins.ts';
import type { Data, Item, Prose } from './model.ts';
import { fileNameOf } from './names.ts';
import type { Text } from './origin.ts';
import { pathSegment } from './sourced.ts';
import type { Wording } from './wording.ts';

/** Each field of @standards as an item, of what its section holds: what a target with one rule file per topic writes. */
export function addTopics(
  topics: Item[],
  block: ResolvedBlock,
  content: readonly Prose[],
  words: Wording,
): void {
  const general: Prose[] = [];
  for (const prose of content) {
    const name = prose.kind === 'group' ? fileNameOf(prose.key) : '';
    if (prose.kind !== 'group' || name === '') general.push(prose);
    else
      topics.push(
        topic(name, prose.title ?? name, `standards.${pathSegment(prose.key)}`, prose.content, block, words),
      );
  }
  if (general.length > 0)
    topics.unshift(topic('general', words.name('General', block), 'standards', general, block, words));
}

function topic(
  name: string,
  title: Text,
  path: string,
  prose: readonly Prose[],
  block: ResolvedBlock,
  words: Wording,
): Item {
  const fields = new Map<string, Data>([
    ['name', name],
    ['title', plain(title)],
  ]);
  const origin = typeof title === 'string' ? undefined : title.runs[0]?.origin;
  return {
    name,
    path,
    fields,
    computed: new Set(['name', 'title']),
    resources: [],
    prose,
    ...(words.traced && {
      origins: { block: blockOrigin(block), name: origin ?? blockOrigin(block), fields: new Map() },
    }),
  };
}
