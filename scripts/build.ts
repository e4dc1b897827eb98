/**
 * Builds dist/: the program and the library. Each dynamic import is a separate chunk, so that a run only loads what it
 * needs. Packages are bundled, so that users install no dependencies.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build as bundle, type Metafile, transform } from 'esbuild';
import { browserModules, globals, machineByCondition } from './build/browser.ts';
import { declarations } from './build/declarations.ts';
import { bundledPackages, licenseText } from './build/licenses.ts';
import { generate, root } from './generate.ts';

const dist = join(root, 'dist');

/** Coverage needs source maps and unminified code without tree shaking. */
const measuresCoverage = process.env.NODE_V8_COVERAGE !== undefined;

/** Texts of outputs by path from the root, and the metadata of the bundle. */
interface Outputs {
  readonly texts: ReadonlyMap<string, string>;
  readonly metafile: Metafile;
}

/** Bundles the program and the library. Returns their combined metadata. */
export async function build(): Promise<Metafile> {
  const [program, library] = await Promise.all([bundleProgram(), bundleLibrary()]);
  const stubs = await browserModules(library.texts, 'dist/browser');
  const written = new Set<string>();
  for (const [path, text] of [...program.texts, ...library.texts, ...stubs]) {
    written.add(join(root, path));
    writeOutput(join(root, path), text);
  }
  removeStale(dist, written);
  // Sets the mode only if it differs: changing it would invalidate the records of unchanged runs.
  const entry = join(dist, 'prs.cjs');
  if ((statSync(entry).mode & 0o777) !== 0o755) chmodSync(entry, 0o755);
  return {
    inputs: { ...program.metafile.inputs, ...library.metafile.inputs },
    outputs: { ...program.metafile.outputs, ...library.metafile.outputs },
  };
}

/**
 * Bundles the program with a chunk per dynamic import. esbuild can only split ES modules, so the chunks are converted to
 * CommonJS, which Node 20 starts faster.
 */
async function bundleProgram(): Promise<Outputs> {
  const { texts, metafile } = await bundleSplit({
    entryPoints: { prs: 'src/cli/main.ts' },
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
  });
  const converted = await Promise.all(
    [...texts].map(async ([path, text]) => {
      const { code } = await transform(text, {
        format: 'cjs',
        platform: 'node',
        target: bundling.target,
        supported: { 'dynamic-import': false },
        minify: bundling.minify,
        sourcemap: bundling.sourcemap,
        sourcefile: path,
      });
      return [path, code] as const;
    }),
  );
  return { texts: new Map(converted), metafile };
}

const bundleLibrary = (): Promise<Outputs> =>
  bundleSplit({
    entryPoints: { index: 'src/index.ts' },
    chunkNames: 'library/[name]-[hash]',
    plugins: [machineByCondition],
    inject: [globals],
  });

async function bundleSplit(options: BuildOptions): Promise<Outputs> {
  const { outputFiles, metafile } = await bundle({
    ...bundling,
    ...options,
    outdir: 'dist',
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
  });
  const texts = outputFiles.map(
    ({ path, text }) => [relative(root, path).split(sep).join('/'), text] as const,
  );
  return { texts: new Map(texts), metafile };
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Bundling options, shared by the build of files and of the executable. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  // Prefers ES module builds: the main builds of some packages hide their parts behind `require` and cannot be bundled.
  mainFields: ['module', 'main'],
  target: 'node20',
  minify: !measuresCoverage,
  treeShaking: !measuresCoverage,
  legalComments: 'none',
  alias: {
    clipanion: join(root, 'node_modules/clipanion/lib/advanced/index.mjs'),
    // The ES module build, so that unused code is removed. For Node the package only has a CommonJS build.
    yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
  },
  sourcemap: measuresCoverage && 'inline',
  define: { 'process.env.INSTR_VERSION': JSON.stringify(version) },
  logLevel: 'error',
} satisfies BuildOptions;

function writeOutput(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Removes outputs of earlier builds. Chunk names contain a hash, so old chunks would be published, too. */
function removeStale(folder: string, keep: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeStale(path, keep);
    else if (/\.(?:c?js|jsonl)$/.test(entry.name) && !keep.has(path)) rmSync(path);
  }
}

/** Adds the other files of the package: declarations, third-party licences, schemas, tool data and the manual. */
async function addCompanions(metafile: Metafile): Promise<void> {
  const files = new Map([['THIRD_PARTY_LICENSES.txt', licenseText(root, bundledPackages(root, metafile))]]);
  for (const [path, text] of declarations(root, 'index.ts')) files.set(`types/${path}`, text);
  const [{ packagedSchemas }, { toolsData, toolsSchema }, { manualFiles }, { builtinIds, builtinSpec }] =
    await Promise.all([
      import('./build/schemas.ts'),
      import('./build/tools-data.ts'),
      import('../src/cli/manual.ts'),
      import('../src/spec/load.ts'),
    ]);
  const targets = builtinIds().map(id => builtinSpec(id)!);
  const specs = targets.map(({ spec }) => spec);
  for (const [name, text] of packagedSchemas(root, specs)) files.set(`schema/${name}`, text);
  const report = JSON.parse(readFileSync(join(root, 'schema/report.schema.json'), 'utf8'));
  files.set('data/tools.json', `${JSON.stringify(toolsData(targets))}\n`);
  files.set('data/tools.schema.json', `${JSON.stringify(toolsSchema(report))}\n`);
  for (const [name, file] of Object.entries(manualFiles))
    files.set(`manual/${name}.md`, readFileSync(join(root, file), 'utf8'));
  for (const folder of ['types', 'schema', 'manual', 'data'])
    rmSync(join(dist, folder), { recursive: true, force: true });
  for (const [path, text] of files) writeOutput(join(dist, path), text);
}

/** Builds all of dist/. */
export async function makeDist(): Promise<void> {
  await generate();
  await addCompanions(await build());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeDist();
