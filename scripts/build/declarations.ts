/** dist/types: the type declarations of the library and of the modules that its types use. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';

/** Maps paths below dist/types to texts. Imports end in `.js`, which works with every module resolution. */
export function declarations(root: string, entry: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'prs-types-'));
  try {
    emit(root, entry, folder);
    const files = new Map<string, string>();
    const queue = [entry.replace(/\.ts$/, '.d.ts')];
    for (const path of queue) {
      if (files.has(path)) continue;
      const text = readFileSync(join(folder, path), 'utf8');
      files.set(
        path,
        text.replace(/(from |import\()'(\.[^']*)\.ts'/g, (_, word: string, target: string) => {
          queue.push(posix.join(posix.dirname(path), `${target}.d.ts`));
          return `${word}'${target}.js'`;
        }),
      );
    }
    return files;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Emits declarations. Type errors are ignored, because `npm run typecheck` reports them. */
function emit(root: string, entry: string, folder: string): void {
  const project = join(folder, 'tsconfig.json');
  const source = join(root, 'src');
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: source,
    outDir: folder,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const extending = join(root, 'tsconfig.json');
  const files = [join(source, entry)];
  writeFileSync(project, JSON.stringify({ extends: extending, compilerOptions, files, include: [] }));
  const { stdout, error } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', project],
    { encoding: 'utf8' },
  );
  if (error || !existsSync(join(folder, entry.replace(/\.ts$/, '.d.ts')))) {
    throw new Error(`tsc emitted no declarations: ${error?.message ?? stdout}`);
  }
}
