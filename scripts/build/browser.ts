/**
 * Makes the library usable in browsers. The build imports every Node module as `#machine/<name>`. `imports` in package.json
 * maps it to the Node module or, for browser bundles, to a stub: one from `src/host/browser/`, or a generated one that
 * throws. Users need no polyfills, and the library is only built once.
 */
import { existsSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../generate.ts';

const machine = new Set(builtinModules);
const own = join(root, 'src/host/browser');
const sourceOf = (name: string): string => join(own, `${name}.ts`);

/** File with the Node globals to inject. */
export const globals = join(root, 'scripts/build/browser-globals.ts');

/** Name of a Node module as in `builtinModules`; undefined for other modules. */
const builtin = (path: string): string | undefined => {
  const name = path.replace(/^node:/, '');
  return machine.has(name) ? name : undefined;
};

/** Resolves Node modules through `imports` of package.json. */
export const machineByCondition: Plugin = {
  name: 'machine-by-condition',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#machine\// }, ({ path }) => ({ path, external: true, sideEffects: false }));
    onResolve({ filter: /^(?:node:)?[a-z_]+(?:\/[a-z]+)?$/ }, ({ path, kind }) => {
      const name = builtin(path);
      if (name === undefined) return undefined;
      if (kind === 'require-call') return { path: name, namespace: 'required' };
      return { path: `#machine/${name}`, external: true, sideEffects: false };
    });
    // ES modules have no `require`, so modules that a CommonJS package requires are imported.
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `export * from '#machine/${path}';\nexport { default } from '#machine/${path}';`,
    }));
  },
};

/** Resolves Node modules to stubs in a bundle for a web page. */
export const machineOfPage: Plugin = {
  name: 'machine-of-page',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?[a-z_]+(?:\/[a-z]+)?$/ }, ({ path }) => {
      const name = builtin(path);
      if (name === undefined) return undefined;
      return existsSync(sourceOf(name))
        ? { path: sourceOf(name), sideEffects: false }
        : { path: name, namespace: 'machine', sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: 'machine' }, ({ path }) => ({
      contents: standIn(path, namesOf(path)),
      loader: 'js',
      resolveDir: own,
    }));
  },
};

/** The text of a stub that exports these names of a Node module without an implementation. */
const standIn = (
  name: string,
  names: Iterable<string>,
): string => `import { missingModule } from './missing.ts';
const nothing = missingModule(${JSON.stringify(name)});
export default nothing;
export const { ${[...names].join(', ')} } = nothing;\n`;

const namesOf = (name: string): string[] =>
  Object.keys(createRequire(import.meta.url)(`node:${name}`)).filter(one => one !== 'default');

/**
 * Maps paths in the package to the texts of the stubs that the library imports. A stub only exports names that the library
 * imports, because the full list depends on the Node that runs the build.
 */
export async function browserModules(
  texts: ReadonlyMap<string, string>,
  target: string,
): Promise<Map<string, string>> {
  const imports = new Map<string, Set<string>>();
  for (const text of texts.values())
    for (const [, list, name] of text.matchAll(
      /(?:\bimport\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from)?\s*["']#machine\/([\w/]+)["']/g,
    )) {
      const names = imports.get(name!) ?? new Set();
      imports.set(name!, names);
      for (const one of list?.split(',') ?? []) names.add(one.trim().split(' ')[0]!);
      names.delete('default');
    }
  const modules = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, names]) => {
      const stdin = { contents: standIn(name, [...names].sort()), resolveDir: own };
      const { outputFiles } = await build({
        ...(existsSync(sourceOf(name)) ? { entryPoints: [sourceOf(name)] } : { stdin }),
        bundle: true,
        write: false,
        format: 'esm',
        target: 'es2022',
        minify: true,
        logLevel: 'error',
      });
      return [`${target}/${name}.js`, outputFiles[0]!.text] as const;
    });
  return new Map(await Promise.all(modules));
}
