import { strings } from '../../../model/data.ts';
import type { Data } from '../../../model/model.ts';
import { readLaidOut, templateTree } from '../../../spec/template-read.ts';
import { splitList } from '../../../text/split-list.ts';

import type { ImportedItem } from '../../read/items.ts';

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

/** What emit says in the description of such a skill, by the template that it uses. */
function readDescription(
  text: string,
): { readonly description?: string; readonly globs: string } | undefined {
  if (text.includes('\n')) return undefined;
  const read = readLaidOut(templateTree('body:rule-description')!, text);
  const globs = strings(read?.globs);
  if (globs.length === 0) return undefined;
  const description = read?.description;
  return { globs: globs.join(', '), ...(typeof description === 'string' && { description }) };
}
