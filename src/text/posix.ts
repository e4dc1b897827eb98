/** Paths with `/` between names, on every system. */
import path from 'path-browserify';

export const { dirname, join, normalize } = path;

/** The way from one path to another, both from the same start. */
export const relative = (from: string, to: string): string => path.relative(`/${from}`, `/${to}`);
