import { importNothingKnown } from '../../generated/diagnostics.ts';
import type { HookFacts, ScriptFiles } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import type { Reader } from '../kind.ts';
import { type NativeHook, portableHooks, readHook } from '../read/hooks.ts';
import { parseData } from '../read/parse-data.ts';
import { partsOf } from '../read/parts.ts';
import { commandsOfScript, hooksOfProgram, type ProgramHook } from './format.ts';

/** A hook by the words that `readHook` takes, with the tool's name of its event. */
interface Found {
  readonly event: string;
  readonly fields: Map<string, Data>;
}

/** A script or program that holds nothing but hooks; any other one is a program and stays one. */
export const reader: Reader<ScriptFiles> = {
  read: async (source, { hooks: facts, template }, { name, report }) => {
    const found =
      template === undefined ? inScript(source.text, name) : await inProgram(source.text, template);
    if (!found) {
      report(importNothingKnown({ path: source.name }, { file: source.name }));
      return undefined;
    }
    return partsOf(readAll(found, facts), source, report);
  },
};

function readAll(found: readonly Found[], facts: HookFacts) {
  const hooks: NativeHook[] = [];
  const unreadable: string[] = [];
  for (const { event, fields } of found) {
    const read = readHook({ fields, unknown: new Map() }, event, facts);
    if ('unreadable' in read) unreadable.push(read.unreadable);
    else hooks.push(read);
  }
  return { items: portableHooks(hooks, facts).map(hook => ({ block: 'hooks', ...hook })), unreadable };
}

const inScript = (text: string, event: string): Found[] | undefined =>
  commandsOfScript(text)?.map(command => ({ event, fields: new Map([['shell', command]]) }));

async function inProgram(text: string, template: string): Promise<Found[] | undefined> {
  const list = hooksOfProgram(template, text);
  const parsed = list === undefined ? undefined : await parseData(list, 'json');
  if (!parsed || 'problem' in parsed || !Array.isArray(parsed.data)) return undefined;
  return parsed.data.map((hook: ProgramHook) => {
    const { event, command, matcher, timeout } = hook;
    const said = Object.entries({ shell: command, matcher, timeout }).filter(
      ([, value]) => value !== undefined,
    );
    return { event: String(event ?? ''), fields: new Map(said as [string, Data][]) };
  });
}
