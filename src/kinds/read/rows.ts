import type {
  DocumentFile,
  EntriesFile,
  FileSpec,
  ItemFiles,
  TargetSpec,
} from '../../generated/types/target.ts';

const places = ({ files }: TargetSpec): FileSpec[] => Object.values(files);

/** The documents of a tool. */
export const documentsOf = (spec: TargetSpec): DocumentFile[] =>
  places(spec).filter(file => file.kind === 'document');

/** The places of a tool that have a file for each item of a collection. */
export const itemFilesOf = (spec: TargetSpec, collection: string): ItemFiles[] =>
  places(spec)
    .filter(file => file.kind === 'items')
    .filter(({ of }) => of === collection);

/** The structured files of a tool, one for each place in them. */
export const entriesOf = (spec: TargetSpec): EntriesFile[] =>
  places(spec).filter(file => file.kind === 'entries');
