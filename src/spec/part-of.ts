import type { FileSpec } from '../generated/types/target.ts';

/** The part of the program that an entry of `files` is for: a collection, the main document, the private notes. */
export type FilePart = Extract<FileSpec, { readonly of: string }>['of'];

/** What an entry of `files` is for; nothing for one that is filled from options. */
export const partOf = (file: FileSpec): FilePart | undefined => ('of' in file ? file.of : undefined);
