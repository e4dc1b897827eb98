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

/** The result of moving one project. */
export interface Moved {
  readonly project: string;
  readonly files: number;
  readonly targets: readonly string[];
  /** Blocks of instruction files that no compiled file contains, by file. */
  readonly lost: readonly { readonly path: string; readonly blocks: readonly string[] }[];
  /** Errors, and other unexpected results. */
  readonly problems: readonly string[];
}

/** Migrates and compiles a copy of every project of a folder and compares the result. A second migration must change nothing. */
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

/** Moves the project in `root`. Its files are changed. */
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
  // A file that only points to another file gets the content of that file, so it is not compared. Structured files are
  // shared: the user's content stays in them.
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
  const present = await blocksOfAll(textsBelow(root));
  for (const { path, text } of originals) {
    const blocks = await missingBlocks(text, path, present);
    if (blocks.length > 0) lost.push({ path, blocks });
  }
  return { project, files: originals.length, targets: first.targets, lost, problems };
}

/** All files that a tool could read, without the sources. */
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
