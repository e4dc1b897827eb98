import { join } from 'node:path';
import { conflictsSettled } from '../../generated/diagnostics.ts';
import { addToIndex, conflictsInGit, mergedByDriver, setInGit } from '../../host/git.ts';
import { type Disk, readTextAt, type WritableDisk } from '../../host/host.ts';
import { recordExternalInput } from '../../host/outside.ts';
import { manifestPath } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import { posixCommand } from '../../text/shell.ts';
import type { Compiled } from '../compile.ts';
import type { CompileContext } from '../session/world.ts';
import { readOwned } from '../write/records.ts';
import {
  driverName,
  type gitFolders,
  gitPattern,
  gitPlaces,
  type Marks,
  placeOf,
  quotedPattern,
  start,
  writeBlock,
} from './git-files.ts';

export interface Installed {
  readonly attributes: string;
  readonly hooks: readonly string[];
  /** Hooks of somebody else, which stay as they are. */
  readonly foreign: readonly string[];
}

const mark = '# Written by prs hook install.';

/** After these Git has brought other sources here; what they lead to is compiled then. */
const hookNames = ['post-checkout', 'post-merge', 'post-rewrite'];

/** Files that are checked out change nothing, and a rebase is through only when it is. */
const conditions: Readonly<Record<string, readonly string[]>> = {
  'post-checkout': [
    '[ "$3" = 1 ] || exit 0',
    '[ ! -d "$(git rev-parse --git-path rebase-merge)" ] || exit 0',
  ],
};

/**
 * Tells Git, for this clone, that generated files and the record of them are merged by compiling. `remove` takes it
 * back. `undefined`: the root is in no repository.
 */
export function installHooks(
  root: string,
  program: readonly string[],
  disk: WritableDisk,
  remove: boolean,
): Installed | undefined {
  const places = gitPlaces(root, disk);
  if (!places) return undefined;
  const { top } = places;
  const attributes = places.list('attributes');
  const folder = places.hooks();
  writeBlock(attributes, marksOf(root, top), remove ? [] : attributeLines(root, top, disk), disk);
  const driver = `${posixCommand([...program, 'merge-driver'])} %O %A %B %P`;
  // Another project of the repository may go on with it.
  const isUsed = !remove || readTextAt(disk, attributes)?.includes(start);
  setInGit(root, `merge.${driverName}.name`, isUsed ? 'compiles what prs generates' : undefined);
  setInGit(root, `merge.${driverName}.driver`, isUsed ? driver : undefined);
  const hooks: string[] = [];
  const foreign: string[] = [];
  const at = placeOf(root, top);
  for (const name of hookNames) {
    const path = join(folder, name);
    const isFile = (disk.lstat(path)?.kind ?? 'file') === 'file';
    const text = isFile ? readTextAt(disk, path) : undefined;
    // A link leads to a hook of somebody.
    if (!isFile || (text !== undefined && !text.includes(mark))) {
      foreign.push(path);
      continue;
    }
    // Projects of one repository share its hooks.
    const others = (text ?? '')
      .split('\n')
      .filter(line => line.includes(compiling) && !line.endsWith(` # ${at}`));
    const lines = [...others, ...(remove ? [] : [compileLine(program, at)])];
    if (lines.length > 0) {
      const script = ['#!/bin/sh', mark, ...(conditions[name] ?? []), ...lines, ''].join('\n');
      disk.makeDirectory(folder);
      disk.writeBytes(path, new TextEncoder().encode(script));
      disk.setMode(path, 0o755);
    } else if (text !== undefined) disk.removeFile(path);
    if (!remove) hooks.push(path);
  }
  return { attributes, hooks, foreign };
}

const marksOf = (root: string, top: string): Marks => {
  const place = placeOf(root, top);
  return { start: `${start} (${place})`, end: `# prs: end (${place})` };
};

/** Compiles the project where the commit that is there has it. */
function compileLine(program: readonly string[], at: string): string {
  const isThere = ['instr.yaml', 'instr.yml'].map(name => `[ -f ${posixCommand([`${at}/${name}`])} ]`);
  return `{ ${isThere.join(' || ')}; } && ${posixCommand([...program])}${compiling}${posixCommand([at])} || true # ${at}`;
}

const compiling = ' compile --quiet --cwd ';

/** Updates Git after a compile, in a clone where merging was set up. */
export function updateGitSetup(
  { root, entries }: Compiled,
  folders: ReturnType<typeof gitFolders>,
  { disk, report }: CompileContext,
): void {
  // Conflicts stand in the index: while it is the same, there are no others.
  if (typeof folders === 'object') disk.lstat(join(folders.own, 'index'));
  else recordExternalInput('git');
  const settled = settleConflicts(root, entries, disk);
  const paths = settled.map(path => `\`${path}\``).join(', ');
  if (settled.length > 0) report(conflictsSettled({ paths }, { file: settled[0]! }));
  if (entries.some(({ state }) => state === 'new' || state === 'removed')) refreshAttributes(root, disk);
}

/** States of files that are as the sources make them. */
const asCompiled: ReadonlySet<PlanEntry['state']> = new Set(['new', 'unchanged', 'changed']);

/**
 * Tells Git that generated files are right as they were compiled, where a merge left them in conflict without asking the
 * driver: a branch moved or removed them. Gives the files. The list of files with the driver must still be the old one.
 */
function settleConflicts(root: string, entries: readonly PlanEntry[], disk: Disk): string[] {
  const conflicts = conflictsInGit(root);
  if (conflicts.length === 0) return [];
  const planned = new Map(entries.map(entry => [entry.path, entry]));
  const ours = new Set(mergedByDriver(root, conflicts, driverName));
  const settled = conflicts.filter(path => {
    const entry = planned.get(path);
    if (entry && entry.state !== 'removed') return asCompiled.has(entry.state) && !entry.shared;
    return (entry !== undefined || ours.has(path)) && !disk.lstat(join(root, path));
  });
  const record = settled.length > 0 && disk.lstat(join(root, manifestPath)) ? [manifestPath] : [];
  return settled.length > 0 && addToIndex(root, [...settled, ...record]) ? settled.sort() : [];
}

function refreshAttributes(root: string, disk: WritableDisk): void {
  const places = gitPlaces(root, disk);
  if (!places) return;
  const { top } = places;
  const attributes = places.list('attributes');
  if (!readTextAt(disk, attributes)?.includes(marksOf(root, top).start)) return;
  writeBlock(attributes, marksOf(root, top), attributeLines(root, top, disk), disk);
}

function attributeLines(root: string, top: string, disk: WritableDisk): string[] {
  const files = readOwned(disk, root, () => {})?.files ?? new Map();
  const whole = [...files].filter(([, file]) => file.sha256 !== undefined && !file.private);
  return [manifestPath, ...whole.map(([path]) => path)].map(path => {
    const pattern = gitPattern(root, top, path);
    return `${quotedPattern(pattern)} merge=${driverName}`;
  });
}
