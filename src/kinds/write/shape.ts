import type { Row } from '../../generated/types/target.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { Sourced } from '../../model/origin.ts';
import type { FieldSource } from './fields.ts';
import { distinctOrigins, slotValue } from './fields.ts';

/** A place of a filled shape that a field of an item filled, and what the field was made of. */
export interface Slot {
  readonly path: readonly (string | number)[];
  readonly origins: readonly Sourced[];
}

/**
 * Fills a shape of a spec: objects with `from`, `option` or `literal` are slots, everything else stands as
 * written. A key whose slots are all absent is left out, so is an object or list that loses all its slots. `slots` takes note of
 * which field went where.
 */
export function fillShape(
  shape: unknown,
  source: FieldSource,
  slots?: Slot[],
  path: Slot['path'] = [],
): Data | undefined {
  if (Array.isArray(shape)) {
    const items: Data[] = [];
    for (const part of shape) {
      const item = fillShape(part, source, slots, [...path, items.length]);
      if (item !== undefined) items.push(item);
    }
    return items.length > 0 || shape.length === 0 ? items : undefined;
  }
  if (typeof shape !== 'object' || shape === null) return shape as Data;
  const record = shape as Record<string, unknown>;
  if (isSlot(record)) {
    const value = slot(record, source);
    const made = value === undefined || !slots ? [] : (source.origins?.(String(record.from)) ?? []);
    const origins = record.map ? distinctOrigins(made, record.map as Record<string, string>) : made;
    if (origins.length > 0) slots!.push({ path, origins });
    return value;
  }
  const filled: Record<string, Data> = Object.create(null);
  let wanted = 0;
  let present = 0;
  for (const [key, part] of Object.entries(record)) {
    const value = fillShape(part, source, slots, [...path, key]);
    const dynamic = hasSlot(part);
    if (dynamic) wanted++;
    if (value === undefined) continue;
    if (dynamic) present++;
    filled[key] = value;
  }
  return wanted > 0 && present === 0 ? undefined : filled;
}

function isSlot(record: Record<string, unknown>): boolean {
  return typeof record.from === 'string' || typeof record.option === 'string' || 'literal' in record;
}

function slot(record: Record<string, unknown>, source: FieldSource): Data | undefined {
  if ('literal' in record) return record.literal as Data;
  if (typeof record.option === 'string') {
    const value = source.option(record.option);
    return value === undefined ? (record.default as Data | undefined) : value;
  }
  return slotValue(record as Pick<Row, 'from' | 'as' | 'allow' | 'deny' | 'map' | 'default'>, source);
}

function hasSlot(shape: unknown): boolean {
  if (Array.isArray(shape)) return shape.some(hasSlot);
  if (typeof shape !== 'object' || shape === null) return false;
  const record = shape as Record<string, unknown>;
  return isSlot(record) ? !('literal' in record) : Object.values(record).some(hasSlot);
}

/** The leaves of filled data with their key paths: what a settings file owns. */
export function leavesOf(
  data: Data,
  path: readonly string[] = [],
): { path: readonly string[]; value: Data }[] {
  if (!isDataObject(data)) return [{ path, value: data }];
  return Object.entries(data).flatMap(([key, value]) => leavesOf(value, [...path, key]));
}
