import type { DocumentFile } from '../../generated/types/target.ts';

/** A main document that no spec describes: plain Markdown, with the title and the choice of sections that are given. */
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
