import type { Row } from '../generated/types/target.ts';
import type { DataPath } from '../text/yaml.ts';
import { type Fault, reportUnknown } from './fault.ts';
import { mergedFields, plain } from './merge-stanza.ts';

/** Front matter rows of `conventions/rows.yaml`, by name: single ones, and whole front matters. */
export interface SharedRows {
  readonly rows: Readonly<Record<string, Row>>;
  readonly lists: Readonly<Record<string, readonly (string | Row)[]>>;
}

/** Rows as the engine knows them; `fault` is called for names that do not exist, which stay. */
export function expandRows(at: DataPath, rows: unknown, shared: SharedRows, fault: Fault): unknown {
  if (typeof rows === 'string' && !Object.hasOwn(shared.lists, rows))
    reportUnknown(fault, at, 'row list', rows, Object.keys(shared.lists));
  for (const [index, row] of Array.isArray(rows) ? rows.entries() : []) {
    const name = rowName(row);
    if (name === undefined || Object.hasOwn(shared.rows, name)) continue;
    const place = typeof row === 'string' ? [...at, index] : [...at, index, 'use'];
    reportUnknown(fault, place, 'row', name, Object.keys(shared.rows));
  }
  return rowsOf(rows, shared);
}

/** The shared row that a row is, or that it `use`s with something of its own. */
function rowName(row: unknown): string | undefined {
  const name = typeof row === 'string' ? row : plain(row)?.use;
  return typeof name === 'string' ? name : undefined;
}

/** Rows with the shared ones looked up; names that do not exist stay. */
export function rowsOf(rows: unknown, shared: SharedRows): unknown {
  const list = typeof rows === 'string' && Object.hasOwn(shared.lists, rows) ? shared.lists[rows] : rows;
  if (!Array.isArray(list)) return list;
  return list.map(row => {
    const name = rowName(row);
    if (name === undefined || !Object.hasOwn(shared.rows, name)) return row;
    const { use: _use, ...own } = plain(row) ?? {};
    return mergedFields({ ...shared.rows[name] }, own);
  });
}
