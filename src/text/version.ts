import { catalogue } from '../generated/blocks.ts';

/** The newest version of the source language that this program knows. */
export const newestSyntax: string = catalogue.versions.at(-1)!.version;

/** Negative, zero or positive, as `a` is older than, the same as or newer than `b`. Both have the form of a version. */
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
