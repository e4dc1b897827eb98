import { catalogue } from '../generated/blocks.ts';

/** The newest version of the source language that this program supports. */
export const newestSyntax: string = catalogue.versions.at(-1)!.version;

/** Compares two valid versions; negative when `a` is older than `b`, zero when they are equal. */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
