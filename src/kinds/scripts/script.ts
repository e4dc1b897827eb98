import type { Text } from '../../model/origin.ts';
import { joinTexts } from '../../text/traced.ts';

/**
 * A POSIX script that runs commands one after the other with the same input. The first failure ends it with that
 * status, so that a tool that blocks on a status still can.
 */
export function hookScript(commands: readonly Text[], literal: (words: string) => Text): Text {
  if (commands.length === 1) return joinTexts([literal('#!/bin/sh\n'), commands[0]!, '\n']);
  const lines = commands.map(command => joinTexts([`printf '%s' "$input" | (`, command, ') || exit $?']));
  return joinTexts([literal('#!/bin/sh\ninput=$(cat)\n'), joinTexts(lines, '\n'), '\n']);
}
