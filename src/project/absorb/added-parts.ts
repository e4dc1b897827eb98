import { isPortable } from '../../resolve/catalogue.ts';
import type { BodyItem } from '../../syntax/ast.ts';
import { block as blockOf, documentOf, field, header, item, str, textItem, use } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { entryPath, markdownEntryPath } from '../../text/places.ts';
import { newestSyntax } from '../../text/version.ts';
import { entryCandidates, entryOf } from './entry-candidates.ts';
import { type Hunk, isBlank, trimBlankLines } from './hunks.ts';
import { anchorsAround } from './line-candidates.ts';
import {
  appendTo,
  declarationsOf,
  insertBeside,
  lineAt,
  printBlock,
  prsSources,
  sourceOf,
} from './prs-source.ts';
import { headingWords, itemWords, shiftHeadings } from './text-change.ts';
import type { Candidate, Surroundings } from './workspace.ts';

/**
 * The candidates that put added lines into a `.prs` source as a new part: a text or item of the block that the lines
 * around them come from, a block beside that one for a section, or what an item or the project says at its end.
 */
export function addedParts({ at, removed, added }: Hunk, around: Surroundings): Candidate[] {
  const lines = trimBlankLines(added);
  if (!removed.every(isBlank) || lines.length === 0) return [];
  const end = at + removed.length;
  const title = headingWords(lines[0]!);
  const isLast = around.lines.slice(end).every(isBlank);
  return [
    ...(isLast && title !== undefined ? closingSection(lines, around) : []),
    ...partsBeside(at, end, lines, around),
    ...(isLast ? closingOfItem(lines, around) : []),
  ];
}

function partsBeside(at: number, end: number, lines: readonly string[], around: Surroundings): Candidate[] {
  const anchors = anchorsAround(at, end, around);
  const nearest = [false, true].flatMap(side =>
    anchors.filter(({ isBefore }) => isBefore === side).slice(0, 2),
  );
  return nearest.flatMap(({ anchor: { file, at: line }, isBefore }) => {
    if (!file.endsWith('.prs')) return [];
    const source = sourceOf(file, around.sourceLines(file)!);
    const holds = ({ span }: { readonly span: { readonly start: number; readonly end: number } }) =>
      lineAt(source, span.start) <= line && lineAt(source, span.end) >= line;
    const declaration = declarationsOf(source).find(holds);
    if (!declaration || !('body' in declaration) || !declaration.body) return [];
    const sibling = declaration.body.items.find(holds);
    return sibling ? itemForms(lines).map(form => insertBeside(source, sibling.span, isBefore, form)) : [];
  });
}

/** Lines as items of a block, or as a text in which headings may count from the block. */
function itemForms(lines: readonly string[]): string[][] {
  const texts = new Set([0, -1, -2].map(by => shiftHeadings(lines, by).join('\n')));
  const forms = [...texts].map(text => printBlock([textItem(text)]));
  const items = lines.map(line => (/^\s/.test(line) ? undefined : itemWords(line)));
  if (items.every(one => one !== undefined))
    forms.unshift(items.flatMap(one => printBlock([item(str(one))])));
  return forms;
}

/** A section at the end of a main file: in the block of closing sections. */
function closingSection(lines: readonly string[], around: Surroundings): Candidate[] {
  const text = textItem(lines.join('\n'));
  const own = prsSources(around);
  const [first] = own;
  if (!first) return markdownClosing(text, around);
  const found = own.flatMap(source =>
    declarationsOf(source).flatMap(declaration => {
      const last =
        declaration.kind === 'block' && declaration.name === 'closing' && declaration.body.items.at(-1);
      return last ? [insertBeside(source, last.span, false, ['', ...printBlock([text])])] : [];
    }),
  );
  return [...found, appendTo(first, printBlock([text], 'closing'))];
}

/** An entry for a project of Markdown alone, which uses the Markdown entry and has a closing section. */
function markdownClosing(text: BodyItem, { sources, sourceLines }: Surroundings): Candidate[] {
  if (!sources.includes(markdownEntryPath) || sourceLines(entryPath)) return [];
  const meta = blockOf('meta', [field('id', str('project')), field('syntax', str(newestSyntax))]);
  const entry = documentOf([meta, use('./project.md'), blockOf('closing', [text])]);
  return [{ edits: [], files: [{ file: entryPath, text: printDocument(entry) }] }];
}

/** Lines at the end of an item's file: its entry has a field for them. */
function closingOfItem(lines: readonly string[], around: Surroundings): Candidate[] {
  const entry = entryOf(around);
  return entry && isPortable(entry.block, 'closing')
    ? entryCandidates(entry, [{ path: ['closing'], value: lines.join('\n') }], around)
    : [];
}

/** A section as a block that is named by its title. */
export function sectionBlock(title: string, [, ...lines]: readonly string[]): string[] {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join('-').replace(/^(?=\p{N})/u, 'part-');
  const text = trimBlankLines(lines).join('\n');
  return printBlock([header(title), ...(text === '' ? [] : [textItem(text)])], name || 'notes');
}
