/**
 * Finds the programs to be started. A search by the system may start in the working directory (Windows) or
 * follow relative entries of `PATH`. Both could run a program of the project, which is untrusted.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

const isWindows = process.platform === 'win32';

/** The absolute entries of `PATH`. */
const foldersOf = (environment: Variables): string[] =>
  (searchPath(environment) ?? '').split(delimiter).filter(isAbsolute);

/** On Windows the name of the variable may have any case. */
function searchPath(environment: Variables): string | undefined {
  if (!isWindows) return environment.PATH;
  const name = Object.keys(environment).find(one => one.toUpperCase() === 'PATH');
  return name === undefined ? undefined : environment[name];
}

/**
 * Finds a program in the absolute entries of `PATH`; `undefined` when there is none. If no candidate is
 * executable, a non-executable one is returned, so that starting it gives a useful error.
 */
export function programPath(name: string, environment: Variables = process.env): string | undefined {
  const names = isWindows ? [`${name}.exe`, `${name}.com`] : [name];
  const paths = foldersOf(environment).flatMap(folder => names.map(file => join(folder, file)));
  return paths.find(path => isFile(path) && isExecutable(path)) ?? paths.find(isFile);
}

/** `PATH` for child processes, without relative entries. */
export const absolutePath = (environment: Variables = process.env): string =>
  foldersOf(environment).join(delimiter);

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
