import type { WritableDisk } from './host.ts';

/** The names of the reading methods of a disk. */
export const questions = ['readBytes', 'stat', 'lstat', 'list', 'realpath', 'readLink'] as const;
export type Question = (typeof questions)[number];

/** A disk whose reading methods call `answer`. Writing methods use `disk`. */
export const interceptReads = (
  disk: WritableDisk,
  answer: (question: Question, path: string) => unknown,
): WritableDisk =>
  Object.create(
    disk,
    Object.fromEntries(
      questions.map(question => [question, { value: (path: string) => answer(question, path) }]),
    ),
  );
