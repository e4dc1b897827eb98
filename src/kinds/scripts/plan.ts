import type { ScriptFiles } from '../../generated/types/target.ts';
import { itemText } from '../../model/origin.ts';
import { groupBy } from '../../text/group.ts';
import type { ContentDraft } from '../draft.ts';
import type { Planning } from '../kind.ts';
import { leftOf } from '../omissions.ts';
import { documentPath, fill } from '../paths.ts';
import type { Place } from '../places.ts';
import { derived, ItemFields } from '../write/fields.ts';
import { type NativeHook, nativeHooks } from '../write/hooks.ts';
import { specPlace } from '../write/layouts.ts';
import { hookProgram, hookScript } from './format.ts';

/** A script for each event of the tool that has hooks, or one program for all of them. */
export function planScripts(
  { name, file }: Place<ScriptFiles>,
  { items, request, context, omissions }: Planning,
): ContentDraft[] {
  const natives = nativeHooks(items, file.hooks, request, omissions);
  for (const { item } of natives) {
    // A script runs at every event of its name, and has no words; a program can tell tools apart.
    const fields = new ItemFields(item, request.options);
    if (file.template !== undefined) for (const field of ['matcher', 'timeout']) fields.get(field);
    omissions.fields(fields, 'hooks', leftOf(fields, derived(fields)));
  }
  if (natives.length === 0) return [];
  const by = specPlace(request, `files.${name}`);
  const literal = (words: string) => context.literal?.(words, by) ?? words;
  const draft = (event: string, body: ContentDraft['body'], executable: boolean): ContentDraft => ({
    kind: 'content',
    path: documentPath(fill(file.path, request).replaceAll('{event}', event), request, true),
    request,
    place: name,
    body,
    format: 'script',
    executable,
  });
  if (file.template !== undefined) return [draft('', hookProgram(file.template, natives, literal), false)];
  const commandOf = ({ item }: NativeHook) => itemText(item, 'shell', String(item.fields.get('shell')));
  return [...groupBy(natives, ({ event }) => event)].map(([event, hooks]) =>
    draft(event, hookScript(hooks.map(commandOf), literal), true),
  );
}
