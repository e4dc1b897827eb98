import type { Data } from '../model/model.ts';
import { splitList } from '../text/split-list.ts';

import type { ImportedItem } from './items.ts';

/** A skill that only says when to read which rule is a guard that its tool has no other place for. */
export function guardInSkill({ key, fields, unknown }: ImportedItem): ImportedItem | undefined {
  const text = fields.get('description');
  const found = typeof text === 'string' ? readDescription(text) : undefined;
  if (!found || unknown.size > 0) return undefined;
  if ([...fields.keys()].some(name => !['description', 'content'].includes(name))) return undefined;
  const globs = splitList(found.globs);
  if (!globs.every(glob => /^!?\S+$/.test(glob) && /[*/]/.test(glob))) return undefined;
  const guard = new Map<string, Data>([['applyTo', globs]]);
  if (found.description !== undefined) guard.set('description', found.description);
  const content = fields.get('content');
  if (content !== undefined) guard.set('content', content);
  return { block: 'guards', key, fields: guard, unknown };
}

/** The wording that emit gives such a skill. */
function readDescription(
  text: string,
): { readonly description?: string; readonly globs: string } | undefined {
  const behind = /^([^\n]+)\. Applies to: (\S[^\n]*)$/.exec(text);
  if (behind) return { description: behind[1]!, globs: behind[2]! };
  const whole = /^Rules for (\S[^\n]*)$/.exec(text);
  return whole ? { globs: whole[1]! } : undefined;
}
