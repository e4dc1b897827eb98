import { join } from 'node:path';
import { type Disk, readTextAt, type WritableDisk } from '../../host/host.ts';
import { manifestPath } from '../../plan/manifest.ts';
import { configNames } from '../../text/places.ts';
import { posixCommand } from '../../text/shell.ts';
import type { Compiled } from '../compile.ts';
import { setInGit } from '../git/queries.ts';
import type { CompileContext } from '../session/world.ts';
import { readOwned } from '../write/records.ts';
import {
  attributesList,
  blockStart,
  driverName,
  gitFolders,
  gitPattern,
  gitPlaces,
  mayContainMark,
  placeOf,
  quotedPattern,
  writeList,
} from './git-files.ts';

export interface Installed {
  readonly attributes: string;
  readonly hooks: readonly string[];
  /** Existing hooks of others, which are not changed. */
  readonly foreign: readonly string[];
}

const mark = '# Written by prs hook install.';

/** The hooks that run after Git changed sources. */
const hookNames = ['post-checkout', 'post-merge', 'post-rewrite'];

/** Conditions: a checkout of files changes no commit, and a rebase is only complete at its end. */
const conditions: Readonly<Record<string, readonly string[]>> = {
  'post-checkout': [
    '[ "$3" = 1 ] || exit 0',
    '[ ! -d "$(git rev-parse --git-path rebase-merge)" ] || exit 0',
  ],
};

/**
 * Configures this clone so that Git merges outputs and the manifest by compiling. `remove` reverts it. `undefined`
 * outside a repository.
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
  writeList(attributesList, root, places, remove ? [] : attributeLines(root, top, disk), disk);
  const driver = `${posixCommand([...program, 'merge-driver'])} %O %A %B %P`;
  // Another project of the repository may still use it.
  const isUsed = !remove || readTextAt(disk, attributes)?.includes(attributesList.mark);
  setInGit(root, `merge.${driverName}.name`, isUsed ? 'compiles what prs generates' : undefined);
  setInGit(root, `merge.${driverName}.driver`, isUsed ? driver : undefined);
  const hooks: string[] = [];
  const foreign: string[] = [];
  const at = placeOf(root, top);
  for (const name of hookNames) {
    const path = join(folder, name);
    const isFile = (disk.lstat(path)?.kind ?? 'file') === 'file';
    const text = isFile ? readTextAt(disk, path) : undefined;
    // A link may lead to a hook of somebody else.
    if (!isFile || (text !== undefined && !text.includes(mark))) {
      foreign.push(path);
      continue;
    }
    // Projects of one repository share hooks.
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

/** The line of a hook that compiles a project, if the current commit contains it. */
function compileLine(program: readonly string[], at: string): string {
  const isThere = configNames.map(name => `[ -f ${posixCommand([`${at}/${name}`])} ]`);
  return `{ ${isThere.join(' || ')}; } && ${posixCommand([...program])}${compiling}${posixCommand([at])} || true # ${at}`;
}

const compiling = ' compile --quiet --cwd ';

/**
 * Lists new outputs for the merge driver after a compile, in a clone that has it. Folders above the project are looked for
 * on the disk `above`.
 */
export function updateGitSetup(
  { root, entries }: Compiled,
  { disk, environment }: CompileContext,
  above: Disk,
): void {
  const isNews = entries.some(({ state }) => state === 'new' || state === 'removed');
  if (!isNews || !mayContainMark(attributesList, gitFolders(root, disk, environment, above))) return;
  const places = gitPlaces(root, disk);
  if (!places) return;
  const { top } = places;
  const list = readTextAt(disk, places.list('attributes'));
  if (list?.includes(blockStart(attributesList, root, top)))
    writeList(attributesList, root, places, attributeLines(root, top, disk), disk);
}

function attributeLines(root: string, top: string, disk: WritableDisk): string[] {
  const files = readOwned(disk, root, () => {})?.files ?? new Map();
  const whole = [...files].filter(([, file]) => file.sha256 !== undefined && !file.private);
  return [manifestPath, ...whole.map(([path]) => path)].map(path => {
    const pattern = gitPattern(root, top, path);
    return `${quotedPattern(pattern)} merge=${driverName}`;
  });
}
