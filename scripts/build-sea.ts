/**
 * Builds dist-sea/prs, the program as a single executable: Node with the program and its V8 code cache embedded. The Node
 * that runs this script is embedded. `npm run build:sea -- --out path` writes to another path.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { bundling, makeDist } from './build.ts';
import { filesBelow } from './files.ts';
import { root } from './generate.ts';

/** The marker by which Node finds an embedded program; a constant from the Node documentation. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Whether a program can be embedded in a Node binary. Some builds do not support it. */
export const canCarry = (node: string): boolean => readFileSync(node).includes(`${fuse}:0`);

/** Placeholder for the hash of the program until it is known. */
const hashPlace = 'HASH-OF-THE-PROGRAM';

/** Folders of the package whose files the program reads on demand. */
const siblings = ['manual', 'schema'];

/**
 * Unpacks the files that the program reads into a cache folder when one of them is first needed. None of them is code.
 */
const unpacking = `
const instrFiles = (() => {
  let folder;
  const find = () => {
    const fs = require('node:fs'), path = require('node:path');
    const place = path.join(cacheDirectory(process.env), 'program', '${hashPlace}');
    if (fs.existsSync(place)) return place;
    const files = JSON.parse(require('node:sea').getAsset('files', 'utf8'));
    const passing = place + '.' + process.pid;
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(passing, name);
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      fs.writeFileSync(file, text);
    }
    try { fs.renameSync(passing, place); } catch (error) {
      fs.rmSync(passing, { recursive: true, force: true });
      if (!fs.existsSync(place)) throw error;
    }
    return place;
  };
  return {
    get folder() { return (folder ??= find()); },
    get url() { return require('node:url').pathToFileURL(require('node:path').join(this.folder, 'chunks', 'prs.js')).href; },
  };
})();`;

/** Builds the executable at `out`. */
export async function makeExecutable(out: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'instr-sea-'));
  try {
    const files = siblingFiles();
    const main = join(work, 'prs.cjs');
    await bundleMain(main, files);
    writeFileSync(join(work, 'files.json'), files);
    const blob = join(work, 'prs.blob');
    const config = {
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { files: join(work, 'files.json') },
    };
    writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')], { stdio: 'pipe' });
    mkdirSync(dirname(out), { recursive: true });
    rmSync(out, { force: true });
    copyFileSync(process.execPath, out);
    chmodSync(out, 0o755);
    await putInside(out, blob);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The files of `siblings` as one JSON text. */
function siblingFiles(): string {
  const dist = join(root, 'dist');
  const paths = siblings.flatMap(name => filesBelow(join(dist, name)).map(path => `${name}/${path}`));
  return JSON.stringify(
    Object.fromEntries(paths.map(path => [path, readFileSync(join(dist, path), 'utf8')])),
  );
}

/** Bundles the program into one script, because an executable cannot import files. */
async function bundleMain(outfile: string, files: string): Promise<void> {
  const cache = JSON.stringify(join(root, 'src/host/home.ts'));
  const banner = await bundle({
    stdin: {
      contents: `import { cacheDirectory } from ${cache};\n${unpacking}\nexport { instrFiles };`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'instrInside',
    platform: 'node',
    minify: true,
  });
  const { outputFiles } = await bundle({
    ...bundling,
    entryPoints: ['src/cli/main.ts'],
    outfile,
    format: 'cjs',
    external: [],
    banner: { js: `${banner.outputFiles[0]!.text}const { instrFiles } = instrInside;` },
    define: { ...bundling.define, 'import.meta.url': 'instrFiles.url', __dirname: 'instrFiles.folder' },
    write: false,
  });
  const { text } = outputFiles[0]!;
  const hash = createHash('sha256').update(text).update(files).digest('hex').slice(0, 16);
  writeFileSync(outfile, text.replaceAll(hashPlace, hash));
}

/** Embeds the program in a copy of Node. On macOS, this invalidates the signature, so the file is signed again. */
async function putInside(executable: string, blob: string): Promise<void> {
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', executable]);
  const { inject } = createRequire(import.meta.url)('postject') as {
    inject(file: string, section: string, content: Buffer, options: object): Promise<void>;
  };
  const section = process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {};
  await inject(executable, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse, ...section });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', executable]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const name = process.platform === 'win32' ? 'prs.exe' : 'prs';
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'dist-sea', name) } },
  });
  if (!canCarry(process.execPath)) {
    console.error(`A program cannot be embedded in ${process.execPath}. Use a Node from nodejs.org.`);
    process.exit(1);
  }
  await makeDist();
  await makeExecutable(resolve(values.out));
  console.log(relative(process.cwd(), resolve(values.out)));
}
