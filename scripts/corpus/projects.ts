import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../src/host/disk.ts';
import { compileProject } from '../../src/project/compile.ts';
import { migrateProject } from '../../src/project/move-in/migrate.ts';
import type { CompileContext } from '../../src/project/session/world.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { filesBelow } from '../files.ts';
import { blocksOfAll, missingBlocks } from './compare.ts';

/** What moving one project gave. */
export interface Moved {
  readonly project: string;
  readonly files: number;
  readonly targets: readonly string[];
  /** Blocks of instruction files that no compiled file has, by file. */
  readonly lost: readonly { readonly path: string; readonly blocks: readonly string[] }[];
  /** What should not have happened. */
  readonly problems: readonly string[];
}

/** Moves every project of a folder in a copy: migrate, compile, compare; then both again, which must change nothing. */
export async function moveProjects(folder: string): Promise<Moved[]> {
  if (!existsSync(folder)) return [];
  const moved: Moved[] = [];
  for (const project of readdirSync(folder).sort()) {
    const root = mkdtempSync(join(tmpdir(), 'prs-corpus-'));
    try {
      cpSync(join(folder, project), root, { recursive: true, verbatimSymlinks: true });
      moved.push(await moveProject(project, root));
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return moved;
}

/** Moves the project that lies in `root`; its files change. */
export async function moveProject(project: string, root: string): Promise<Moved> {
  const problems: string[] = [];
  const context = contextFor(root, ({ code, severity, message, file }) => {
    if (severity === 'error') problems.push(`${code} ${file ?? ''} ${message}`);
  });
  const migrate = () => migrateProject({ dryRun: false, files: [] }, context);
  const compile = () => compileProject({ mode: 'write', force: true }, context);
  const first = await migrate();
  if (!first)
    return { project, files: 0, targets: [], lost: [], problems: [...problems, 'nothing was migrated'] };
  // What only points to another file gets its content.
  // Structured files are shared: nothing of the user's leaves them.
  const kept = first.found.filter(
    ({ path }) => /\.(?:mdc?|toml)$/.test(path) && !first.migration.pointers.includes(path),
  );
  const originals = kept.map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const again = await migrate();
  for (const { path, state } of again?.files ?? [])
    if (state !== 'unchanged') problems.push(`a second migration finds ${path} ${state}`);
  const compiled = await compile();
  if (typeof compiled === 'string')
    return { project, files: 0, targets: first.targets, lost: [], problems: [...problems, compiled] };
  const lost: { path: string; blocks: string[] }[] = [];
  const there = await blocksOfAll(textsBelow(root));
  for (const { path, text } of originals) {
    const blocks = await missingBlocks(text, path, there);
    if (blocks.length > 0) lost.push({ path, blocks });
  }
  return { project, files: originals.length, targets: first.targets, lost, problems };
}

/** Every file that a tool could read, the sources left aside. */
function textsBelow(root: string): { path: string; text: string }[] {
  return filesBelow(root)
    .filter(path => /\.(?:mdc?|toml|json)$/.test(path) && !path.startsWith('.instr/'))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export const contextFor = (cwd: string, report: (diagnostic: Diagnostic) => void): CompileContext => ({
  disk: nodeDisk,
  clock: () => new Date(0),
  cwd,
  environment: {},
  report,
  progress: () => {},
});
