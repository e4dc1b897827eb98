/**
 * Makes one file of the chunks that a compile always loads. The bundler gives every set of modules that has its own
 * set of users a chunk, which makes dozens of small files; finding and reading them costs a cold start more than
 * their code. The joined file is CommonJS, because only for scripts can what V8 compiled be kept; a module
 * beside it evaluates it and exports what it has, so that lazy chunks stay as they are and import from there.
 */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { root } from '../generate.ts';

export interface Outputs {
  /** Path relative to the project to its text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly metafile: Metafile;
}

type Output = Metafile['outputs'][string];

/** Names of the module that stands for the joined chunks, and of their code, beside the chunks they are made of. */
const joinedName = 'core.js';
const codeName = 'core.cjs';

/**
 * Joins the chunks that the modules `together` (paths of sources) load at once, without those that `apart` (outputs)
 * loads too. Every other output is rewritten to import from the joined file.
 */
export async function joinChunks(
  outputs: Outputs,
  together: readonly string[],
  apart: string,
): Promise<Outputs> {
  const { texts, metafile } = outputs;
  const entries = Object.entries(metafile.outputs);
  const chunkOf = (source: string): string => {
    const found = entries.find(([, output]) => output.entryPoint === source);
    if (!found) throw new Error(`${source} is no chunk of its own: nothing imports it lazily`);
    return found[0];
  };
  const kept = closure([apart], metafile);
  const joined = [...closure(together.map(chunkOf), metafile)].filter(path => !kept.has(path)).sort();
  const folder = joined[0]!.slice(0, -basename(joined[0]!).length);
  const path = folder + joinedName;
  const shared = [...kept].filter(name => name !== apart);
  const code = asFunction(pointTo(await bundleJoined(joined, texts, metafile), joined, metafile));
  const text = await bundleFacade(code, joined, shared, metafile);

  const rest = new Map([...texts].filter(([name]) => !joined.includes(name)));
  for (const [name, content] of rest) rest.set(name, pointTo(content, joined, metafile));
  rest.set(path, text);
  rest.set(folder + codeName, code);
  const remaining = Object.fromEntries(entries.filter(([name]) => !joined.includes(name)));
  for (const [name, output] of Object.entries(remaining)) {
    remaining[name] = { ...output, bytes: Buffer.byteLength(rest.get(name)!) };
  }
  const imports = [{ path: folder + codeName, kind: 'require-call' as const }];
  remaining[path] = { bytes: Buffer.byteLength(text), inputs: {}, exports: [], imports };
  remaining[folder + codeName] = { ...sumOf(joined, metafile), bytes: Buffer.byteLength(code) };
  return { texts: rest, metafile: { ...metafile, outputs: remaining } };
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

/** Exports of different chunks have the same short names: each gets the number of its chunk. */
const joinedExport = (index: number, name: string): string => `c${index}_${name}`;

async function bundleJoined(
  joined: readonly string[],
  texts: ReadonlyMap<string, string>,
  { outputs }: Metafile,
): Promise<string> {
  const contents = joined
    .map((path, index) => {
      const names = outputs[path]!.exports.map(name => `${name} as ${joinedExport(index, name)}`);
      return names.length > 0
        ? `export {${names.join(', ')}} from './${basename(path)}';`
        : `import './${basename(path)}';`;
    })
    .join('\n');
  return bundle(contents, {
    format: 'cjs',
    // An escape instead of a character beyond Latin-1 lets Node read the file as bytes.
    charset: 'ascii',
    plugins: [
      {
        name: 'chunks',
        setup(bundler) {
          bundler.onResolve({ filter: /^\.\.?\// }, ({ path, kind }) => {
            const chunk = joined.find(candidate => basename(candidate) === basename(path));
            // Lazy imports of what is joined are pointed to the joined file afterwards, like those of other outputs.
            return chunk && kind !== 'dynamic-import'
              ? { path: chunk, namespace: 'chunk' }
              : { path, external: true };
          });
          bundler.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
            contents: texts.get(path)!,
            loader: 'js',
          }));
        },
      },
    ],
  });
}

/** A function of what reaches the other outputs: they are modules, which a script can neither require nor import. */
const asFunction = (text: string): string =>
  `module.exports=(require,__load)=>{const module={exports:{}};${text.replace(/\bimport\((?=")/g, '__load(')}return module.exports};`;

/** The module that evaluates the code and exports everything that the joined chunks exported. */
function bundleFacade(
  code: string,
  joined: readonly string[],
  shared: readonly string[],
  { outputs }: Metafile,
): Promise<string> {
  const names = joined.flatMap((path, index) =>
    outputs[path]!.exports.map(name => joinedExport(index, name)),
  );
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 32);
  const contents = `
import { createRequire } from 'node:module';
import { loadCode } from ${JSON.stringify(join(root, 'src/host/compiled-code.ts'))};
${shared.map((path, index) => `import * as shared${index} from './${basename(path)}';`).join('\n')}
const require = createRequire(import.meta.url);
const modules = { ${shared.map((path, index) => `'./${basename(path)}': shared${index}`).join(', ')} };
export const { ${names.join(', ')} } = loadCode(new URL('${codeName}', import.meta.url).href, '${hash}')(
  name => modules[name] ?? require(name),
  name => import(name),
);`;
  return bundle(contents, { format: 'esm', external: shared.map(path => `./${basename(path)}`) });
}

/** One text from what esbuild finds behind `contents`. */
async function bundle(contents: string, options: BuildOptions): Promise<string> {
  const result = await build({
    stdin: { contents, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    ...options,
  });
  return result.outputFiles![0]!.text;
}

/** Replaces imports of joined chunks, as the minifier writes them, by imports from the joined file. */
function pointTo(text: string, joined: readonly string[], { outputs }: Metafile): string {
  const places = new Map(
    joined.map((path, index) => [basename(path), { index, exports: outputs[path]!.exports }]),
  );
  const target = (prefix: string) => `"${prefix}${joinedName}"`;
  return text
    .replace(
      /(import|export)(?:\s*\{([^}]*)\}\s*from)?\s*"(\.\/(?:chunks\/)?)([\w.-]+\.js)"/g,
      (whole, word: string, list: string | undefined, prefix: string, name: string) => {
        const place = places.get(name);
        if (!place) return whole;
        if (list === undefined) return `${word}${target(prefix)}`;
        const renamed = list.split(',').map(part => {
          const [from, to = from] = part.trim().split(/\s+as\s+/) as [string, string?];
          return `${joinedExport(place.index, from)} as ${to}`;
        });
        return `${word}{${renamed.join(',')}}from${target(prefix)}`;
      },
    )
    .replace(/import\("(\.\/(?:chunks\/)?)([\w.-]+\.js)"\)/g, (whole, prefix: string, name: string) => {
      const place = places.get(name);
      if (!place) return whole;
      const members = place.exports.map(member => `${member}:m.${joinedExport(place.index, member)}`);
      return `import(${target(prefix)}).then(m=>({${members.join(',')}}))`;
    });
}

function sumOf(joined: readonly string[], { outputs }: Metafile): Output {
  const inputs: Output['inputs'] = {};
  for (const path of joined) {
    for (const [input, { bytesInOutput }] of Object.entries(outputs[path]!.inputs)) {
      inputs[input] = { bytesInOutput: (inputs[input]?.bytesInOutput ?? 0) + bytesInOutput };
    }
  }
  return { bytes: 0, inputs, exports: [], imports: [] };
}
