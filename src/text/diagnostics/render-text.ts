import { type Cell, cellsOf, escapeForTerminal } from '../display.ts';
import { groupBy } from '../group.ts';
import { compareCodeUnits } from '../order.ts';
import { maskSecrets } from '../secrets.ts';
import { lineText, positionAt, type Span } from '../source.ts';
import { wrapLines } from '../wrap.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { noColors, type Palette } from './palette.ts';
import { fileOf, maxListedFiles, selectShown } from './report.ts';
import { shownHint, shownMessage } from './shown.ts';

/** Layout options of findings for people. */
export interface TextOptions {
  readonly palette?: Palette;
  /** Columns of the terminal; source frames are cut to it. */
  readonly width?: number;
  /**
   * Whether long messages and hints are wrapped to that width, too. Output for programs keeps one line for
   * each.
   */
  readonly wrap?: boolean;
  /** The maximum number of findings shown; the rest is counted. */
  readonly limit?: number;
}

/**
 * Renders findings for people: location, severity, code and message, the source lines with carets, related
 * locations and hints. Takes a sorted list. Returns a text that ends with a newline, or an empty text for an
 * empty list.
 */
export function renderText(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  const { limit = 50 } = options;
  const folded = foldFindings(diagnostics);
  const all = new Map(folded.map(found => [found[0], found]));
  const { shown, rest } = selectShown([...all.keys()], limit);
  const parts = shown.map(first => renderShown(all.get(first)!, options));
  const hidden = countWords(rest, 'more ');
  if (hidden) parts.push(`… and ${hidden}. Correct these first, then run again.\n`);
  return parts.join('\n');
}

function renderShown(found: FoldedFindings, options: TextOptions): string {
  if (found.length === 1) return renderDiagnostic(found[0], options);
  const { palette = noColors, width = 100, wrap } = options;
  return renderFolded(found, palette, wrap ? width : Number.POSITIVE_INFINITY);
}

/** Renders one finding with its frame. The result ends with a newline. */
function renderDiagnostic(diagnostic: Diagnostic, options: TextOptions = {}): string {
  const { palette = noColors, width = 100 } = options;
  const { severity, code, span, related = [] } = diagnostic;
  const paint = palette[severity];
  const place = span ? placeText(span) : diagnostic.file && escapeForTerminal(diagnostic.file);
  const about = [diagnostic.rule, diagnostic.target].filter(Boolean).map(name => palette.dim(` [${name}]`));
  const head = `${paint(severity)} ${palette.dim(code)}: ${palette.strong(clean(shownMessage(diagnostic.message)))}${about.join('')}`;
  const fit = (text: string) => (options.wrap ? wrapLines(text, width, '    ') : text);
  const lines = [fit(place ? `${place}: ${head}` : head)];
  if (span) lines.push(...renderFrame(span, width, paint, palette));
  for (const { message, span: at } of related) {
    lines.push(fit(`  ${palette.info('note')}: ${placeText(at)}: ${clean(shownMessage(message))}`));
    lines.push(...renderFrame(at, width, palette.info, palette));
  }
  if (diagnostic.hint) lines.push(fit(`  ${palette.help('help')}: ${clean(shownHint(diagnostic.hint))}`));
  return `${lines.join('\n')}\n`;
}

/** `2 errors and 1 warning`; empty when there is nothing to count. */
export function countWords(counts: Readonly<Record<Severity, number>>, adjective = ''): string {
  const words = (['error', 'warning', 'info'] as const)
    .filter(severity => counts[severity] > 0)
    .map(severity => {
      const count = counts[severity];
      const noun = severity === 'info' ? 'note' : severity;
      return `${count} ${adjective}${noun}${count === 1 ? '' : 's'}`;
    });
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');
}

const clean = (text: string): string => escapeForTerminal(text).replace(/\n/g, '\n    ');

function placeText({ source, start }: Span): string {
  const { line, column } = positionAt(source, start);
  return `${escapeForTerminal(source.name)}:${line}:${column}`;
}

/** The number of lines shown of a longer span. */
const maxLines = 3;

/**
 * Renders the source lines of a span with carets below it. Lines longer than `width` columns are cut to a
 * window around the carets. Text that looks like a credential is masked.
 */
function renderFrame(span: Span, width: number, paint: (text: string) => string, palette: Palette): string[] {
  const start = positionAt(span.source, span.start);
  const end = positionAt(span.source, Math.max(span.start, span.end));
  // A span that ends in column 1 does not include that line.
  const last = end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
  const shown = Math.min(last, start.line + maxLines - 1);
  const gutter = String(shown).length;
  const room = Math.max(20, width - gutter - 5);
  const lines: string[] = [];
  for (let line = start.line; line <= shown; line++) {
    const text = lineText(span.source, line);
    const from = line === start.line ? Math.min(start.column - 1, text.length) : indentOf(text);
    const to = line === end.line ? end.column - 1 : text.length;
    const { shown: visible, before, length } = layOut(text, from, Math.max(to, from), room);
    lines.push(`  ${palette.dim(`${String(line).padStart(gutter)} |`)} ${visible}`.trimEnd());
    if (length > 0 && (line === start.line || text.trim() !== ''))
      lines.push(
        `  ${palette.dim(`${' '.repeat(gutter)} |`)} ${' '.repeat(before)}${paint('^'.repeat(length))}`,
      );
  }
  if (last > shown) lines.push(`  ${palette.dim(`${' '.repeat(gutter)} |`)} …`);
  return lines;
}

const indentOf = (text: string): number => /^\s*/.exec(text)![0].length;

/**
 * Returns the visible part of a line, the columns before the carets, and the number of carets. Of a longer
 * line a window is shown, a third of which lies left of the carets.
 */
function layOut(
  text: string,
  from: number,
  to: number,
  room: number,
): { shown: string; before: number; length: number } {
  // Very long lines are cut before they are measured. The margin is wide enough for a credential.
  const start = Math.max(0, from - 4 * room);
  const part = maskSecrets(text.slice(start, from + 4 * room));
  const cells = cellsOf(part);
  const isLong = part.length < text.length || widthOf(cells) > room;
  const isBefore = (cell: Cell) => cell.end + start <= from;
  const space = isLong ? room - 2 : room;
  const left = cells.filter(isBefore);
  const right = cells.slice(left.length);
  const before = fitting(left.toReversed(), Math.max(space / 3, space - widthOf(right))).toReversed();
  const behind = fitting(right, space - widthOf(before));
  const lead = start > 0 || before.length < left.length ? '…' : '';
  const trail = start + part.length < text.length || behind.length < right.length ? '…' : '';
  const marked = widthOf(behind.filter(cell => cell.start + start < to));
  return {
    shown: lead + [...before, ...behind].map(cell => cell.text).join('') + trail,
    before: lead.length + widthOf(before),
    length: marked === 0 ? (from <= text.length ? 1 : 0) : marked,
  };
}

/** The first cells that fit into a number of columns. */
function fitting(cells: readonly Cell[], columns: number): readonly Cell[] {
  let used = 0;
  return cells.filter(({ width }) => {
    used += width;
    return used <= columns;
  });
}

const widthOf = (cells: readonly Cell[]): number => cells.reduce((sum, cell) => sum + cell.width, 0);

/** One finding, or several of one code that are shown as one. */
type FoldedFindings = readonly [Diagnostic, ...Diagnostic[]];

/** Moves findings of one group to the position of the first of them. All other findings keep their order. */
function foldFindings(diagnostics: readonly Diagnostic[]): FoldedFindings[] {
  const kindOf = (diagnostic: Diagnostic) => {
    const { code, severity, group } = diagnostic;
    return group ? JSON.stringify([code, severity, group.all]) : diagnostic;
  };
  return [...groupBy(diagnostics, kindOf).values()];
}

/**
 * Renders several findings as one: the size of each subgroup with its first files, the lost fields of all,
 * and one hint. The result ends with a newline.
 */
function renderFolded(found: FoldedFindings, palette: Palette, width: number): string {
  const [{ severity, code, hint, group }] = found;
  const groups = groupsOf(found);
  const counts = groups.map(([group, { length }]) => `${length} ${group}`).join(', ');
  const head = `${palette[severity](severity)} ${palette.dim(code)}: ${palette.strong(`${found.length} ${group!.all}: ${counts}.`)}`;
  const lines = [wrapLines(head, width, '    ')];
  for (const [group, members] of groups) {
    if (groups.length > 1) lines.push(`  ${group[0]!.toUpperCase()}${group.slice(1)}:`);
    for (const member of members.slice(0, maxListedFiles)) lines.push(fileLines(member, palette, width));
    const more = members.length - maxListedFiles;
    if (more > 0) lines.push(`    … and ${more} more`);
  }
  const lost = lostLine(found);
  if (lost) lines.push(wrapLines(lost, width, '    '));
  const help = group!.hint ?? hint;
  if (help) lines.push(wrapLines(`  ${palette.help('help')}: ${shown(shownHint(help))}`, width, '    '));
  return `${lines.join('\n')}\n`;
}

/** The largest subgroup comes first, so that rare ones are near the end, where people look. */
function groupsOf(found: FoldedFindings): [string, readonly Diagnostic[]][] {
  const groups = groupBy(found, diagnostic => diagnostic.group!.group);
  return [...groups].sort(([a, { length }], [b, other]) => other.length - length || compareCodeUnits(a, b));
}

function fileLines(diagnostic: Diagnostic, palette: Palette, width: number): string {
  const note = shown(shownMessage(diagnostic.group!.note));
  const line = `    ${shown(fileOf(diagnostic))}  ${note}`;
  const [path, ...rest] = wrapLines(line, width, '      ').split('\n');
  return [path, ...rest].map((text, at) => (at === 0 ? text : palette.dim(text!))).join('\n');
}

/** Lists each lost field with the number of files that have it. */
function lostLine(found: FoldedFindings): string | undefined {
  const counts = new Map<string, number>();
  for (const { group } of found)
    for (const field of group!.lost ?? []) counts.set(field, (counts.get(field) ?? 0) + 1);
  if (counts.size === 0) return undefined;
  const sorted = [...counts].sort(([a, count], [b, other]) => other - count || compareCodeUnits(a, b));
  const names = sorted.map(
    ([name, count]) => `\`${shown(name)}\` (${count === 1 ? '1 file' : `${count} files`})`,
  );
  return `  Fields that these files have and what would be written lacks: ${names.join(', ')}`;
}

const shown = (text: string): string => escapeForTerminal(text).replace(/\n/g, ' ');
