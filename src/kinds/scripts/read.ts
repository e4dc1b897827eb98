import { importNothingKnown } from '../../generated/diagnostics.ts';
import type { ScriptFiles } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import type { Reader } from '../kind.ts';
import { withFields } from '../native/shapes.ts';
import { readHooks } from '../read/hooks.ts';
import { asMap } from '../read/items.ts';
import { parseData } from '../read/parse-data.ts';
import { partsOf } from '../read/parts.ts';
import { hooksMark } from './plan.ts';

/** Reads a script or program that consists only of hooks; any other stays a program. */
export const readScript: Reader<ScriptFiles> = async (
  source,
  { hooks: facts, template },
  { name, report },
) => {
  const text = source.text.replace(/\r\n?/g, '\n').trimEnd();
  const found =
    template === undefined
      ? commandsOfScript(text)?.map(shell => hookOf(name, { shell }))
      : await inProgram(text, template);
  if (found) return partsOf(readHooks(found, facts), source, report);
  report(importNothingKnown({ path: source.name }, { file: source.name }));
  return undefined;
};

/** The commands of a script that a compiler wrote for an event; `undefined` for any other script. */
export function commandsOfScript(text: string): string[] | undefined {
  const [first, second, ...rest] = text.trimEnd().split('\n');
  if (first !== '#!/bin/sh' || second === undefined) return undefined;
  if (rest.length === 0) return [second];
  if (second !== 'input=$(cat)') return undefined;
  const commands = rest.flatMap(
    line => /^printf '%s' "\$input" \| \((.*)\) \|\| exit \$\?$/.exec(line)?.[1] ?? [],
  );
  return commands.length === rest.length ? commands : undefined;
}

/** The hooks in a program that was made from a template; `undefined` for any other program. */
async function inProgram(text: string, template: string): Promise<ReturnType<typeof hookOf>[] | undefined> {
  const [before = '', after = ''] = template.split(hooksMark);
  const end = after.trimEnd();
  if (!text.startsWith(before) || !text.endsWith(end)) return undefined;
  const parsed = await parseData(text.slice(before.length, text.length - end.length), 'json');
  if ('problem' in parsed || !Array.isArray(parsed.data)) return undefined;
  return parsed.data.map(hook => {
    const { event, command: shell, matcher, timeout } = Object.fromEntries(asMap(hook));
    return hookOf(String(event ?? ''), { shell, matcher, timeout });
  });
}

const hookOf = (native: string, fields: Readonly<Record<string, Data | undefined>>) => ({
  native,
  read: withFields({ fields: new Map(), unknown: new Map() }, fields),
});
