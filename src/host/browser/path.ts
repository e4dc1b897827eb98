/** Browser replacement of `node:path`: POSIX paths with the working directory `/`. */
import path from 'path-browserify';

export const { basename, delimiter, dirname, extname, format, isAbsolute, join, normalize, parse, sep } =
  path;
export const resolve = (...parts: string[]): string => path.resolve('/', ...parts);
export const relative = (from: string, to: string): string => path.relative(resolve(from), resolve(to));
export const posix = { ...path, resolve, relative };
export const win32 = posix;
export default posix;
