import { splitList } from '../text/split-list.ts';
import { isDataObject, strings } from './data.ts';
import type { Audience, Data } from './model.ts';

/** The name of all tools in `targets`; other compilers write it into files that we read. */
export const everyTool = '*';

/** Removes the audience of an entry from its fields and returns it. An empty list of tools is for none, `*` for every tool. */
export function takeAudience(fields: Map<string, Data>): Audience | undefined {
  const [targets, except] = ['targets', 'except'].map(key => {
    const value = fields.get(key);
    // `targets` of hooks may also hold changes for single tools.
    if (value === undefined || value === null || isDataObject(value)) return undefined;
    fields.delete(key);
    return typeof value === 'string' ? splitList(value) : strings(value);
  });
  const named = targets?.includes(everyTool) ? undefined : targets;
  if (named === undefined && except === undefined) return undefined;
  return { ...(named && { targets: named }), ...(except && { except }) };
}
