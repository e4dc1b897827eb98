import { importNothingKnown } from '../../generated/diagnostics.ts';
import type { ScriptFiles } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import type { Reader } from '../kind.ts';
import { commandsOfScript, type NativeHook, portableHooks, readHook } from '../read/hooks.ts';
import { partsOf } from '../read/parts.ts';

/** A script that holds nothing but the commands of an event; any other one is a program and stays one. */
export const reader: Reader<ScriptFiles> = {
  read: async (source, { hooks: facts }, { name: event, report }) => {
    const commands = commandsOfScript(source.text);
    if (!commands) {
      report(importNothingKnown({ path: source.name }, { file: source.name }));
      return undefined;
    }
    const hooks: NativeHook[] = [];
    const unreadable: string[] = [];
    for (const command of commands) {
      const fields = new Map<string, Data>([['shell', command]]);
      const read = readHook({ fields, unknown: new Map() }, event, facts);
      if ('unreadable' in read) unreadable.push(read.unreadable);
      else hooks.push(read);
    }
    const items = portableHooks(hooks, facts).map(hook => ({ block: 'hooks', ...hook }));
    return partsOf({ items, unreadable }, source, report);
  },
};
