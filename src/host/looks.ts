import { fstatSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';

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

/** Whether everything is as it was. */
export const stillStand = (looks: Looks): boolean =>
  looks.every(([path, how, ...answer]) => {
    const now = lookAgain(path, how);
    return now.length === answer.length && now.every((value, at) => value === answer[at]);
  });

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
