import type { FileSpec, ItemFiles } from '../generated/types/target.ts';

/** The folder of a bundle, with `{name}`: what its manifest has its name for. */
export const bundleFolder = ({ path }: Pick<ItemFiles, 'path'>): string =>
  path.slice(0, path.indexOf('{name}') + '{name}'.length);

/** Where a part lies in the folder of a bundle. */
export const pathInBundle = (part: FileSpec): string =>
  part.kind === 'items' && part.dir !== undefined ? `${part.dir}/${part.path}` : part.path;
