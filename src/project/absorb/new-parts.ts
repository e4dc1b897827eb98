import { metaBlock } from '../../migrate/import/document.ts';
import { canonicalBlock } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { BodyItem, Declaration } from '../../syntax/ast.ts';
import { block as blockOf, documentOf, header, textItem, use } from '../../syntax/build.ts';
import { isIdentifier, printDocument } from '../../syntax/print.ts';
import { raiseHeadings } from '../../text/headings.ts';
import { entryPath, markdownEntryPath } from '../../text/places.ts';
import { type Hunk, isBlank, trimBlankLines } from './hunks.ts';
import {
  appendTo,
  declarationsOf,
  hasLine,
  insertAdjacent,
  insertAfterBrace,
  isPrs,
  printBlock,
  prsSources,
  type Range,
  withText,
} from './prs-source.ts';
import { anchorsAround } from './text-candidates.ts';
import { headingWords } from './text-change.ts';
import type { Candidate, EditContext } from './workspace.ts';

/**
 * The candidates that add lines to a `.prs` source as a new part: a text or item of the block that the adjacent lines
 * come from, or a section at the end of the project.
 */
export function addedParts({ at, removed, added }: Hunk, around: EditContext): Candidate[] {
  const lines = trimBlankLines(added);
  if (!removed.every(isBlank) || lines.length === 0) return [];
  const end = at + removed.length;
  const isLast = around.lines.slice(end).every(isBlank);
  const isSection = headingWords(lines[0]!) !== undefined;
  return [
    ...(isLast && isSection ? closingSection(lines, around) : []),
    ...adjacentParts(at, end, lines, around),
  ];
}

function adjacentParts(at: number, end: number, lines: readonly string[], around: EditContext): Candidate[] {
  return anchorsAround(at, end, around).flatMap(({ place, isBefore }) => {
    const source = around.sourceOf(place.file)!;
    if (!isPrs(source)) return [];
    const isAround = ({ span }: { readonly span: Range }) => hasLine(source, span, place.at);
    const declaration = declarationsOf(source).find(isAround);
    const sibling = declaration && 'body' in declaration ? declaration.body?.items.find(isAround) : undefined;
    return sibling
      ? textForms(lines).map(form =>
          withText(source, insertAdjacent(source.text, sibling.span, isBefore, form)),
        )
      : [];
  });
}

/** Lines as a text whose headings may be relative to the block. */
const textForms = (lines: readonly string[]): string[][] =>
  [...new Set([0, 1, 2].map(by => raiseHeadings(lines.join('\n'), by)))].map(text =>
    printBlock([textItem(text)]),
  );

/** A section at the end of a main file becomes a block of closing sections. If there is one, it gets a part. */
function closingSection(lines: readonly string[], around: EditContext): Candidate[] {
  const text = textItem(lines.join('\n'));
  const own = prsSources(around);
  const [first] = own;
  if (!first) return markdownClosing(text, around);
  const isClosing = (one: Declaration) => one.kind === 'block' && one.name === 'closing';
  return own.some(source => declarationsOf(source).some(isClosing))
    ? []
    : [appendTo(first, printBlock([text], 'closing'))];
}

/** An entry for a project with only Markdown sources: it uses the Markdown entry and has a closing section. */
function markdownClosing(text: BodyItem, { sources, sourceOf }: EditContext): Candidate[] {
  if (!sources.includes(markdownEntryPath) || sourceOf(entryPath)) return [];
  const entry = documentOf([metaBlock('project'), use('./project.md'), blockOf('closing', [text])]);
  return [new Map([[entryPath, printDocument(entry)]])];
}

/**
 * The candidates for a changed section title: it is the name of a block or field, or comes from the catalogue, and is
 * changed by `@header`.
 */
export function changedTitle({ at, removed, added }: Hunk, around: EditContext): Candidate[] {
  const isOneLine = removed.length === 1 && added.length === 1;
  const title = isOneLine && headingWords(removed[0]!) ? headingWords(added[0]!) : undefined;
  const section = title && sectionAt(at, around);
  if (!section) return [];
  const { block, key } = section;
  const items = [header(title, key)];
  const own = prsSources(around);
  const found = own.flatMap(source =>
    declarationsOf(source).flatMap(one =>
      one.kind === 'block' && canonicalBlock(one.name) === canonicalBlock(block)
        ? [withText(source, insertAfterBrace(source.text, one.body.span.start, printBlock(items)[0]!))]
        : [],
    ),
  );
  return found.length > 0 || !own[0] ? found : [appendTo(own[0], printBlock(items, block))];
}

/** The block, or the field of a block, whose section starts with a heading. */
function sectionAt(
  at: number,
  around: EditContext,
): { readonly block: string; readonly key?: string } | undefined {
  for (const { path, operation } of around.originsOf(at)) {
    if (operation === 'layout') {
      const block = /: sections\.([\w-]+)\.title$/.exec(path)?.[1];
      if (block !== undefined) return { block };
      continue;
    }
    const [block, key] = parseNodePath(path) ?? [];
    if (typeof block !== 'string') continue;
    if (key === undefined) return { block };
    if (typeof key === 'string' && isIdentifier(key)) return { block, key };
  }
  return undefined;
}
