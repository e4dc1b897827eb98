/** Scripts and programs that run hooks, written and read back. */
import type { Data, Text } from '../../model/model.ts';
import { itemText } from '../../model/origin.ts';
import { joinTexts } from '../../text/traced.ts';
import type { NativeHook } from '../write/hooks.ts';

/**
 * A POSIX script that runs commands one after the other with the same input. The first failure ends it with that
 * status, so that a tool that blocks on a status still can.
 */
export function hookScript(commands: readonly Text[], literal: (words: string) => Text): Text {
  if (commands.length === 1) return joinTexts([literal('#!/bin/sh\n'), commands[0]!, '\n']);
  const lines = commands.map(command => joinTexts([`printf '%s' "$input" | (`, command, ') || exit $?']));
  return joinTexts([literal('#!/bin/sh\ninput=$(cat)\n'), joinTexts(lines, '\n'), '\n']);
}

/**
 * The commands of a script that a compiler wrote for an event; `undefined` for any other script, which says more than
 * a list of commands can.
 */
export function commandsOfScript(text: string): string[] | undefined {
  const lines = text.replace(/\r\n?/g, '\n').trimEnd().split('\n');
  if (lines[0] !== '#!/bin/sh') return undefined;
  if (lines.length === 2) return [lines[1]!];
  if (lines[1] !== 'input=$(cat)') return undefined;
  const commands = lines
    .slice(2)
    .map(line => /^printf '%s' "\$input" \| \((.*)\) \|\| exit \$\?$/.exec(line)?.[1]);
  return commands.every(command => command !== undefined) ? (commands as string[]) : undefined;
}

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
