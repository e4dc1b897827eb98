import type { ScriptFiles } from '../../generated/types/target.ts';
import { itemText } from '../../model/sourced.ts';
import { groupBy } from '../../text/group.ts';
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
  const natives = nativeHooks(items, file.hooks, request, omissions);
  for (const { item } of natives) {
    // A script runs at every event of its name, and has no words.
    const fields = new ItemFields(item, request.options, new Map());
    fields.get('shell');
    omissions.fields(fields, 'hooks', derived(fields), false);
  }
  const by = specPlace(request, `files.${name}`);
  return [...groupBy(natives, ({ event }) => event)].map(([event, hooks]) => ({
    kind: 'content',
    path: documentPath(fill(file.path, request).replaceAll('{event}', event), request, true),
    request,
    place: name,
    body: hookScript(
      hooks.map(({ item }) => itemText(item, 'shell', String(item.fields.get('shell')))),
      words => context.literal?.(words, by) ?? words,
    ),
    format: 'script',
    executable: true,
  }));
}
