/** Path functions that use `/` on every system. */
import path from 'path-browserify';

export const { dirname, join, normalize } = path;

/** The relative path from one path to another; both are relative to the same directory. */
export const relative = (from: string, to: string): string => path.relative(`/${from}`, `/${to}`);
