import { join, relative, sep } from 'node:path';
import { pathInGit, setInGit, topOfRepository } from '../../host/git.ts';
import type { WritableDisk } from '../../host/host.ts';
import { manifestPath } from '../../plan/manifest.ts';
import { posixCommand } from '../../text/shell.ts';
import { readOwned } from '../write/records.ts';
import { gitPattern, textOf, writeBlock } from './block.ts';
import { start } from './installed.ts';
import { driverName } from './merge-file.ts';

/** What was set up in a clone; paths are absolute. */
export interface Installed {
  readonly attributes: string;
  readonly hooks: readonly string[];
  /** Hooks of somebody else, which stay as they are. */
  readonly foreign: readonly string[];
}

const marks = { start, end: '# prs: end' };
const mark = '# Written by prs hook install.';

/** After these Git has brought sources together; what they lead to is compiled then. */
const hookNames = ['post-merge', 'post-rewrite'];

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
  const top = topOfRepository(root);
  const attributes = top && pathInGit(root, 'info/attributes');
  const folder = pathInGit(root, 'hooks');
  if (!top || !attributes || !folder) return undefined;
  const driver = `${posixCommand([...program, 'merge-driver'])} %O %A %B %P`;
  setInGit(root, `merge.${driverName}.name`, remove ? undefined : 'compiles what prs generates');
  setInGit(root, `merge.${driverName}.driver`, remove ? undefined : driver);
  writeBlock(attributes, marks, remove ? [] : attributeLines(root, top, disk), disk);
  const hooks: string[] = [];
  const foreign: string[] = [];
  for (const name of hookNames) {
    const path = join(folder, name);
    const text = textOf(path, disk);
    if (text !== undefined && !text.includes(mark)) foreign.push(path);
    else if (remove) {
      if (text !== undefined) disk.removeFile(path);
    } else {
      const at = relative(top, root).split(sep).join('/') || '.';
      const compile = posixCommand([...program, 'compile', '--quiet', '--cwd', at]);
      disk.makeDirectory(folder);
      disk.writeBytes(path, new TextEncoder().encode(`#!/bin/sh\n${mark}\n${compile} || true\n`));
      disk.setMode(path, 0o755);
      hooks.push(path);
    }
  }
  return { attributes, hooks, foreign };
}

/** Brings the list of files that are merged by compiling up to date, in a clone where it was installed. */
export function refreshAttributes(root: string, disk: WritableDisk): void {
  const top = topOfRepository(root);
  const attributes = top && pathInGit(root, 'info/attributes');
  if (!top || !attributes || !textOf(attributes, disk)?.includes(start)) return;
  writeBlock(attributes, marks, attributeLines(root, top, disk), disk);
}

function attributeLines(root: string, top: string, disk: WritableDisk): string[] {
  const files = readOwned(disk, root, () => {})?.files ?? new Map();
  const whole = [...files].filter(([, file]) => file.sha256 !== undefined && !file.private);
  return [manifestPath, ...whole.map(([path]) => path)].map(path => {
    const pattern = gitPattern(root, top, path);
    return `${/[\s"]/.test(pattern) ? JSON.stringify(pattern) : pattern} merge=${driverName}`;
  });
}
