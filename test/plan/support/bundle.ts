import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a program of this folder, because tests start it hundreds of times. */
export async function bundle(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: [join(dirname(fileURLToPath(import.meta.url)), `${name}.ts`)],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return join(folder, `${name}.mjs`);
}
