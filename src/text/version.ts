/** The newest version of the source language that this program knows. */
export const newestSyntax = '1.5.0';

/** Whether a text has the form `major.minor.patch`. */
export const isVersion = (text: string): boolean => /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(text);

/** Negative, zero or positive, as `a` is older than, the same as or newer than `b`. Both have the form of a version. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
