import type { Json } from '../kinds/output.ts';
import { equalJson } from './canonical.ts';
import type { KeyChange } from './plan.ts';
import { type PathSegment, type SharedFormat, SharedText, valueAt } from './shared-format.ts';

interface UndoneText {
  readonly text: string;
  /** Keys that have neither the value before the run nor that after it; their earlier value is in `text`. */
  readonly edited: readonly string[];
  readonly bare: boolean;
}

/**
 * Reverts the changes of a run, key by key, in a shared file that may have been edited since. `made` are the
 * objects and arrays that the run created; they are removed when empty. `undefined` when the text cannot be
 * parsed, or not be changed without affecting the rest.
 */
export function undoKeys(
  format: SharedFormat,
  text: string,
  changes: readonly KeyChange[],
  made: readonly (readonly string[])[],
): UndoneText | undefined {
  const parsed = format.parse(text);
  if ('problem' in parsed) return undefined;
  const result = new SharedText(format, text, parsed.value);
  const edited: string[] = [];
  const put = (place: readonly PathSegment[], next: Json | undefined) => {
    if (next !== undefined || valueAt(result.value, place) !== undefined) result.put(place, next);
  };

  for (const { kind, path, before, after } of [...changes].reverse()) {
    const now = valueAt(result.value, path);
    if (kind === 'set') {
      if (same(now, before)) continue;
      if (!same(now, after)) edited.push(path.join('.'));
      put(path, before);
      continue;
    }
    const items = Array.isArray(now) ? (now as readonly Json[]) : [];
    const at = items.findIndex(item => same(item, after));
    const restored = before !== undefined && items.some(item => same(item, before));
    if (at !== -1) put([...path, at], restored ? undefined : before);
    else if (!restored && before !== undefined) put([...path, items.length], before);
    else if (after !== undefined && !restored && items.length > 0) edited.push(path.join('.'));
  }
  for (const path of [...made].sort((a, b) => b.length - a.length))
    if (path.length > 0 && result.isEmptied(path)) put(path, undefined);
  return result.isExact() ? { text: result.text, edited, bare: result.isEmptied() } : undefined;
}

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : equalJson(a, b);
