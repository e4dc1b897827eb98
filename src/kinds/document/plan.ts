import type { DocumentFile } from '../../generated/types/target.ts';
import type { DocumentDraft, ListedItem } from '../draft.ts';
import type { DocumentContent, PlaceContext } from '../kind.ts';
import { documentPath, fillOptions, type Place } from '../places.ts';
import { isConditionMet } from '../write/rows.ts';

/** A main document without a spec: plain Markdown with the given title and sections. */
export const mainDocument = (
  path: string,
  { heading, sections }: Pick<DocumentFile, 'heading' | 'sections'> = {},
): DocumentFile => ({
  kind: 'document',
  of: 'instructions',
  path,
  ...(heading !== undefined && { heading }),
  ...(sections && { sections }),
});

/**
 * The draft of a document with its prose, its texts, and items without a place of their own; none when it
 * would be empty.
 */
export function planDocument(
  { name, file }: Place<DocumentFile>,
  { request, document }: PlaceContext,
): DocumentDraft[] {
  const isLocal = file.of === 'local';
  const prose = proseOf(isLocal, document);
  const lists = new Map<string, readonly ListedItem[]>(isLocal ? [] : document.lists);
  for (const { section, with: other, when } of file.sections?.replace ?? []) {
    const topics = isConditionMet(when, request.options) ? document.index('topics') : undefined;
    if (topics && prose.delete(section)) lists.set(other, topics);
  }
  for (const { section, of } of file.sections?.index ?? []) {
    const listed = document.index(of) ?? [];
    if (listed.length > 0) lists.set(section, listed);
  }
  const documents = isLocal ? [] : document.texts;
  if (prose.size === 0 && lists.size === 0 && documents.length === 0) return [];
  // Private notes must never be written to the shared file that `output` names.
  const path = documentPath(fillOptions(file.path, request), request, isLocal);
  return [{ kind: 'document', path, request, place: name, file, documents, prose, lists }];
}

function proseOf(isLocal: boolean, { sections, local }: DocumentContent): Set<string> {
  if (isLocal) return new Set(local.length > 0 ? ['local'] : []);
  return new Set(sections.map(({ key }) => key));
}
