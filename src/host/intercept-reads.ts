import type { WritableDisk } from './host.ts';

/** The names of the reading methods of a disk. */
export const readMethods = ['readBytes', 'stat', 'lstat', 'list', 'realpath', 'readLink'] as const;
export type ReadMethod = (typeof readMethods)[number];

/** A disk whose reading methods call `answer`. Writing methods use `disk`. */
export const interceptReads = (
  disk: WritableDisk,
  answer: (question: ReadMethod, path: string) => unknown,
): WritableDisk =>
  Object.create(
    disk,
    Object.fromEntries(
      readMethods.map(question => [question, { value: (path: string) => answer(question, path) }]),
    ),
  );
