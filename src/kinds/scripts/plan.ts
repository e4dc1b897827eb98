import type { ScriptFiles } from '../../generated/types/target.ts';
import type { Item } from '../../model/model.ts';
import { itemText } from '../../model/sourced.ts';
import type { ContentDraft } from '../draft.ts';
import type { Planning } from '../kind.ts';
import { type Omissions, textOf } from '../omissions.ts';
import { documentPath, fill } from '../paths.ts';
import type { Place } from '../places.ts';
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
    omitFields(item, omissions);
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

/** What a script cannot say: it runs at every event of its name, and has no words. */
const unsaid = ['matcher', 'statusMessage', 'timeoutMs', 'continueOnFailure', 'description'];

function omitFields(item: Item, omissions: Omissions): void {
  for (const field of unsaid) {
    const value = item.fields.get(field);
    if (value !== undefined && !item.computed.has(field))
      omissions.add(`${item.path}.${field}`, textOf(value), omissions.adviceFor('hooks', field, value));
  }
}
