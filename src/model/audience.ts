import { strings } from './data.ts';
import type { Audience, Data } from './model.ts';

/** Takes what says for whom an entry is out of its fields. */
export function takeAudience(fields: Map<string, Data>): Audience | undefined {
  const [targets, except] = ['targets', 'except'].map(key => {
    const value = fields.get(key);
    const names = strings(value);
    // `targets` of hooks may also hold changes for single tools.
    if (names.length > 0) fields.delete(key);
    return names;
  });
  if (targets!.length === 0 && except!.length === 0) return undefined;
  return {
    ...(targets!.length > 0 && { targets: targets! }),
    ...(except!.length > 0 && { except: except! }),
  };
}
