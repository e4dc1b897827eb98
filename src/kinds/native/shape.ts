/** Shapes of a spec: structures with slots, filled and read back. */
import { isBlank, isDataObject } from '../../model/data.ts';
import type { Data, Sourced } from '../../model/model.ts';
import { sameUnordered } from '../../text/equal.ts';
import { distinctOrigins, type FieldSource, type ReadBack, readSlot, type Slot, slotValue } from './slots.ts';

/** A place of a filled shape that a field of an item filled, and what the field was made of. */
export interface FilledSlot {
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
  slots?: FilledSlot[],
  path: FilledSlot['path'] = [],
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
  return slotValue(record as Slot, source);
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

/** How well a shape explains data: matched slots and literals, less what it leaves unexplained. */
export interface ShapeMatch extends ReadBack {
  readonly score: number;
}

/**
 * Reads data by the shape that would write it. A list in the shape with one element stands for any number: `split`
 * in the result has one match for each, with the fields around it.
 */
export function readShape(shape: unknown, data: Data): ShapeMatch[] {
  const matches = readPart(shape, data);
  return matches.map(({ fields, unknown, score }) => ({ fields, unknown, score: score - unknown.size }));
}

function readPart(shape: unknown, data: Data): ShapeMatch[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(data) || shape.length !== 1)
      return [{ ...nothing(), score: sameUnordered(shape, data) ? 1 : -1 }];
    return data.flatMap(item => readPart(shape[0], item));
  }
  if (typeof shape !== 'object' || shape === null) return [{ ...nothing(), score: shape === data ? 2 : -2 }];
  const record = shape as Record<string, unknown>;
  if (typeof record.from === 'string') {
    if (sameUnordered(record.default, data) || isBlank(data)) return [{ ...nothing(), score: 1 }];
    return [
      { fields: new Map([[record.from, readSlot(record as Slot, data)]]), unknown: new Map(), score: 1 },
    ];
  }
  if ('literal' in record) return [{ ...nothing(), score: sameUnordered(record.literal, data) ? 2 : -2 }];
  if (typeof record.option === 'string') return [{ ...nothing(), score: 0 }];
  if (!isDataObject(data)) return [{ fields: new Map(), unknown: new Map([['', data]]), score: -1 }];
  let results: ShapeMatch[] = [{ ...nothing(), score: 0 }];
  for (const [key, value] of Object.entries(data)) {
    const parts: ShapeMatch[] = Object.hasOwn(record, key)
      ? readPart(record[key], value)
      : [{ fields: new Map(), unknown: new Map([[key, value]]), score: 0 }];
    results = results.flatMap(result => parts.map(part => join(result, part, key)));
  }
  return results;
}

const nothing = (): ReadBack => ({ fields: new Map(), unknown: new Map() });

function join(a: ShapeMatch, b: ShapeMatch, key: string): ShapeMatch {
  const named = [...b.unknown].map(([name, value]) => [name === '' ? key : name, value] as const);
  return {
    fields: new Map([...a.fields, ...b.fields]),
    unknown: new Map([...a.unknown, ...named]),
    score: a.score + b.score,
  };
}
