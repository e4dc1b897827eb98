import { escapeForTerminal } from '../display.ts';
import { compareCodeUnits } from '../order.ts';
import { wrapLines } from '../wrap.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Palette } from './palette.ts';
import { fileOf, maxListedFiles } from './report.ts';
import { shownHint, shownMessage } from './shown.ts';

/** One finding, or several of one code that are shown as one. */
export type FoldedFindings = readonly [Diagnostic, ...Diagnostic[]];

/** Moves findings of one group to the position of the first of them. All other findings keep their order. */
export function foldFindings(diagnostics: readonly Diagnostic[]): FoldedFindings[] {
  const kinds = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  const shown: FoldedFindings[] = [];
  for (const diagnostic of diagnostics) {
    const { code, severity, group } = diagnostic;
    const key = group && JSON.stringify([code, severity, group.all]);
    const kind = key === undefined ? undefined : kinds.get(key);
    if (kind) {
      kind.push(diagnostic);
      continue;
    }
    const first: [Diagnostic, ...Diagnostic[]] = [diagnostic];
    if (key !== undefined) kinds.set(key, first);
    shown.push(first);
  }
  return shown;
}

/**
 * Renders several findings as one: the size of each subgroup with its first files, the lost fields of all,
 * and one hint. The result ends with a newline.
 */
export function renderFolded(found: FoldedFindings, palette: Palette, width: number): string {
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
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of found) {
    const { group } = diagnostic.group!;
    groups.set(group, [...(groups.get(group) ?? []), diagnostic]);
  }
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
