import { relative, sep } from 'node:path';

/** The path with `/` between its segments, as in sources and messages. */
export const withForwardSlashes = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'));

/** The path from a folder to a file, with `/` between its segments. */
export const relativePath = (from: string, to: string): string => withForwardSlashes(relative(from, to));
