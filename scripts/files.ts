import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** All files and links below a folder, relative to it, `/`-separated and sorted. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
