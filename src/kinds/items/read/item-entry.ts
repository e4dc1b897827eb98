import type { ItemFiles } from '../../../generated/types/target.ts';
import { blockOf, keyOfItem } from '../../../model/collections.ts';
import type { Data } from '../../../model/model.ts';
import { readShape } from '../../native/shape.ts';
import { readReferences } from '../../native/variables.ts';
import { type NativeHook, portableHooks, readHook } from '../../read/hooks.ts';
import { itemFields, serverFields } from '../../read/items.ts';
import type { ItemsRead } from '../../read/parts.ts';

/** A structured file that is one hook, one server or one item. */
export function readItemEntry(data: Data, file: ItemFiles, name: string): ItemsRead {
  const matches = readShape(file.entry ?? {}, readReferences(data, file.variables));
  if (!file.hooks) {
    const items = matches.map(match => ({
      block: blockOf(file.of),
      key: keyOfItem(file.of, name),
      ...(file.of === 'mcpServers'
        ? serverFields(match, textIn(match.fields.get('transport')))
        : itemFields(match, name)),
    }));
    return { items };
  }
  const hooks: NativeHook[] = [];
  const unreadable: string[] = [];
  for (const match of matches) {
    const read = readHook(match, String(match.fields.get('nativeEvent') ?? ''), file.hooks);
    if ('unreadable' in read) unreadable.push(read.unreadable);
    else hooks.push({ id: name, ...read });
  }
  return { items: portableHooks(hooks, file.hooks).map(hook => ({ block: 'hooks', ...hook })), unreadable };
}

const textIn = (data: Data | undefined): string | undefined => (typeof data === 'string' ? data : undefined);
