import type { Rule } from '../../check/rule.ts';
import type { Page } from '../../generated/pages.ts';
import type { Explained } from '../../project/explain/explain.ts';
import type { ExplainedLines } from '../../project/explain/explain-line.ts';
import { table } from './table.ts';

/** The JSON members of a catalogue page. */
export const pageData = ({ page, code, name, severity, message, hint }: Page): Record<string, unknown> => ({
  code,
  name,
  severity,
  message,
  hint,
  text: page,
});

/** A table of the built-in rules with their defaults. */
export function ruleTable(rules: readonly Rule[], width: number): string {
  return table(
    [
      ['rule', 'default', 'what it looks for'],
      ...rules.map(({ name, severity, help }) => [name, severity, help]),
    ],
    width,
  );
}

/** A value and the declarations that contributed to it, the oldest first. */
export function entriesText(entries: readonly Explained[], width: number): string {
  const [first] = entries;
  if (!first) return '';
  const value = typeof first.value === 'string' ? first.value : JSON.stringify(first.value, null, 2);
  const rows = entries.map(({ operation, registry, version, ...place }) => [
    `  ${operation}`,
    placeText(place),
    [registry, version].filter(Boolean).join(' @ '),
  ]);
  return `${first.path}\n${value.replace(/^/gm, '  | ')}\n${table(rows, width)}`;
}

/** A line of a generated file and the source lines it came from. */
export function linesText(
  { file, line }: { readonly file: string; readonly line: number },
  entries: readonly Explained[],
  width: number,
): string {
  if (entries.length === 0) {
    return `${file}:${line}\n  from no line of the sources: blank, or yours in a file that is shared with you\n`;
  }
  const [first] = entries;
  if (first!.operation === 'layout')
    return `${file}:${line}\n  from no line of the sources: laid out by ${first!.path}\n`;
  const rows = entries.map(({ path, value, operation, registry, version, ...place }) => [
    `  ${placeText(place)}`,
    operation,
    path,
    [registry, version].filter(Boolean).join(' @ '),
    shorten(String(value)),
  ]);
  return `${file}:${line}\n${table(rows, width)}`;
}

/** A generated file: which of its lines come from which declaration. */
export function fileText(file: string, found: readonly ExplainedLines[], width: number): string {
  if (found.length === 0) return `${file}\n  from no line of the sources\n`;
  const rows = found.map(({ from, to, entry: { path, registry, version, ...place } }) => [
    from === to ? `  line ${from}` : `  lines ${from} to ${to}`,
    path,
    placeText(place),
    [registry, version].filter(Boolean).join(' @ '),
  ]);
  return `${file}\n${table(rows, width)}\nOne line: prs explain ${file}:${found[0]!.from}\n`;
}

const placeText = ({ file, line, column }: Pick<Explained, 'file' | 'line' | 'column'>): string =>
  file === undefined ? '' : `${file}:${line}:${column}`;

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
