/** `node:path` of a page: paths of POSIX, as far as the compiler asks for them. */
import { dirname, join, normalize, relative } from '../text/posix.ts';

export { dirname, join, normalize, relative };

export const sep = '/';
export const delimiter = ':';
export const isAbsolute = (path: string): boolean => path.startsWith('/');
export function resolve(...parts: string[]): string {
  const from = parts.findLastIndex(isAbsolute);
  const path = normalize(`/${parts.slice(Math.max(0, from)).join('/')}`);
  return path.length > 1 ? path.replace(/\/$/, '') : path;
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
