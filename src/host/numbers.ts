import { lstatSync } from 'node:fs';

/** The part of a mode that says what something is, and what it says. */
export const fileType = 0o170000;
export const directory = 0o040000;
export const link = 0o120000;
export const file = 0o100000;

/** The numbers of `lstat` for a path, until the next question: one array is filled again and again. */
export type NumbersOf = (path: string) => ArrayLike<number> | undefined;

/**
 * What gives the numbers that Node has of a path from the system: a `Stats` with four dates takes three times as long to make
 * as to ask for. The binding behind `lstatSync` is asked with the arguments that this one is seen to give it (Node 20.20 to 26);
 * where it gives others there is none.
 */
export function findNumbers(): NumbersOf | undefined {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    if (!asksSo.test(String(lstatSync).replace(/\s/g, ''))) return undefined;
    type Ask = (path: string, bigint: false, request: undefined, throws: false) => ReturnType<NumbersOf>;
    const { binding } = process as unknown as { binding: (name: string) => { lstat: Ask } };
    const { lstat } = binding('fs');
    return path => lstat(path, false, undefined, false);
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation ?? false;
  }
}

const asksSo =
  /=binding\.lstat\((?:path|pathModule\.toNamespacedPath\(path\)),options\.bigint,undefined,options\.throwIfNoEntry,?\);/;
