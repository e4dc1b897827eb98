import type { ScriptFiles } from '../../generated/types/target.ts';
import type { Text } from '../../model/model.ts';
import { itemText } from '../../model/origin.ts';
import { groupBy } from '../../text/group.ts';
import { joinTexts } from '../../text/traced.ts';
import type { ContentDraft } from '../draft.ts';
import type { PlaceContext } from '../kind.ts';
import { ItemFields } from '../native/shapes.ts';
import { unwrittenFields } from '../omissions.ts';
import { documentPath, fillOptions, type Place } from '../places.ts';
import { specPlace } from '../write/convention.ts';
import { type NativeHook, nativeHooks } from '../write/hooks.ts';

/** The placeholder for hooks in the template of a program. */
export const hooksMark = '{hooks}';

/** Plans a script for each native event that has hooks, or one program for all of them. */
export function planScripts(
  { name, file }: Place<ScriptFiles>,
  { items, request, context, omissions }: PlaceContext,
): ContentDraft[] {
  const { template } = file;
  const natives = nativeHooks(items, file.hooks, request, omissions);
  for (const { item } of natives) {
    // A script runs for every hook of its event and contains no text; a program can distinguish tools.
    const fields = new ItemFields(item, request.options);
    if (template !== undefined) for (const field of ['matcher', 'timeout']) fields.get(field);
    omissions.fields(fields, 'hooks', unwrittenFields(fields));
  }
  if (natives.length === 0) return [];
  const by = specPlace(request, `files.${name}`);
  const literal = (words: string) => context.literal(words, by);
  const draft = (event: string, body: Text, executable: boolean): ContentDraft => ({
    kind: 'content',
    path: documentPath(fillOptions(file.path, request).replaceAll('{event}', event), request, true),
    request,
    place: name,
    body,
    format: 'script',
    executable,
  });
  if (template !== undefined) return [draft('', hookProgram(template, natives, literal), false)];
  const commandOf = ({ item }: NativeHook) => itemText(item, 'shell', String(item.fields.get('shell')));
  return [...groupBy(natives, ({ event }) => event)].map(([event, hooks]) =>
    draft(event, hookScript(hooks.map(commandOf), literal), true),
  );
}

/**
 * A POSIX script that runs commands in sequence with the same input. The first failure ends it with that
 * status, so that hooks can still block a tool by their status.
 */
export function hookScript(commands: readonly Text[], literal: (words: string) => Text): Text {
  if (commands.length === 1) return joinTexts([literal('#!/bin/sh\n'), commands[0]!, '\n']);
  const lines = commands.map(command => joinTexts([`printf '%s' "$input" | (`, command, ') || exit $?']));
  return joinTexts([literal('#!/bin/sh\ninput=$(cat)\n'), joinTexts(lines, '\n'), '\n']);
}

/** The program of a spec with the hooks filled in, one per line. */
function hookProgram(template: string, hooks: readonly NativeHook[], literal: (words: string) => Text): Text {
  const [before = '', after = ''] = template.split(hooksMark);
  const lines = hooks.map(({ event, item }) => {
    const member = (key: string, field: string) =>
      item.fields.has(field)
        ? [literal(`, "${key}": `), itemText(item, field, JSON.stringify(item.fields.get(field)))]
        : [];
    return joinTexts([
      literal(`  { "event": ${JSON.stringify(event)}`),
      ...member('command', 'shell'),
      ...member('matcher', 'matcher'),
      ...member('timeout', 'timeout'),
      literal(' }'),
    ]);
  });
  return joinTexts([literal(`${before}[\n`), joinTexts(lines, ',\n'), literal(`\n]${after}`)]);
}
