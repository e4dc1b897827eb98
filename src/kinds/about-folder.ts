import { strings } from '../model/data.ts';
import type { Item } from '../model/model.ts';
import { commonFolder } from '../text/glob-lists.ts';

/** The folder that the globs of an item lie below, and whether they are all of it. */
export function aboutFolder(item: Item): { folder: string | undefined; whole: boolean } {
  const globs = strings(item.fields.get('globs')).filter(glob => !glob.startsWith('!'));
  const folder = commonFolder(globs);
  return { folder, whole: globs.every(glob => isWhole(glob, folder ?? '')) };
}

/** Whether a glob stands for all that lies below a folder. */
export const isWhole = (glob: string, folder: string): boolean =>
  [`${folder}/**`, `${folder}/**/*`].includes(glob.replace(/^\.?\//, ''));
