import { join, relative, sep } from 'node:path';
import { HostError, textAt, type WritableDisk } from '../../host/host.ts';

/** The lines with which a part of a file begins and ends that is ours. */
export interface Marks {
  readonly start: string;
  readonly end: string;
}

/** Writes the lines of ours in a file of Git's; without any, the part goes. Everything else stays. */
export function writeBlock(
  path: string,
  { start, end }: Marks,
  lines: readonly string[],
  disk: WritableDisk,
): void {
  const text = textAt(disk, path) ?? '';
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  const before = from === -1 ? text : text.slice(0, from);
  const behind = from === -1 || to === -1 ? '' : text.slice(to + end.length).replace(/^\n/, '');
  const own = lines.length > 0 ? `${[start, ...lines, end].join('\n')}\n` : '';
  const next = `${before}${before && !before.endsWith('\n') ? '\n' : ''}${own}${behind}`;
  if (next === text) return;
  disk.makeDirectory(join(path, '..'));
  disk.writeBytes(path, new TextEncoder().encode(next));
}

/**
 * A project, as lists and hooks of its repository name it. They are read line by line, and a shell runs hooks: a name that
 * ends a line throws `HostError`.
 */
export function placeOf(root: string, top: string): string {
  const place = relative(top, root).split(sep).join('/') || '.';
  if (/[\u0000-\u001f\u007f]/.test(place))
    throw new HostError(
      `${root} has a name with control characters, which lists and hooks of Git cannot hold. Rename the folder.`,
      root,
      'EREFUSED',
    );
  return place;
}

/** A pattern that matches one file below `root` and nothing else, for a list at the top of a repository. */
export function gitPattern(root: string, top: string, path: string): string {
  const below = relative(top, root).split(sep).join('/');
  return `/${below ? `${below}/` : ''}${path}`.replace(/[\\*?[\]]/g, '\\$&');
}

/** A pattern as a list of attributes has it. */
export const quotedPattern = (pattern: string): string =>
  /[\s"]/.test(pattern) ? JSON.stringify(pattern) : pattern;
