/**
 * The library without Node. Its build imports every module of Node as `#machine/<name>`: `imports` of package.json leads
 * Node to its own module and whoever bundles for a browser to a stand-in of `src/host/browser/`, or to one made here that says
 * that a page has no such thing. So nobody has to bring replacements, and nothing is built twice.
 */
import { existsSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../generate.ts';

const machine = new Set(builtinModules);
const own = join(root, 'src/host/browser');
const sourceOf = (name: string): string => join(own, `${name}.ts`);

/** Names that the code finds everywhere in Node; see the file. */
export const globals = join(root, 'scripts/build/browser-globals.ts');

/** Name of a module of Node as `builtinModules` lists it; undefined for every other. */
const builtin = (path: string): string | undefined => {
  const name = path.replace(/^node:/, '');
  return machine.has(name) ? name : undefined;
};

/** Leaves modules of Node to `imports` of package.json. */
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
    // A module has no `require`: what a script of a package asks for is imported for it.
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `export * from '#machine/${path}';\nexport { default } from '#machine/${path}';`,
    }));
  },
};

/** Puts the stand-ins into a bundle for a page. */
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

/** The text of a module that has these names of a module of Node, and nothing behind any of them. */
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
 * Path in the package to the text of each stand-in that the texts of the library ask for. Only names that they import
 * are in it: which others there are depends on the Node of the build.
 */
export async function browserModules(
  texts: ReadonlyMap<string, string>,
  target: string,
): Promise<Map<string, string>> {
  const asked = new Map<string, Set<string>>();
  for (const text of texts.values())
    for (const [, list, name] of text.matchAll(
      /(?:\bimport\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from)?\s*["']#machine\/([\w/]+)["']/g,
    )) {
      const names = asked.get(name!) ?? new Set();
      asked.set(name!, names);
      for (const one of list?.split(',') ?? []) names.add(one.trim().split(' ')[0]!);
      names.delete('default');
    }
  const made = [...asked]
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
  return new Map(await Promise.all(made));
}
