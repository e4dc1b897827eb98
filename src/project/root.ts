import { dirname, relative, sep } from 'node:path';
import { findConfig } from '../config/source.ts';
import type { Context } from './context.ts';

const slashed = (path: string) => (sep === '/' ? path : path.split(sep).join('/'));

/**
 * Absolute path of the project for commands that also work without a configuration: the directory of the
 * configuration when there is one, else the current directory. A configuration that the user named and that is not
 * there is reported.
 */
export function projectRoot({ disk, cwd, configPath, report }: Context): {
  readonly root: string;
  readonly config?: string;
} {
  const reader = {
    read: (path: string) => disk.readBytes(path),
    exists: (path: string) => disk.stat(path) !== undefined,
  };
  const found = findConfig(slashed(cwd), configPath, reader, configPath === undefined ? () => {} : report);
  return found === undefined ? { root: cwd } : { root: dirname(found), config: found };
}

/** A path below the root, `/`-separated; `undefined` for one that is not below it. */
export function pathBelow(root: string, path: string): string | undefined {
  const rest = slashed(relative(root, path));
  return rest === '' || rest === '..' || rest.startsWith('../') || /^(?:[A-Za-z]:|\/)/.test(rest)
    ? undefined
    : rest;
}
