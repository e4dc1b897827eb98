import { fstatSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { askBindings } from './bindings.ts';

/**
 * How a path was looked at: for its kind alone; as an entry, contents included; for the names in it; for the place where
 * it really lies.
 */
export type Look = 'kind' | 'entry' | 'names' | 'place';

/** What is known of a path: nothing when it is absent. */
export type Answer = readonly (string | number)[];

/** With these Git looks for a repository elsewhere than in the folders above. */
export const repositoryVariables = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE'];

/** Each path, below the working directory, with what `lookAgain` says of it. */
export type Looks = readonly (readonly [path: string, how: Look, ...answer: Answer])[];

/** What a path is now, in values of which one differs as soon as anything about it does. */
export function lookAgain(path: string, how: Look): Answer {
  if (how === 'place') return [realPlace(path)];
  const found = lstatSync(path, quiet);
  if (!found) return [];
  if (!found.isSymbolicLink()) return how === 'kind' && found.isDirectory() ? passed : factsOf(found);
  const behind = statSync(path, quiet);
  return behind ? [...factsOf(found), ...factsOf(behind)] : factsOf(found);
}

/** Whether everything is as it was: asked of some thousand files by every run, so that nothing is made for a file. */
export function stillStand(looks: Looks): boolean {
  const numbersOf = findNumbers();
  for (let at = 0; at < looks.length; at++) if (!stands(looks[at]!, numbersOf)) return false;
  return true;
}

function stands(look: Looks[number], numbersOf: NumbersOf | undefined): boolean {
  const path = look[0];
  const how = look[1];
  const numbers = how === 'place' ? undefined : numbersOf?.(path);
  // Of nothing, and of a link, there is more to know.
  if (numbers === undefined || (numbers[1]! & fileType) === link) return isSame(look, lookAgain(path, how));
  if (how === 'kind' && (numbers[1]! & fileType) === directory) return isSame(look, passed);
  return (
    look.length === 8 &&
    numbers[0] === look[2] &&
    numbers[7] === look[3] &&
    numbers[1] === look[4] &&
    numbers[8] === look[5] &&
    numbers[12]! * 1000 + numbers[13]! / 1e6 === look[6] &&
    numbers[14]! * 1000 + numbers[15]! / 1e6 === look[7]
  );
}

const isSame = (look: Looks[number], now: Answer): boolean =>
  now.length === look.length - 2 && now.every((value, at) => value === look[at + 2]);

const fileType = 0o170000;
const directory = 0o040000;
const link = 0o120000;

/** The numbers of `lstat` for a path, until the next question: one array is filled again and again. */
export type NumbersOf = (path: string) => ArrayLike<number> | undefined;

/**
 * What gives the numbers that Node has of a path from the system: a `Stats` with four dates takes three times as long to make
 * as to ask for. The binding behind `lstatSync` is asked with the arguments that this one is seen to give it (Node 20.20 to 26);
 * where it gives others there is none.
 */
export function findNumbers(): NumbersOf | undefined {
  if (!asksSo.test(String(lstatSync))) return undefined;
  type Ask = (path: string, bigint: false, request: undefined, throws: false) => ReturnType<NumbersOf>;
  const lstat = askBindings((binding: (name: 'fs') => { readonly lstat: Ask }) => binding('fs').lstat);
  return lstat && (path => lstat(path, false, undefined, false));
}

const asksSo =
  /=\s*binding\.lstat\(\s*(?:path|pathModule\.toNamespacedPath\(path\)),\s*options\.bigint,\s*undefined,\s*options\.throwIfNoEntry,?\s*\);/;

const quiet = { throwIfNoEntry: false } as const;

/** A folder that was only passed on the way may get and lose entries. */
const passed: Answer = ['folder'];

/** Milliseconds have fractions, down to less than a microsecond. */
const factsOf = ({ dev, ino, mode, size, mtimeMs, ctimeMs }: Stats): Answer => [
  dev,
  ino,
  mode,
  size,
  mtimeMs,
  ctimeMs,
];

/** Where a path leads; nothing when it leads nowhere. */
function realPlace(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return '';
  }
}

/** The text of a small file. */
export const readText = (path: string): string => readFileSync(path, 'utf8');

/** Whether a descriptor may lead to a screen: only a device can. */
export function mayBeScreen(descriptor: number): boolean {
  const found = fstatSync(descriptor);
  return found.isCharacterDevice() && found.rdev !== statSync('/dev/null').rdev;
}
