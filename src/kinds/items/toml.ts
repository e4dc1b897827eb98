import type { Data, Text } from '../../model/model.ts';
import { joinTexts } from '../../text/traced.ts';
import type { Literal } from '../write/convention.ts';
import type { RowValue } from '../write/fields.ts';
import { traceRow } from '../write/front-matter.ts';

/** Flat rows as TOML: texts of several lines as multi-line strings, tables after the plain keys. */
export function tomlRows(values: readonly RowValue[], by: string, literal: Literal): Text {
  const scalars = values.filter(({ value }) => !isTable(value));
  const tables = values.filter(({ value }) => isTable(value));
  const lines = scalars.map(row => {
    const { key, value } = row;
    return traceRow(`${tomlKey(key)} = ${tomlValue(value)}\n`, row, by, literal);
  });
  for (const row of tables) {
    const rows = table([row.key], row.value as Readonly<Record<string, Data>>).join('');
    lines.push(traceRow(rows, row, by, literal));
  }
  return joinTexts(lines);
}

const isTable = (value: Data): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function table(path: readonly string[], value: Readonly<Record<string, Data>>): string[] {
  const entries = Object.entries(value);
  const plain = entries.filter(([, item]) => !isTable(item));
  const lines = [`\n[${path.map(tomlKey).join('.')}]\n`];
  for (const [key, item] of plain) lines.push(`${tomlKey(key)} = ${tomlValue(item)}\n`);
  for (const [key, item] of entries) {
    if (isTable(item)) lines.push(...table([...path, key], item as Readonly<Record<string, Data>>));
  }
  return lines;
}

const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key));

function tomlValue(value: Data): string {
  if (typeof value === 'string') return value.includes('\n') ? tomlText(value) : tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`)
      .join(', ')} }`;
  }
  return value === null ? '""' : String(value);
}

/** JSON's escapes are a subset of those of TOML's basic strings, but for the control character 127. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F');

/** A multi-line basic string. The first line end after the opening quotes is not part of the text. */
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
