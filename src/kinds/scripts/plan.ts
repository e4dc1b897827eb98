import type { ScriptFiles } from '../../generated/types/target.ts';
import type { Item } from '../../model/model.ts';
import { itemText } from '../../model/sourced.ts';
import type { ContentDraft } from '../draft.ts';
import type { Planning } from '../kind.ts';
import { documentPath, fill } from '../paths.ts';
import type { Place } from '../places.ts';
import { derived, ItemFields } from '../write/fields.ts';
import { nativeHooks } from '../write/hooks.ts';
import { specPlace } from '../write/layouts.ts';
import { hookScript } from './script.ts';

/** A script for each event of the tool that has hooks. */
export function planScripts(
  { name, file }: Place<ScriptFiles>,
  { items, request, context, omissions }: Planning,
): ContentDraft[] {
  const byEvent = new Map<string, Item[]>();
  for (const { event, item } of nativeHooks(items, file.hooks, request, omissions)) {
    const others = byEvent.get(event);
    if (others) others.push(item);
    else byEvent.set(event, [item]);
    // A script runs at every event of its name, and has no words.
    const fields = new ItemFields(item, request.options, new Map());
    omissions.fields(fields, 'hooks', derived(fields), false);
  }
  const by = specPlace(request, `files.${name}`);
  return [...byEvent].map(([event, hooks]) => ({
    kind: 'content',
    path: documentPath(fill(file.path, request).replaceAll('{event}', event), request, true),
    request,
    place: name,
    body: hookScript(
      hooks.map(hook => itemText(hook, 'shell', String(hook.fields.get('shell')))),
      words => context.literal?.(words, by) ?? words,
    ),
    format: 'script',
    executable: true,
  }));
}
