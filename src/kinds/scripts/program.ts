import type { Data } from '../../model/model.ts';
import type { Text } from '../../model/origin.ts';
import { itemText } from '../../model/sourced.ts';
import { joinTexts } from '../../text/traced.ts';
import type { NativeHook } from '../write/hooks.ts';

const mark = '{hooks}';

/** A program of a spec with the hooks in it, one on each line. */
export function hookProgram(
  template: string,
  hooks: readonly NativeHook[],
  literal: (words: string) => Text,
): Text {
  const [before = '', after = ''] = template.split(mark);
  const lines = hooks.map(({ event, item }) => {
    const quoted = (field: string) => itemText(item, field, JSON.stringify(item.fields.get(field)));
    const parts = ['matcher', 'timeout'].flatMap(field =>
      item.fields.has(field) ? [literal(`, "${field}": `), quoted(field)] : [],
    );
    const command = [literal(', "command": '), quoted('shell')];
    return joinTexts([literal(`  { "event": ${JSON.stringify(event)}`), ...command, ...parts, literal(' }')]);
  });
  return joinTexts([literal(`${before}[\n`), joinTexts(lines, ',\n'), literal(`\n]${after}`)]);
}

/** The list of hooks in a program that was made of a template; `undefined` for any other program. */
export function hooksOfProgram(template: string, text: string): string | undefined {
  const [before = '', after = ''] = template.split(mark);
  const plain = text.replace(/\r\n?/g, '\n');
  if (!plain.startsWith(before) || !plain.trimEnd().endsWith(after.trimEnd())) return undefined;
  return plain.slice(before.length, plain.trimEnd().length - after.trimEnd().length);
}

/** What a hook of such a list says. */
export interface ProgramHook {
  readonly event?: Data;
  readonly command?: Data;
  readonly matcher?: Data;
  readonly timeout?: Data;
}
