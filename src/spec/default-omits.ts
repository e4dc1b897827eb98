import { conventions } from '../generated/conventions.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import { partOf } from './part-of.ts';

/** The advice of a spec with what `conventions/omits.yaml` says wherever the spec has no words of its own. */
export function withDefaultOmits(spec: TargetSpec): NonNullable<TargetSpec['omits']> {
  const places = Object.values(spec.files);
  const fitting = Object.entries(conventions.omits).filter(([key]) => {
    const [collection, field] = key.split('.', 2) as [string, string?];
    const own = places.filter(file => partOf(file) === collection);
    return field === undefined ? own.length === 0 : own.length > 0 && !own.some(file => knows(file, field));
  });
  return { ...Object.fromEntries(fitting), ...spec.omits };
}

/** Whether a place has a slot, a row or an event of that name. */
function knows(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { from, events } = value as { from?: unknown; events?: object };
  const timed = name === 'timeoutMs' && from === 'timeout';
  return (
    from === name ||
    timed ||
    (events !== undefined && Object.hasOwn(events, name)) ||
    Object.values(value).some(inner => knows(inner, name))
  );
}
