import { stringify } from 'yaml';
import type { Data } from '../model/model.ts';
import type { RowValue } from './fields.ts';

/** Strings that mean the same with and without quotes in every YAML version. */
const plain = /^[A-Za-z][A-Za-z0-9 _./()-]*[A-Za-z0-9_./()]$|^[A-Za-z]$/;
const words = /^(true|false|yes|no|on|off|null|y|n)$/i;

/** Front matter rows as YAML lines, each with its key so that rows of several targets can be united. */
export function yamlRows(values: readonly RowValue[]): { readonly key: string; readonly text: string }[] {
  return values.map(value => ({ key: value.key, text: yamlRow(value) }));
}

/** Rows between their fences, or an empty string when there are none. */
export function frontMatter(rows: readonly { readonly text: string }[]): string {
  return rows.length === 0 ? '' : `---\n${rows.map(row => row.text).join('')}---\n\n`;
}

/** `output.header`: below the front matter, above everything else. */
export function headerText(header: string | undefined): string {
  return header === undefined || header.trim() === '' ? '' : `${header.trim()}\n\n`;
}

function yamlRow({ key, value, bare }: RowValue): string {
  const name = yamlScalar(key);
  if (bare && !Array.isArray(value) && (typeof value !== 'object' || value === null)) {
    return `${name}: ${String(value).replace(/\s*\n\s*/g, ' ')}\n`;
  }
  if (typeof value !== 'object' || value === null) return `${name}: ${yamlScalar(value)}\n`;
  if (Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null)) {
    return value.length === 0
      ? `${name}: []\n`
      : `${name}:\n${value.map(item => `  - ${yamlScalar(item)}\n`).join('')}`;
  }
  return stringify({ [key]: value }, { lineWidth: 0 });
}

/**
 * A scalar on one line. Strings that could be read as something else are written as JSON strings, which YAML reads
 * alike; the yaml package would do the same ten times slower, and a project can have thousands of these.
 */
function yamlScalar(value: Data): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return plain.test(value) && !words.test(value) ? value : JSON.stringify(value);
}
