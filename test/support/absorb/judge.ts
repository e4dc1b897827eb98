/** What an edit led to, and what of it must never be. */
import { join } from 'node:path';
import { diffArrays } from 'diff';
import { readSpecs } from '../../../scripts/specs.ts';
import { parseDocument } from '../../../src/syntax/parse.ts';
import { root } from '../compile.ts';
import type { Edit, Kind } from './edits.ts';
import { isReproduced, type Laboratory, type Result, readFolder } from './laboratory.ts';

export interface Verdict {
  /** `home`: reproduced exactly. `refused`: it stays with a reason. `part`: some of it came home. `same`: it says nothing new. */
  readonly outcome: 'home' | 'refused' | 'part' | 'same';
  readonly reasons: readonly string[];
  /** What must never be. */
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

/** Sources that are gone though nobody said so. */
function lostSources(lab: Laboratory, { absorbed, between }: Result): string[] {
  const known = new Set(absorbed.sources.map(({ path }) => path));
  return [...lab.sources].flatMap(path =>
    lab.files.has(path) && lab.files.get(path) !== between.get(path) && !known.has(path) ? [`${path} changed unsaid`] : [],
  );
}

/** The words of a text; line ends that are written in quotes are none. */
const wordsOf = (text: string): string[] => text.replaceAll('\\n', ' ').match(/[\p{L}\p{N}]+/gu) ?? [];

/** The comments of a source, by the lines that they stand on. */
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

/** Comments that went though what they are about stays. */
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

/** How often each word stands in a text. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text.toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Words that one text has more often than the other. */
const wordsMore = (one: Map<string, number>, other: Map<string, number>): string[] =>
  [...one].flatMap(([word, count]) => (count > (other.get(word) ?? 0) ? [word] : []));

/** Words of templates and specs: a section that is there for the first item, or no more without the last one. */
const layout = new Set(
  [join(root, 'conventions'), join(root, 'targets')]
    .flatMap(folder => [...readFolder(folder).values()])
    .flatMap(text => wordsOf(text.toLowerCase())),
);

/** Words that specs have for one another, such as the names that a tool has for what agents may use. */
const translations: readonly (readonly [readonly string[], readonly string[]])[] = readSpecs(root).flatMap(spec => pairsIn(spec));

function pairsIn(value: unknown, within = ''): (readonly [string[], string[]])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (typeof part !== 'string' || !['map', 'arguments'].includes(within)) return pairsIn(part, key);
    // What is typed behind the name of a command has one mark in the sources.
    const name = within === 'map' ? key : '$ARGUMENTS';
    return [[wordsOf(name.toLowerCase()), wordsOf(part.toLowerCase())] as const];
  });
}

/** What tools say for the words of an edit goes and comes with them. */
function addTranslations(said: Set<string>): void {
  const known = (words: readonly string[]) => words.length > 0 && words.every(word => said.has(word));
  const names = translations.filter(([name, own]) => known(name) || known(own)).map(([name]) => name.join(' '));
  for (const [name, own] of translations)
    if (names.includes(name.join(' '))) for (const word of [...name, ...own]) said.add(word);
}

/** Words in files of other tools that came or went and that are none of the edit's. */
function othersChanged(edit: Edit, kind: Kind, lab: Laboratory, { absorbed, after }: Result): string[] {
  // What is taken away may be put in words of the layout elsewhere, such as a description.
  const isWhole = /moved|swapped|added|removed|deleted/.test(kind);
  const said = new Set<string>();
  for (const [path, text] of edit.changes) {
    const old = lab.files.get(path) ?? '';
    const [before, now] = [countWords(old), countWords(text ?? '')];
    for (const word of [...wordsMore(before, now), ...wordsMore(now, before)]) said.add(word);
    // What moved stands in other places now, and what is near it may be laid out with it.
    if (isWhole) for (const word of wordsOf((text ?? old).toLowerCase())) said.add(word);
    for (const word of wordsOf(path.toLowerCase())) said.add(word);
  }
  // An item that is taken out by its name takes along what its source says of it.
  if (kind === 'file removed')
    for (const { before = '', after: now = '' } of absorbed.sources)
      for (const word of wordsMore(countWords(before), countWords(now))) said.add(word);
  addTranslations(said);
  const wrong: string[] = [];
  for (const { path, text, planned } of lab.outputs) {
    // The files of an item go with it, and one that is called otherwise stands elsewhere.
    const isRemoved = !after.has(path) && wordsOf(path.toLowerCase()).some(word => said.has(word));
    if (edit.changes.has(path) || isRemoved) continue;
    // A file that was adopted keeps the layout of its user until its sources say something else of it.
    const [before, now] = [countWords(after.get(path) === text ? text : planned), countWords(after.get(path) ?? '')];
    const strange = [...wordsMore(before, now), ...wordsMore(now, before)].filter(
      word => !said.has(word) && !(isWhole && layout.has(word)),
    );
    if (strange.length > 0) wrong.push(`${path} changed beyond the edit: ${strange.slice(0, 8).join(' ')}`);
  }
  return wrong;
}
