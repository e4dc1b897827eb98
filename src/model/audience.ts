import { splitList } from '../text/split-list.ts';
import { isDataObject, strings } from './data.ts';
import type { Audience, Data } from './model.ts';

/** Takes what says for whom an entry is out of its fields. An empty list of tools is for none. */
export function takeAudience(fields: Map<string, Data>): Audience | undefined {
  const [targets, except] = ['targets', 'except'].map(key => {
    const value = fields.get(key);
    // `targets` of hooks may also hold changes for single tools.
    if (value === undefined || value === null || isDataObject(value)) return undefined;
    fields.delete(key);
    return typeof value === 'string' ? splitList(value) : strings(value);
  });
  if (targets === undefined && except === undefined) return undefined;
  return { ...(targets && { targets }), ...(except && { except }) };
}
