/**
 * Makes two scripts of the chunks that a cold start loads: the entry, and everything that a compile needs besides it.
 * The bundler gives every set of modules that has its own set of users a chunk, which makes dozens of small files;
 * finding and reading them costs a cold start more than their code. Both are CommonJS: a run that needs nothing else
 * never wakes Node's loader of modules, whose view of `node:fs` alone opens streams, promises and sockets, and only
 * for scripts can what V8 compiled be kept. Beside each stands a module with its exports, so that lazy chunks stay
 * as they are and import from there.
 */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import { root } from '../generate.ts';
import { nameApart } from './apart.ts';
import { splitRare } from './rare.ts';
import { renameVariables } from './rename.ts';

export interface Outputs {
  /** Path relative to the project to its text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly metafile: Metafile;
}

type Output = Metafile['outputs'][string];

/** A script that is made of chunks. */
interface Script {
  /** Paths of the chunks in it. */
  readonly chunks: readonly string[];
  /** Exports of different chunks have the same short names: this prefix and the number of the chunk tell them apart. */
  readonly prefix: string;
  /** Path of the module that exports what the script has. */
  readonly facade: string;
  /** Path of the script. */
  readonly path: string;
}

/**
 * Joins `entry` (an output) and what it loads at once into the entry script, and the chunks that the modules `together`
 * (paths of sources) load at once besides into the core. Every other output is rewritten to import from these two. Each of
 * `alone` (paths of sources that the core imports lazily) becomes a script of its own besides, whose code is kept too, and
 * so does each package of `apart`, for which `alias` says where it is. Of the core, functions that are rare by their places
 * in it are one more; without `isRare` it is left whole, and readable.
 */
export async function joinChunks(
  { texts, metafile }: Outputs,
  together: readonly string[],
  alone: readonly string[],
  apart: readonly string[],
  entry: string,
  alias: Record<string, string>,
  isRare?: (start: number, end: number) => boolean,
): Promise<Outputs> {
  const entries = Object.entries(metafile.outputs);
  const chunkOf = (source: string): string => {
    const found = entries.find(([, output]) => output.entryPoint === source);
    if (!found) throw new Error(`${source} is no chunk of its own: nothing imports it lazily`);
    return found[0];
  };
  // The helpers of the bundler are needed by what the core has, and the entry only seems to import them.
  const first = new Set([...closure([entry], metafile)].filter(path => hasSources(path, metafile)));
  const hot = [...closure(together.map(chunkOf), metafile)].filter(path => !first.has(path)).sort();
  const folder = `${dirname(hot[0]!)}/`;
  const scripts = {
    entry: {
      chunks: [...first],
      prefix: 'e',
      facade: `${folder}entry.js`,
      path: entry.replace(/\.js$/, '.cjs'),
    },
    core: { chunks: hot, prefix: 'c', facade: `${folder}core.js`, path: `${folder}core.cjs` },
  };
  const both = [scripts.entry, scripts.core];
  const joined = new Set(both.flatMap(({ chunks }) => chunks));
  const others = alone.map((source, at): Script => {
    const path = chunkOf(source);
    const chunks = [path, ...[...closure([path], metafile)].filter(one => one !== path && !joined.has(one))];
    const name = basename(source, '.ts');
    return { chunks, prefix: `o${at}_`, facade: path, path: `${folder}${name}.cjs` };
  });
  const whole = await coreText(scripts, texts, metafile);
  const rareName = (text: string) => `./rare-${hashOf(text).slice(0, 8)}`;
  const split = isRare && splitRare(whole, isRare, rareName);
  const core = split ? await renameVariables(await minified(split.often)) : whole;
  const kept: readonly KeptScript[] = await Promise.all([
    ...(split
      ? [
          {
            path: `${folder}rare.cjs`,
            text: await minified(split.rare),
            inputs: {},
            name: rareName(split.rare),
          },
        ]
      : []),
    ...others.map(async script => ({
      path: script.path,
      text: await otherText(script, scripts, texts, metafile),
      inputs: inputsOf(script.chunks, metafile),
      name: `./${basename(script.facade)}`,
      members: membersOf(script, script.facade, metafile),
    })),
    ...apart.map(async name => ({
      path: `${folder}${name}.cjs`,
      name: nameApart(name),
      ...(await packageText(name, alias)),
    })),
  ]);
  const added = new Map([
    [scripts.core.path, core],
    ...kept.map(({ path, text }) => [path, text] as const),
    [scripts.entry.path, await entryText(scripts, core, kept, texts, metafile)],
    [scripts.entry.facade, facade(scripts.entry, scripts.entry, metafile)],
    [scripts.core.facade, facade(scripts.core, scripts.entry, metafile)],
  ]);

  const rest = new Map([...texts].filter(([path]) => !joined.has(path)));
  for (const [path, text] of rest) rest.set(path, pointTo(text, both, metafile));
  const outputs = Object.fromEntries(entries.filter(([path]) => !joined.has(path)));
  for (const [path, output] of Object.entries(outputs)) {
    outputs[path] = { ...output, bytes: Buffer.byteLength(rest.get(path)!) };
  }
  for (const [path, text] of added) {
    rest.set(path, text);
    const script = both.find(candidate => candidate.path === path);
    const besides = kept.find(candidate => candidate.path === path);
    const inputs = script ? inputsOf(script.chunks, metafile) : (besides?.inputs ?? {});
    outputs[path] = { bytes: Buffer.byteLength(text), inputs, exports: [], imports: [] };
  }
  return { texts: rest, metafile: { ...metafile, outputs } };
}

/** Outputs that are loaded with the given ones. */
function closure(start: readonly string[], { outputs }: Metafile): Set<string> {
  const found = new Set(start);
  for (const path of found) {
    for (const { path: next, kind, external } of outputs[path]!.imports) {
      if (kind === 'import-statement' && !external) found.add(next);
    }
  }
  return found;
}

const hasSources = (path: string, { outputs }: Metafile): boolean =>
  Object.keys(outputs[path]!.inputs).length > 0;

/** What the exports of a chunk are called in the script. */
const exportOf = ({ prefix, chunks }: Script, chunk: string, name: string): string =>
  `${prefix}${chunks.indexOf(chunk)}_${name}`;

const exportsOf = (script: Script, chunk: string, { outputs }: Metafile): (readonly [string, string])[] =>
  outputs[chunk]!.exports.map(name => [name, exportOf(script, chunk, name)]);

type Scripts = Readonly<Record<'entry' | 'core', Script>>;

/** A script beside the core. */
interface KeptScript {
  readonly path: string;
  readonly text: string;
  readonly inputs: Output['inputs'];
  /** What others ask for. */
  readonly name: string;
  /** Members of the object that they get, of the exports `m` of the script; absent: its exports. */
  readonly members?: string;
}

/**
 * The core, as a function of what reaches the other outputs: `require` also knows the chunks of the entry, `load`
 * imports the others. Where it would import itself lazily it has everything already.
 */
async function coreText(
  { entry, core }: Scripts,
  texts: ReadonlyMap<string, string>,
  metafile: Metafile,
): Promise<string> {
  const inner = (text: string) => loadLazily(text, [core], metafile, () => '__self()');
  const isEntry = (name: string) => entry.chunks.some(chunk => basename(chunk) === name);
  const directly = lazyChunks(core, [entry, core], texts);
  const text = await bundleScript(core, texts, metafile, inner, isEntry, { directly, readable: true });
  return asFunction(text);
}

/** A script beside the core, as such a function: its `require` knows what stands for the core and the entry. */
async function otherText(
  script: Script,
  { entry, core }: Scripts,
  texts: ReadonlyMap<string, string>,
  metafile: Metafile,
): Promise<string> {
  const inner = (text: string) => pointTo(text, [entry, core], metafile);
  const isEntry = (name: string) => name === basename(entry.facade);
  const numbered = {
    name: basename(core.facade),
    text: `const at=require('core-at');${byNumber(core, metafile)}`,
  };
  return asFunction(await bundleScript(script, texts, metafile, inner, isEntry, { numbered }));
}

/** The script of a package, which has all that it exports. */
async function packageText(
  name: string,
  alias: Record<string, string>,
): Promise<Pick<KeptScript, 'text' | 'inputs'>> {
  const contents = `import * as all from ${JSON.stringify(name)}; module.exports = all;`;
  const { text, inputs } = await bundle(contents, { alias });
  return { text: asFunction(text), inputs };
}

/** A script that is an expression, as short as it can be. */
async function minified(text: string): Promise<string> {
  const { code } = await transform(`x=${text}`, forNode);
  return asAscii(code).replace(/^x=|;\n$/g, '');
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const asFunction = (text: string): string =>
  `(require,__load)=>{const module={exports:{}},__self=async()=>module.exports;${text.replace(/\bimport\((?=")/g, '__load(')}return module.exports}`;

/** The entry, which evaluates the core when something asks for it. */
async function entryText(
  { entry, core }: Scripts,
  coreCode: string,
  kept: readonly KeptScript[],
  texts: ReadonlyMap<string, string>,
  metafile: Metafile,
): Promise<string> {
  const shared = entry.chunks.filter(chunk => chunk.startsWith(dirname(core.path)));
  const loader = `
import { loadCode } from ${JSON.stringify(join(root, 'src/host/compiled-code.ts'))};
import { withInitialFlags } from ${JSON.stringify(join(root, 'src/host/optimization.ts'))};
${shared.map(path => `import { ${namesAs(entry, path, metafile)} } from './${basename(path)}';`).join('\n')}
const chunks = { ${shared.map(path => `'./${basename(path)}': { ${membersOf(entry, path, metafile, '')} }`).join(', ')} };
const kept = {
${kept.map(script => `  '${script.name}': () => ${script.members === undefined ? loading(script, script.text) : `{ const m = ${loading(script, script.text)}; return { ${script.members} }; }`},`).join('\n')}
};
const find = name =>
  name === 'core-at' ? core().at
  : name === './${basename(entry.facade)}' ? module.exports
  : (chunks[name] ??= kept[name] ? kept[name]() : require(name));
const load = name => {
  if (kept[name]) return Promise.resolve(name).then(find);
  const path = './chunks/' + name;
  return withInitialFlags(() => import(path));
};
let loaded;
export const core = () => (loaded ??= ${loading(core, coreCode)});`;
  const isEntry = (name: string) => entry.chunks.some(chunk => basename(chunk) === name);
  const inner = (text: string) => {
    const own = text.replace(/import"[^"]*\/([^"/]*)";/g, (whole, name: string) =>
      isEntry(name) ? whole : '',
    );
    const lazy = loadLazily(own, [core], metafile, () => 'Promise.resolve().then(__core)');
    return lazy === own ? own : `${lazy}\nimport { core as __core } from 'core-loader';`;
  };
  const text = await bundleScript(entry, texts, metafile, inner, () => false, { loader });
  return `#!/usr/bin/env node\n${text}`;
}

/** An expression that evaluates a script, once what V8 made of it is at hand. */
function loading({ path }: Pick<Script, 'path'>, text: string): string {
  return `loadCode(__dirname + '/chunks/${basename(path)}', '${hashOf(text)}')(find, load)`;
}

/** Members of an object with what a chunk exports, of the exports `m` of its script. */
const membersOf = (script: Script, chunk: string, metafile: Metafile, from = 'm.'): string =>
  exportsOf(script, chunk, metafile)
    .map(([member, joined]) => `${member}:${from}${joined}`)
    .join(',');

/** What a chunk exports under the names that it has in the script. */
const namesAs = (script: Script, chunk: string, metafile: Metafile): string =>
  exportsOf(script, chunk, metafile)
    .map(([name, joined]) => `${name} as ${joined}`)
    .join(', ');

/** Chunks of `script` that chunks of `scripts` import lazily. */
const lazyChunks = (
  script: Script,
  scripts: readonly Script[],
  texts: ReadonlyMap<string, string>,
): readonly string[] => {
  const names = new Set<string>();
  for (const path of scripts.flatMap(({ chunks }) => chunks)) {
    for (const [, name] of texts.get(path)!.matchAll(lazyImports)) names.add(name!);
  }
  return script.chunks.filter(path => names.has(basename(path)));
};

/**
 * One script of its chunks, each of which `rewrite` may change first. With `directly` it exports what those of its chunks
 * export, and `at`, a function that gives everything by its number: an object of a thousand members takes half a millisecond,
 * and when one run has made it, its description is part of what V8 keeps: 5 of 60 ms for all that come after. `numbered`
 * is a module that stands for such a script.
 */
async function bundleScript(
  script: Script,
  texts: ReadonlyMap<string, string>,
  metafile: Metafile,
  rewrite: (text: string) => string,
  isOutside: (name: string) => boolean,
  {
    loader,
    directly,
    numbered,
    readable,
  }: {
    readonly loader?: string;
    readonly directly?: readonly string[];
    readonly numbered?: { readonly name: string; readonly text: string };
    /** Names stay as they are, each the same wherever it stands; what is minified later. */
    readonly readable?: boolean;
  } = {},
): Promise<string> {
  // Assigned as values: what `export` gives, a getter for each of hundreds of names, takes longer than most modules.
  const contents = script.chunks.map(
    path => `import {${namesAs(script, path, metafile)}} from './${basename(path)}';`,
  );
  const names = namesIn(script, metafile);
  const chunks: Plugin = {
    name: 'chunks',
    setup(bundler) {
      bundler.onResolve({ filter: /^core-loader$/ }, ({ path }) => ({ path, namespace: 'loader' }));
      bundler.onLoad({ filter: /.*/, namespace: 'loader' }, () => ({
        contents: loader!,
        resolveDir: root,
        loader: 'js',
      }));
      // A script has a `require` at hand; the module that makes others opens parts of Node's loader of modules.
      bundler.onResolve({ filter: /^node:module$/ }, ({ path }) => ({ path, namespace: 'require' }));
      bundler.onLoad({ filter: /.*/, namespace: 'require' }, () => ({
        contents: 'export const createRequire = () => require;',
        loader: 'js',
      }));
      bundler.onResolve({ filter: /^\.\.?\// }, ({ path, kind, namespace }) => {
        if (namespace === 'file') return undefined;
        if (basename(path) === numbered?.name) return { path, namespace: 'numbered' };
        const chunk = script.chunks.find(candidate => basename(candidate) === basename(path));
        if (chunk && kind !== 'dynamic-import') return { path: chunk, namespace: 'chunk' };
        if (kind === 'dynamic-import' || isOutside(basename(path))) return { path, external: true };
        return undefined;
      });
      bundler.onLoad({ filter: /.*/, namespace: 'numbered' }, () => ({
        contents: numbered!.text,
        loader: 'js',
      }));
      bundler.onResolve({ filter: /^core-at$/ }, ({ path }) => ({ path, external: true }));
      bundler.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: rewrite(texts.get(path)!),
        resolveDir: root,
        loader: 'js',
      }));
    },
  };
  const exported = directly
    ? [...namesIn(script, metafile, directly), `at: n => { switch (n) { ${cases(names)} } }`]
    : [...names, ...(loader ? ['core'] : [])];
  if (loader) contents.push(`import {core} from 'core-loader';`);
  const { text } = await bundle([...contents, `module.exports = { ${exported.join(', ')} };`].join('\n'), {
    plugins: [chunks],
    ...(readable && { minify: false, minifySyntax: true }),
  });
  return text;
}

const forNode = {
  target: 'node20',
  charset: 'ascii',
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
} satisfies BuildOptions;

/** Escapes what the bundler does not, which is what stands in patterns. */
const asAscii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * One script from what esbuild finds behind `contents`, in ASCII, because the program reads its bytes as Latin-1, and the
 * files that went into it.
 */
async function bundle(
  contents: string,
  options: BuildOptions,
): Promise<{ readonly text: string; readonly inputs: Output['inputs'] }> {
  const result = await build({
    stdin: { contents, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    ...forNode,
    metafile: true,
    ...options,
  });
  const [output] = Object.values(result.metafile!.outputs);
  return { text: asAscii(result.outputFiles![0]!.text), inputs: output!.inputs };
}

const cases = (names: readonly string[]): string =>
  names.map((name, at) => `case ${at}: return ${name};`).join(' ');

/** What chunks of a script export, under the names that it has there. */
const namesIn = (script: Script, metafile: Metafile, chunks = script.chunks): string[] =>
  chunks.flatMap(chunk => exportsOf(script, chunk, metafile).map(([, name]) => name));

/** The module that exports what `script` exports; the entry is at hand in every run, and has the core. */
function facade(script: Script, entry: Script, metafile: Metafile): string {
  const own = `import{createRequire}from'node:module';const entry=createRequire(import.meta.url)('../${basename(entry.path)}');`;
  return script === entry
    ? `${own}export const {${namesIn(script, metafile).join(',')}}=entry;`
    : `${own}const{at}=entry.core();${byNumber(script, metafile)}`;
}

/** Exports of everything that a script has, each of which asks `at` for its number. */
const byNumber = (script: Script, metafile: Metafile): string =>
  `export const ${namesIn(script, metafile)
    .map((name, at) => `${name}=/* @__PURE__ */at(${at})`)
    .join(',')};`;

/** Replaces imports of joined chunks, as the minifier writes them, by imports from the modules that stand for them. */
function pointTo(text: string, scripts: readonly Script[], metafile: Metafile): string {
  const statements = text.replace(
    /(import|export)(?:\s*\{([^}]*)\}\s*from)?\s*"\.\/([\w.-]+\.js)"/g,
    (whole, word: string, list: string | undefined, name: string) => {
      const [script, chunk] = findChunk(scripts, name) ?? [];
      if (!script || !chunk) return whole;
      const target = `"./${basename(script.facade)}"`;
      if (list === undefined) return `${word}${target}`;
      const renamed = list.split(',').map(part => {
        const [from, to = from] = part.trim().split(/\s+as\s+/) as [string, string?];
        return `${exportOf(script, chunk, from)} as ${to}`;
      });
      return `${word}{${renamed.join(',')}}from${target}`;
    },
  );
  return loadLazily(statements, scripts, metafile, ({ facade: path }) => `import("./${basename(path)}")`);
}

const lazyImports = /import\("\.\/(?:chunks\/)?([\w.-]+\.js)"\)/g;

/** Replaces lazy imports of joined chunks by `load` of their script and what they would have given. */
function loadLazily(
  text: string,
  scripts: readonly Script[],
  metafile: Metafile,
  load: (script: Script) => string,
): string {
  return text.replace(lazyImports, (whole, name: string) => {
    const [script, chunk] = findChunk(scripts, name) ?? [];
    if (!script || !chunk) return whole;
    return `${load(script)}.then(m=>({${membersOf(script, chunk, metafile)}}))`;
  });
}

/** The script that a chunk went into, and the path of the chunk. */
function findChunk(scripts: readonly Script[], name: string): readonly [Script, string] | undefined {
  for (const script of scripts) {
    const chunk = script.chunks.find(path => basename(path) === name);
    if (chunk) return [script, chunk];
  }
  return undefined;
}

function inputsOf(chunks: readonly string[], { outputs }: Metafile): Output['inputs'] {
  const inputs: Output['inputs'] = {};
  for (const path of chunks) {
    for (const [input, { bytesInOutput }] of Object.entries(outputs[path]!.inputs)) {
      inputs[input] = { bytesInOutput: (inputs[input]?.bytesInOutput ?? 0) + bytesInOutput };
    }
  }
  return inputs;
}
