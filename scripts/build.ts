/**
 * Makes dist/: the program and the library, each dynamic import a chunk of its own, so that a run loads
 * only what it needs. Prettier stays outside: it is the one dependency that users install.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build as bundle, type Metafile, type Plugin } from 'esbuild';
import { standIn } from './build/apart.ts';
import { browserModules, globals, machineByCondition } from './build/browser.ts';
import { byIndex } from './build/by-index.ts';
import { declarations } from './build/declarations.ts';
import { functionsRun } from './build/functions-run.ts';
import { joinChunks, type Outputs } from './build/join-chunks.ts';
import { bundledPackages, licenseText } from './build/licenses.ts';
import { specsOutside } from './build/spec-texts.ts';
import { generate, root } from './generate.ts';

const dist = join(root, 'dist');

/** Lines that ran are found again through source maps, which do not survive joining; what is left out would not count. */
const measuresCoverage = process.env.NODE_V8_COVERAGE !== undefined;

/** Bundled CommonJS packages reach Node's own modules through `require`, which an ES module has to make. */
const requireShim =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * clipanion opens all three standard streams and asks for the colours of the terminal while it is loaded, which costs
 * more than the rest of it; this program brings its own streams and colours.
 */
const lazyStreams: Plugin = {
  name: 'lazy-streams',
  setup(build) {
    build.onLoad({ filter: /clipanion\/lib\/advanced\/Cli\.mjs$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/Cli\.defaultContext = \{[^}]*\};/, 'Cli.defaultContext = {};');
      if (contents === text)
        throw new Error('clipanion no longer sets Cli.defaultContext: look at lazyStreams again');
      return { contents, loader: 'js' };
    });
  },
};

/**
 * clipanion's view of the terminal opens sockets while it is loaded. Nothing of it is shown: help is prepared by the
 * build, and messages about arguments are the program's own.
 */
const withoutColors: Plugin = {
  name: 'without-colors',
  setup(build) {
    const browser = join(root, 'node_modules/clipanion/lib/platform/browser.mjs');
    build.onResolve({ filter: /^(?:clipanion\/|\.\.\/)platform$/ }, ({ importer }) =>
      importer.includes('clipanion') ? { path: browser } : undefined,
    );
  },
};

/**
 * jsonc-parser makes 1200 texts of line ends and blanks while it is loaded, which takes longer than editing a file with
 * it (and is one text short: 200 blanks are `undefined`). Without them it puts each together when it needs it.
 */
const withoutTables: Plugin = {
  name: 'without-tables',
  setup(build) {
    build.onLoad({ filter: /jsonc-parser\/lib\/esm\/impl\/string-intern\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text
        .replace(/cachedBreakLinesWithSpaces = \{.*^\};/ms, 'cachedBreakLinesWithSpaces = {};')
        .replace(/supportedEols = \[.*\]/, 'supportedEols = []');
      if (!contents.includes('Spaces = {};') || !contents.includes('Eols = [];'))
        throw new Error('jsonc-parser makes its tables otherwise: look at withoutTables again');
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Enumerations of TypeScript, as jsonc-parser has them, are made while it is loaded, two entries for each name, although
 * their users have the numbers themselves. As values of expressions without effects they are left out.
 */
const withoutEnumerations: Plugin = {
  name: 'without-enumerations',
  setup(build) {
    build.onLoad({ filter: /jsonc-parser\/lib\/esm\/(?:main|impl\/scanner)\.js$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(
        /^(export )?var (\w+);\n\(function \(\2\) \{\n(.*?)^\}\)\(\2 \|\| \(\2 = \{\}\)\);$/gms,
        (_, exported: string | undefined, name: string, entries: string) =>
          `${exported ?? ''}var ${name} = /* @__PURE__ */ (${name} => {\n${entries}return ${name};\n})({});`,
      );
      if (/\}\)\(\w+ \|\| /.test(contents) || contents === text)
        throw new Error('jsonc-parser has other enumerations: look at withoutEnumerations again');
      return { contents, loader: 'js' };
    });
  },
};

/** What every compile loads: joined into one file. */
const hotPath = [
  'src/cli/run.ts',
  'src/cli/commands/compile.ts',
  'src/cli/commands/validate.ts',
  'src/cli/report/compile.ts',
  'src/cli/report/findings.ts',
  'src/diagnostics/report.ts',
  'src/project/compile.ts',
  'src/project/merge/installed.ts',
  'src/project/validate.ts',
  'src/generated/language-skill.ts',
  'src/plan/shared-json.ts',
  'src/plan/shared-yaml.ts',
];

/** What some compiles load besides, each into a script of its own: modules that are imported lazily, and packages. */
const besides = ['src/plan/shared-toml.ts'];
const apart = ['yaml'];

/**
 * Bundles the program and the library; gives back what went into which output, for reports and tests. They share no
 * file: what makes the program start quickly is not for those who bundle the library themselves.
 */
export async function build(): Promise<Metafile> {
  // Modules that are measured do not know where the program lies.
  const specs = measuresCoverage ? undefined : await specsOutside();
  const indexed = measuresCoverage ? [] : [byIndex(root)];
  const standIns = measuresCoverage ? [] : await Promise.all(apart.map(standIn));
  const [program, library] = await Promise.all([
    bundleEntry('prs', 'src/cli/main.ts', 'chunks', {
      plugins: [...standIns, ...bundling.plugins, ...(specs ? [specs.plugin] : []), ...indexed],
    }).then(async outputs => {
      if (measuresCoverage) return unjoined(outputs);
      const joined = (isRare?: (start: number, end: number) => boolean) =>
        joinChunks(outputs, hotPath, besides, apart, 'dist/prs.js', bundling.alias, isRare);
      const { texts } = await joined();
      const called = await functionsRun([...texts, ...(specs ? [specs.file] : [])], 'core.cjs');
      return joined((start, end) => !called.has(`${start}:${end}`));
    }),
    bundleEntry('index', 'src/index.ts', 'library', {
      plugins: [...bundling.plugins, machineByCondition, ...indexed],
      inject: [globals],
    }),
  ]);
  const forPages = await browserModules(library.texts, 'dist/browser');
  const written = new Set<string>();
  const { help } = await import('../src/generated/help.ts');
  const data: readonly (readonly [string, string])[] = [
    ['dist/help.json', JSON.stringify(help)],
    ...(specs ? [specs.file] : []),
  ];
  for (const [path, text] of [...program.texts, ...library.texts, ...forPages, ...data]) {
    written.add(join(root, path));
    const isModule = program.texts.has(path) && path.endsWith('.js');
    writeOutput(join(root, path), isModule ? withRequire(text) : text);
  }
  removeStale(dist, written);
  chmodSync(join(dist, 'prs.cjs'), 0o755);
  return {
    inputs: { ...program.metafile.inputs, ...library.metafile.inputs },
    outputs: { ...program.metafile.outputs, ...library.metafile.outputs },
  };
}

/** The entry has the same name in both kinds of build. */
function unjoined({ texts, metafile }: Outputs): Outputs {
  return {
    texts: new Map([...texts, ['dist/prs.cjs', `#!/usr/bin/env node\nimport('./prs.js');\n`]]),
    metafile,
  };
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** How code is bundled, into files or into an executable. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  // Some packages offer a module build that bundles; their main one hides its parts behind `require`.
  mainFields: ['module', 'main'],
  target: 'node20',
  minify: !measuresCoverage,
  treeShaking: !measuresCoverage,
  legalComments: 'none',
  alias: {
    clipanion: join(root, 'node_modules/clipanion/lib/advanced/index.mjs'),
    // The same code as modules, of which the library leaves out what nothing uses; for Node there are only scripts.
    yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
  },
  plugins: [lazyStreams, withoutColors, withoutTables, withoutEnumerations],
  define: { 'process.env.INSTR_VERSION': JSON.stringify(version) },
  logLevel: 'error',
} satisfies BuildOptions;

async function bundleEntry(
  name: string,
  entry: string,
  chunks: string,
  more: BuildOptions = {},
): Promise<Outputs> {
  const { outputFiles, metafile } = await bundle({
    ...bundling,
    ...more,
    entryPoints: { [name]: entry },
    outdir: 'dist',
    chunkNames: `${chunks}/[name]-[hash]`,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    sourcemap: measuresCoverage && 'inline',
    external: ['prettier'],
  });
  const texts = new Map(
    outputFiles.map(({ path, text }) => [relative(root, path).split(sep).join('/'), text]),
  );
  return { texts, metafile };
}

function withRequire(text: string): string {
  if (!text.includes('Dynamic require of')) return text;
  const bang = text.startsWith('#!') ? text.slice(0, text.indexOf('\n') + 1) : '';
  return bang + requireShim + text.slice(bang.length);
}

function writeOutput(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Chunk names carry a hash: what the last build left behind would be published too. */
function removeStale(folder: string, keep: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeStale(path, keep);
    else if (/\.(?:c?js|jsonl)$/.test(entry.name) && !keep.has(path)) rmSync(path);
  }
}

/** What stands beside the code in the package: declarations, licences of what is bundled, schemas for editors, the manual. */
async function addCompanions(metafile: Metafile): Promise<void> {
  const files = new Map([['THIRD_PARTY_LICENSES.txt', licenseText(root, bundledPackages(root, metafile))]]);
  for (const [path, text] of declarations(root, 'index.ts')) files.set(`types/${path}`, text);
  const [{ packagedSchemas }, { manualFiles }, { builtinIds, builtinSpec }] = await Promise.all([
    import('./build/schemas.ts'),
    import('../src/cli/manual/read.ts'),
    import('../src/spec/load.ts'),
  ]);
  const targets = builtinIds().map(id => builtinSpec(id)!);
  for (const [name, text] of packagedSchemas(root, targets)) files.set(`schema/${name}`, text);
  for (const [name, file] of Object.entries(manualFiles))
    files.set(`manual/${name}.md`, readFileSync(join(root, file), 'utf8'));
  for (const folder of ['types', 'schema', 'manual'])
    rmSync(join(dist, folder), { recursive: true, force: true });
  for (const [path, text] of files) writeOutput(join(dist, path), text);
}

/** Bytes of each output with its own code and of all together, largest first. */
function printSizes(metafile: Metafile): void {
  const outputs = Object.entries(metafile.outputs).sort(([, a], [, b]) => b.bytes - a.bytes);
  const total = outputs.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  for (const [path, { bytes }] of outputs.slice(0, 8))
    console.log(`${kilobytes(bytes)}  ${relative('dist', path)}`);
  console.log(`${kilobytes(total)}  in ${outputs.length} files`);
}

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1).padStart(8)} kB`;

/** All of dist/; gives what went into it. */
export async function makeDist(): Promise<Metafile> {
  await generate();
  const metafile = await build();
  await addCompanions(metafile);
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printSizes(await makeDist());
