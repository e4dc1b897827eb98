import { dirname } from 'node:path';
import { nodeDisk } from '../host/disk.ts';
import { leaveLooks, type Watched } from '../host/watched.ts';
import { ensureState, openState, tidy } from '../project/write/state.ts';
import type { Printed } from './streams.ts';
import { type Stamp, stampKey, stampPath } from './unchanged.ts';

/** Leaves a stamp of a run in `root` that changed nothing and said `printed`, unless anything is in doubt. */
export function leaveStamp(
  version: string,
  args: readonly string[],
  root: string,
  watched: Watched,
  printed: readonly Printed[],
): void {
  const said = withoutTime(printed);
  if (!said || !hasState(args, root, watched)) return;
  leaveLooks(root, stampPath(args), watched, looks => {
    const stamp: Stamp = { key: stampKey(version, args, root), time: Date.now(), looks, said };
    return JSON.stringify(stamp);
  });
}

/**
 * Whether there is a folder for the stamp. Where somebody else wrote what is up to date here, as in a fresh checkout, there
 * is none: a compile makes it, and the next run leaves the stamp, because the folders around it are young now.
 */
function hasState([command]: readonly string[], root: string, watched: Watched): boolean {
  const places = openState(root, nodeDisk);
  const found = nodeDisk.lstat(places.folder);
  if (
    !found &&
    command === 'compile' &&
    watched.looks() &&
    nodeDisk.lstat(dirname(places.folder))?.kind === 'directory'
  )
    tidy(() => ensureState(places));
  return found !== undefined;
}

/** What was printed, as the stamp keeps it; `undefined` when results do not end with the time that the run took. */
function withoutTime(printed: readonly Printed[]): Stamp['said'] | undefined {
  const said = printed.map(([stream, text]): Stamp['said'][number] => {
    const found = stream === 'stdout' ? /^(.* \u00b7 )\d+( ms\n)$/s.exec(text) : undefined;
    return found ? [stream, found[1]!, found[2]!] : [stream, text];
  });
  const isSplit = said.every(
    ([stream, text, behind]) => stream === 'stderr' || text === '' || behind !== undefined,
  );
  return isSplit ? said : undefined;
}
