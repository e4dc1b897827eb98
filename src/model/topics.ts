import type { ResolvedBlock } from '../resolve/program.ts';
import { plain } from '../text/traced.ts';
import { blockOrigin } from './item-origins.ts';
import type { Data, Item, Prose } from './model.ts';
import { fileNameOf } from './names.ts';
import type { Text } from './origin.ts';
import { pathSegment } from './sourced.ts';
import type { Wording } from './wording.ts';

/** Each field of @standards as an item, for targets with one rule file per topic. The rest is the topic `general`. */
export function topicsOf(block: ResolvedBlock, content: readonly Prose[], words: Wording): Item[] {
  const general: Prose[] = [];
  const topics = content.flatMap(prose => {
    const name = prose.kind === 'group' ? fileNameOf(prose.key) : '';
    if (prose.kind === 'group' && name !== '') {
      const path = `standards.${pathSegment(prose.key)}`;
      return [topic(name, prose.title ?? name, path, prose.content, block, words)];
    }
    general.push(prose);
    return [];
  });
  if (general.length === 0) return topics;
  return [topic('general', words.name('General', block), 'standards', general, block, words), ...topics];
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
