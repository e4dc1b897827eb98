/** Paths with `/` between names, as POSIX puts them together: what a page has as well as a program. */

const isAbsolute = (path: string): boolean => path.startsWith('/');

/** A path without `.`, empty names, and names that `..` takes back; `.` when nothing is left. */
export function normalize(path: string): string {
  const absolute = isAbsolute(path);
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push(part);
  }
  const start = absolute ? '/' : '';
  if (parts.length === 0) return start || (path.endsWith('/') ? './' : '.');
  return `${start}${parts.join('/')}${path.endsWith('/') ? '/' : ''}`;
}

/** Paths one below the other. */
export function join(...paths: readonly string[]): string {
  const joined = paths.filter(path => path !== '').join('/');
  return joined === '' ? '.' : normalize(joined);
}

/** The folder that holds a path. */
export function dirname(path: string): string {
  const plain = path.replace(/\/+$/, '');
  const at = plain.lastIndexOf('/');
  if (at === -1) return isAbsolute(path) ? '/' : '.';
  if (at === 0) return '/';
  return at === 1 && isAbsolute(plain) ? '//' : plain.slice(0, at);
}

/** The way from one path to another, both from the same start. */
export function relative(from: string, to: string): string {
  const [start, end] = [from, to].map(path => normalize(`/${path}`).split('/').filter(Boolean)) as [
    string[],
    string[],
  ];
  let same = 0;
  while (same < start.length && same < end.length && start[same] === end[same]) same++;
  return [...start.slice(same).map(() => '..'), ...end.slice(same)].join('/');
}
