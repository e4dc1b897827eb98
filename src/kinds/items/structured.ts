import { stringify } from 'yaml';
import { isDataObject } from '../../model/data.ts';
import type { Data, Text } from '../../model/model.ts';
import { joinTexts } from '../../text/traced.ts';
import type { FilledSlot } from '../native/shapes.ts';
import type { Literal } from '../write/convention.ts';
import { type RowValue, traceRow } from '../write/rows.ts';

/**
 * Renders a whole structured file: the rows first, then the keys of the filled shape. `by` is their place in
 * the spec.
 */
export function structured(
  format: 'toml' | 'yaml' | 'json',
  rows: readonly RowValue[],
  entry: Data | undefined,
  by: string,
  literal: Literal,
  slots: readonly FilledSlot[],
): Text {
  const keys = Object.entries(isDataObject(entry) ? entry : {});
  const values: RowValue[] = [
    ...rows,
    ...keys.map(([key, value]) => ({
      key,
      value,
      origins: slots.flatMap(slot => (slot.path[0] === key ? slot.origins : [])),
    })),
  ];
  if (format === 'toml') return tomlRows(values, by, literal);
  const object: Record<string, Data> = Object.create(null);
  for (const { key, value } of values) object[key] = value;
  return format === 'json' ? `${JSON.stringify(object, null, 2)}\n` : stringify(object, { lineWidth: 0 });
}

/** Renders flat rows as TOML: multi-line texts as multi-line strings, tables after plain keys. */
export function tomlRows(values: readonly RowValue[], by: string, literal: Literal): Text {
  const lines = values.map(row => {
    const { key, value } = row;
    const text = isDataObject(value) ? table([key], value) : `${tomlKey(key)} = ${tomlValue(value)}\n`;
    return { isTable: isDataObject(value), text: traceRow(text, row, by, literal) };
  });
  const sorted = [...lines.filter(({ isTable }) => !isTable), ...lines.filter(({ isTable }) => isTable)];
  return joinTexts(sorted.map(({ text }) => text));
}

function table(path: readonly string[], value: { readonly [key: string]: Data }): string {
  const keys: string[] = [];
  const tables: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (isDataObject(item)) tables.push(table([...path, key], item));
    else keys.push(`${tomlKey(key)} = ${tomlValue(item)}\n`);
  }
  return [`\n[${path.map(tomlKey).join('.')}]\n`, ...keys, ...tables].join('');
}

const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key));

function tomlValue(value: Data): string {
  if (typeof value === 'string') return value.includes('\n') ? tomlText(value) : tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isDataObject(value)) return value === null ? '""' : String(value);
  const members = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`);
  return `{ ${members.join(', ')} }`;
}

/** JSON escapes are a subset of those of TOML basic strings, except for control character 127. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F');

/** A multi-line basic string. The line end after the opening quotes is not part of the text. */
function tomlText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replace(/"{3,}/g, quotes => quotes.replaceAll('"', '\\"'))
    .replace(/"$/, '\\"')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f]/g,
      char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    );
  return `"""\n${escaped}"""`;
}
