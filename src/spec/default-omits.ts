import { conventions } from '../generated/conventions.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import { partOf } from './part-of.ts';

/** The advice of a spec with what `conventions/omits.yaml` says wherever the spec has no words of its own. */
export function withDefaultOmits(spec: TargetSpec): NonNullable<TargetSpec['omits']> {
  const names = new Map<string, Set<string>>();
  for (const file of Object.values(spec.files)) {
    const collection = partOf(file) ?? '';
    const known = names.get(collection) ?? new Set<string>();
    names.set(collection, known);
    addNames(file, known);
  }
  const fitting = Object.entries(conventions.omits).filter(([key]) => {
    const [collection, field] = key.split('.', 2) as [string, string?];
    const known = names.get(collection);
    return field === undefined ? !known : known && !known.has(field);
  });
  const advice = fitting.map(([key, text]) => [key, text.replace('{title}', () => spec.title)]);
  return { ...Object.fromEntries(advice), ...spec.omits };
}

/** Adds the names of the slots, rows and events that a place has. */
function addNames(value: unknown, known: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { from, events } = value as { from?: unknown; events?: object };
  if (typeof from === 'string') known.add(from === 'timeout' ? 'timeoutMs' : from).add(from);
  if (events !== undefined) for (const event of Object.keys(events)) known.add(event);
  if (Array.isArray(value)) for (const inner of value) addNames(inner, known);
  else for (const key in value) addNames((value as Record<string, unknown>)[key], known);
}
