/**
 * Sets packages apart that few runs of the program need: each is a script of its own, which is loaded when something
 * first calls one of its functions. What stands in the core is read, given back from the kept code and made by every run.
 */
import type { Plugin } from 'esbuild';

/** How the core asks for the script of a package. */
export const nameApart = (name: string): string => `apart:${name}`;

/**
 * Gives the modules of the program, in place of a package, functions of the same names, of which the first to be called
 * loads it. A class can be made with `new`, but asking for `instanceof`, or for what it has besides, finds nothing.
 */
export async function standIn(name: string): Promise<Plugin> {
  const names = Object.keys((await import(name)) as object).filter(one => one !== 'default');
  const contents = [
    'let made;',
    `const all = () => (made ??= require('${nameApart(name)}'));`,
    ...names.map(
      one =>
        `export function ${one}(...given) { const it = all().${one}; return new.target ? new it(...given) : it(...given); }`,
    ),
  ].join('\n');
  return {
    name: `apart-${name}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
        path: name,
        namespace: 'apart',
        sideEffects: false,
      }));
      onResolve({ filter: /^apart:/ }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: new RegExp(`^${name}$`), namespace: 'apart' }, () => ({ contents, loader: 'js' }));
    },
  };
}
