import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** All files and links below a folder, relative to it, `/`-separated and sorted. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();

/** Names of the files in a folder with an ending, sorted, without the ending. */
export const namesIn = (folder: string, ending: string): string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter(name => name.endsWith(ending))
    .sort()
    .map(name => name.slice(0, -ending.length));
