/** The outcome of an absorbed edit, and violations of what must always hold. */
import { join } from 'node:path';
import { diffArrays } from 'diff';
import { readSpecs } from '../../../scripts/specs.ts';
import { parseDocument } from '../../../src/syntax/parse.ts';
import { root } from '../compile.ts';
import type { Edit, Kind } from './edits.ts';
import { isReproduced, type Laboratory, type Result, readFolder } from './laboratory.ts';

export interface Verdict {
  /**
   * `home`: reproduced exactly. `refused`: not absorbed, with a reason. `part`: partly absorbed. `same`: no change in
   * meaning.
   */
  readonly outcome: 'home' | 'refused' | 'part' | 'same';
  readonly reasons: readonly string[];
  /** Violations of what must always hold. */
  readonly wrong: readonly string[];
}

export function judge(edit: Edit, kind: Kind, lab: Laboratory, result: Result): Verdict {
  const { hunks, sources } = result.absorbed;
  const refused = hunks.filter(({ state }) => state === 'refused');
  const home = hunks.length - refused.length;
  const outcome = hunks.length === 0 ? 'same' : refused.length === 0 ? 'home' : home > 0 ? 'part' : 'refused';
  const wrong: string[] = [];
  for (const [path, text] of edit.changes)
    if ((result.between.get(path) ?? null) !== text) wrong.push(`absorbing changed ${path}`);
  if (refused.some(({ reason }) => !reason)) wrong.push('refused without a reason');
  if (result.broken) wrong.push(`the sources are broken: ${result.said}`);
  if (outcome === 'refused' && sources.length > 0) wrong.push('everything is refused, but sources changed');
  wrong.push(...lostSources(lab, result), ...lostComments(result, kind));
  if (outcome === 'home') {
    if (result.drifts) wrong.push(`what came home is an edit to the next compile: ${result.said}`);
    if (result.unsettled) wrong.push('a second compile would change something');
    for (const [path, text] of edit.changes)
      if (!isReproduced(result.after.get(path) ?? null, text, result.absorbed)) wrong.push(`the next compile makes something else of ${path}`);
    wrong.push(...othersChanged(edit, kind, lab, result));
  } else if (outcome !== 'same') {
    for (const [path, text] of edit.changes)
      if (text !== null && result.after.get(path) !== text) wrong.push(`a refused edit of ${path} is lost`);
  } else if (result.drifts) wrong.push('an edit was not seen');
  return { outcome, reasons: refused.map(({ reason }) => reason ?? ''), wrong };
}

/** Sources that were deleted although the edit did not ask for it. */
function lostSources(lab: Laboratory, { absorbed, between }: Result): string[] {
  const known = new Set(absorbed.sources.map(({ path }) => path));
  return [...lab.sources].flatMap(path =>
    lab.files.has(path) && lab.files.get(path) !== between.get(path) && !known.has(path) ? [`${path} changed unsaid`] : [],
  );
}

/** The words of a text. Escaped line ends in quoted strings are not words. */
const wordsOf = (text: string): string[] => text.replaceAll('\\n', ' ').match(/[\p{L}\p{N}]+/gu) ?? [];

/** The comments of a source, by line. */
function commentsIn(text: string): (string | undefined)[] {
  const strings: { readonly start: number; readonly end: number }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, span } = value as { kind?: unknown; span?: { start: number; end: number } };
    if (kind === 'string' && span) strings.push(span);
    else for (const [key, part] of Object.entries(value)) if (!/[sS]pan$/.test(key)) visit(part);
  };
  visit(parseDocument({ name: '', text }, () => {}).declarations);
  let offset = 0;
  return text.split('\n').map(line => {
    const start = offset;
    offset += line.length + 1;
    const found = [...line.matchAll(/(?<=^|\s)#/g)].find(
      ({ index }) => !strings.some(span => span.start <= start + index && start + index < span.end),
    );
    return found && line.slice(found.index);
  });
}

/** Comments that were removed although what they describe is still there. */
function lostComments({ absorbed }: Result, kind: Kind): string[] {
  return absorbed.sources.flatMap(({ path, before, after }) => {
    if (before === undefined || after === undefined || !path.endsWith('.prs')) return [];
    const [old, now] = [before.split('\n'), after.split('\n')];
    const [had, has] = [commentsIn(before), new Set(commentsIn(after))];
    const lost: string[] = [];
    let at = 0;
    for (const { added, removed, value } of diffArrays(old, now)) {
      if (removed) {
        const words = value.map((line, index) => line.replace(had[at + index] ?? '', ''));
        const goes = /deleted|removed/.test(kind) && words.some(line => wordsOf(line).length > 0);
        for (const [index] of value.entries()) {
          const comment = had[at + index];
          if (!goes && comment !== undefined && !has.has(comment)) lost.push(`${path}:${at + index + 1} lost ${comment}`);
        }
      }
      if (!added) at += value.length;
    }
    return lost;
  });
}

/** How often each word occurs in a text. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text.toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Words that occur more often in one text than in the other. */
const wordsMore = (one: Map<string, number>, other: Map<string, number>): string[] =>
  [...one].flatMap(([word, count]) => (count > (other.get(word) ?? 0) ? [word] : []));

/** Words of templates and specs. A section may appear with its first item and disappear with its last one. */
const layout = new Set(
  [join(root, 'conventions'), join(root, 'targets')]
    .flatMap(folder => [...readFolder(folder).values()])
    .flatMap(text => wordsOf(text.toLowerCase())),
);

/** Words that specs translate into one another, such as a tool's names for capabilities of agents. */
const translations: readonly (readonly [readonly string[], readonly string[]])[] = readSpecs(root).flatMap(spec => pairsIn(spec));

function pairsIn(value: unknown, within = ''): (readonly [string[], string[]])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (typeof part !== 'string' || !['map', 'arguments'].includes(within)) return pairsIn(part, key);
    // In sources, the arguments of a command have only one placeholder.
    const name = within === 'map' ? key : '$ARGUMENTS';
    return [[wordsOf(name.toLowerCase()), wordsOf(part.toLowerCase())] as const];
  });
}

/** When the edit adds or removes a word, translations of it may be added or removed, too. */
function addTranslations(said: Set<string>): void {
  const known = (words: readonly string[]) => words.length > 0 && words.every(word => said.has(word));
  const names = translations.filter(([name, own]) => known(name) || known(own)).map(([name]) => name.join(' '));
  for (const [name, own] of translations)
    if (names.includes(name.join(' '))) for (const word of [...name, ...own]) said.add(word);
}

/** Words added or removed in files of other tools that are not part of the edit. */
function othersChanged(edit: Edit, kind: Kind, lab: Laboratory, { absorbed, after }: Result): string[] {
  // The layout may replace removed text elsewhere, such as a description.
  const isWhole = /moved|swapped|added|removed|deleted/.test(kind);
  const said = new Set<string>();
  for (const [path, text] of edit.changes) {
    const old = lab.files.get(path) ?? '';
    const [before, now] = [countWords(old), countWords(text ?? '')];
    for (const word of [...wordsMore(before, now), ...wordsMore(now, before)]) said.add(word);
    // Moved text is at another place, and the layout of text near it may change.
    if (isWhole) for (const word of wordsOf((text ?? old).toLowerCase())) said.add(word);
    for (const word of wordsOf(path.toLowerCase())) said.add(word);
  }
  // Removing an item by name also removes what its source says about it.
  if (kind === 'file removed')
    for (const { before = '', after: now = '' } of absorbed.sources)
      for (const word of wordsMore(countWords(before), countWords(now))) said.add(word);
  addTranslations(said);
  const wrong: string[] = [];
  for (const { path, text, planned } of lab.outputs) {
    // All files of a removed item are removed, and a renamed item has another path.
    const isRemoved = !after.has(path) && wordsOf(path.toLowerCase()).some(word => said.has(word));
    if (edit.changes.has(path) || isRemoved) continue;
    // An adopted file keeps the user's layout until its sources change.
    const [before, now] = [countWords(after.get(path) === text ? text : planned), countWords(after.get(path) ?? '')];
    const strange = [...wordsMore(before, now), ...wordsMore(now, before)].filter(
      word => !said.has(word) && !(isWhole && layout.has(word)),
    );
    if (strange.length > 0) wrong.push(`${path} changed beyond the edit: ${strange.slice(0, 8).join(' ')}`);
  }
  return wrong;
}
