/**
 * Finds the programs that are started. A search by the system may begin in the working directory (Windows) or follow
 * relative entries of `PATH`; both lead into the project, which is not trusted.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

const isWindows = process.platform === 'win32';

/** The entries of `PATH` that do not depend on the working directory. */
const foldersOf = (environment: Variables): string[] =>
  (searchPath(environment) ?? '').split(delimiter).filter(isAbsolute);

/** On Windows the name of the variable may have any case. */
function searchPath(environment: Variables): string | undefined {
  if (!isWindows) return environment.PATH;
  const name = Object.keys(environment).find(one => one.toUpperCase() === 'PATH');
  return name === undefined ? undefined : environment[name];
}

/**
 * The absolute path of a program, looked up in the absolute entries of `PATH`; `undefined`: there is none. A file that may
 * not be executed is given where there is no other, so that starting it says why.
 */
export function programPath(name: string, environment: Variables = process.env): string | undefined {
  const names = isWindows ? [`${name}.exe`, `${name}.com`] : [name];
  const paths = foldersOf(environment).flatMap(folder => names.map(file => join(folder, file)));
  return paths.find(path => isFile(path) && isExecutable(path)) ?? paths.find(isFile);
}

/** `PATH` for a program that starts others: without entries that depend on the working directory. */
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
