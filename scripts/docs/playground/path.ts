/** Paths of a page: those of POSIX, as far as the compiler asks for them. */
const normalizeParts = (path: string): string => {
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push(part);
  }
  const joined = (absolute ? '/' : '') + parts.join('/');
  return joined || '.';
};

export const sep = '/';
export const delimiter = ':';
export const isAbsolute = (path: string): boolean => path.startsWith('/');
export const normalize = (path: string): string =>
  normalizeParts(path) + (path.length > 1 && path.endsWith('/') && normalizeParts(path) !== '/' ? '/' : '');
export const join = (...parts: string[]): string =>
  normalize(parts.filter(part => part !== '').join('/') || '.');
export function resolve(...parts: string[]): string {
  const from = parts.findLastIndex(isAbsolute);
  return normalizeParts(`/${parts.slice(Math.max(0, from)).join('/')}`);
}
export function dirname(path: string): string {
  const plain = path.replace(/\/+$/, '');
  const at = plain.lastIndexOf('/');
  return at === -1 ? '.' : at === 0 ? '/' : plain.slice(0, at);
}
export function basename(path: string, ending = ''): string {
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return ending !== '' && name !== ending && name.endsWith(ending) ? name.slice(0, -ending.length) : name;
}
export function extname(path: string): string {
  const name = basename(path);
  const at = name.lastIndexOf('.');
  return at <= 0 ? '' : name.slice(at);
}
export function relative(from: string, to: string): string {
  const [a, b] = [resolve(from), resolve(to)].map(path => path.split('/').filter(Boolean)) as [
    string[],
    string[],
  ];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => '..'), ...b.slice(same)].join('/');
}
export function parse(path: string) {
  const [base, ext] = [basename(path), extname(path)];
  const root = isAbsolute(path) ? '/' : '';
  const dir = path.includes('/') ? dirname(path) : '';
  return { root, dir, base, ext, name: ext === '' ? base : base.slice(0, -ext.length) };
}
export const posix = {
  parse,
  sep,
  delimiter,
  isAbsolute,
  normalize,
  join,
  resolve,
  dirname,
  basename,
  extname,
  relative,
};
export const win32 = posix;
export default posix;
