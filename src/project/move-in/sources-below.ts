import { join } from 'node:path';
import { parseDocument as parseYaml } from 'yaml';
import type { Disk } from '../../host/host.ts';
import type { WithDisk } from '../../session/world.ts';
import { localPath } from '../../text/places.ts';
import { ignoredPaths } from './ignored.ts';

const skipped = new Set(['node_modules', '.git', '.state']);

/** Every source below a folder that version control does not ignore; paths relative to it, sorted. */
export function sourcesBelow(root: string, disk: Disk): string[] {
  const found: string[] = [];
  const ignored = ignoredPaths(root, disk);
  const search = (folder: string): void => {
    const folders: string[] = [];
    const files: string[] = [];
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory' && !skipped.has(name)) folders.push(`${path}/`);
      else if (kind === 'file' && name.endsWith('.prs')) files.push(path);
    }
    const left = folders.length + files.length > 0 ? ignored([...folders, ...files]) : new Set<string>();
    // Private notes are ignored and are sources all the same.
    found.push(...files.filter(path => path === localPath || !left.has(path)));
    for (const path of folders) if (!left.has(path)) search(path.slice(0, -1));
  };
  search('');
  return found.sort();
}

/** `input.entry` of a configuration, in the form of the paths below the project. */
export function entryOf(config: string, { disk }: WithDisk): string | undefined {
  const bytes = disk.readBytes(config);
  const entry = bytes && parseYaml(new TextDecoder().decode(bytes)).getIn(['input', 'entry']);
  return typeof entry === 'string' ? entry.replace(/^(?:\.\/)+/, '') : undefined;
}
