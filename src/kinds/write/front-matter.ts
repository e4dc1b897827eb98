import { stringify } from 'yaml';
import type { Data, Text } from '../../model/model.ts';
import { leavesOf } from '../../model/origin.ts';
import { plainMark } from '../../text/plain-mark.ts';
import { plain as charactersOf, joinTexts, locateTexts } from '../../text/traced.ts';
import { isPlainScalar, quoted } from '../../text/yaml-scalar.ts';
import type { Literal } from './convention.ts';
import type { RowValue } from './fields.ts';

/** A row of front matter as YAML lines, with its key so that rows of several targets can be united. */
export interface FrontMatterRow {
  readonly key: string;
  readonly text: Text;
  /** Said by the spec alone. */
  readonly implied?: boolean;
}

/** Front matter rows as YAML lines; `by` is where the spec has them, `bundled` what their fields come from when no source has them. */
export function yamlRows(
  values: readonly RowValue[],
  by: string,
  literal: Literal,
  bundled?: string,
): FrontMatterRow[] {
  return values.map(value => ({
    key: value.key,
    text: traceRow(yamlRow(value), value, by, literal, bundled),
    ...(value.implied && { implied: true }),
  }));
}

/** A key and what follows it, traced: the key with its mark is the spec's, the rest what the value was made of. */
export function traceRow(
  text: string,
  { key, from, implied, origins }: RowValue,
  by: string,
  literal: Literal,
  bundled?: string,
): Text {
  if (!literal) return text;
  const behind = /"?\]?\s*[:=]?\s*(?:"""\n)?/y;
  behind.lastIndex = text.indexOf(key) + key.length;
  behind.exec(text);
  const named = behind.lastIndex;
  const rest = text.slice(named);
  const made = bundled !== undefined && from !== undefined && !implied ? bundled : by;
  return joinTexts([
    literal(text.slice(0, named), by),
    origins ? locateTexts(rest, origins.flatMap(leavesOf)) : literal(rest, made),
  ]);
}

/** Rows between their fences, or an empty string when there are none. */
export function frontMatter(rows: readonly Text[], by: string, literal: Literal): Text {
  if (rows.length === 0) return '';
  const fence = (text: string) => literal?.(text, by) ?? text;
  return joinTexts([fence('---\n'), joinTexts(rows), fence('---\n\n')]);
}

/** `output.header`: below the front matter, above everything else. */
export function headerText(header: string | undefined, literal: Literal): Text {
  if (header === undefined || header.trim() === '') return '';
  const text = `${header.trim()}\n\n`;
  return literal?.(text, 'instr.yaml: output.header') ?? text;
}

/**
 * A text at the very top of a file that would be read as front matter of ours: whoever wrote it could set what a tool
 * may do. A comment above it makes it the text that it is; a formatter leaves both as they are.
 */
export function plainStart(text: Text, literal: Literal): Text {
  if (!/^[\s\uFEFF]*(?:---|\+\+\+|;;;)/.test(charactersOf(text))) return text;
  const mark = `${plainMark}\n\n`;
  return joinTexts([literal?.(mark, 'the compiler') ?? mark, text]);
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
 * A scalar on one line, in quotes only where YAML needs them. Those are JSON strings, which YAML reads alike; the yaml
 * package would do the same ten times slower, and a project can have thousands of these.
 */
function yamlScalar(value: Data): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlainScalar(value) ? value : quoted(value);
}
