import type { WritableDisk } from './host.ts';

/** The questions that a disk answers. */
export const questions = ['readBytes', 'stat', 'lstat', 'list', 'realpath', 'readLink'] as const;
export type Question = (typeof questions)[number];

/** A disk whose questions are answered by `answer`; `size` is what a file is expected to have. Writing reaches `disk`. */
export const askedThrough = (
  disk: WritableDisk,
  answer: (question: Question, path: string, size?: number) => unknown,
): WritableDisk =>
  Object.create(
    disk,
    Object.fromEntries(
      questions.map(question => [
        question,
        { value: (path: string, size?: number) => answer(question, path, size) },
      ]),
    ),
  );
