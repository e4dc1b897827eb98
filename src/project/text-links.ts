import { dirname, extname, join, resolve } from 'node:path';
import type { Disk, Stat, WritableDisk } from '../host/host.ts';
import { overlayDisk } from '../host/overlay.ts';
import { pathBelow, placeInProject } from '../host/relative-path.ts';
import { isFileInIndex } from './git/queries.ts';
import { isInRepository, listProjectFiles, type ProjectFile } from './project-files.ts';

/** Bytes; no path of an instruction file is longer. */
const longest = 255;

/**
 * The target of a symbolic link that a checkout without links (`core.symlinks=false`) left as a text: the only line of
 * the file is the relative path of a file with the same ending or, for a file below a folder of a tool, of a folder, and
 * the index of Git does not have it as an ordinary file.
 * `path` is absolute and real; so are `root` and the target, whose `place` is relative to `root`. `stat` is that of the
 * path itself. `undefined` for any other file.
 */
export function textLinkTarget(
  root: string,
  path: string,
  stat: Stat | undefined,
  disk: Disk,
): { readonly text: string; readonly target: string; readonly place: string } | undefined {
  if (stat?.kind !== 'file' || stat.size === 0 || stat.size > longest) return undefined;
  const text = new TextDecoder().decode(disk.readBytes(path)).replace(/\r?\n$/, '');
  if (!/^[^\s/\\\0](?:[^\n\r\\\0]*[^\s\\\0])?$/.test(text)) return undefined;
  const target = disk.realpath(resolve(dirname(path), text));
  const place = target === undefined ? undefined : placeInProject(root, target);
  if (target === undefined || !place || target === path || path.startsWith(`${target}/`)) return undefined;
  const kind = disk.stat(target)?.kind;
  const isOfTool = /[/\\]\.[^/\\]+[/\\][^/\\]+$/.test(path) && extname(path) === '';
  const isLike = kind === 'file' ? extname(target) === extname(path) : kind === 'directory' && isOfTool;
  return isLike && !isOrdinary(root, path, disk) ? { text, target, place } : undefined;
}

/** Whether Git knows a file as an ordinary one. */
function isOrdinary(root: string, path: string, disk: Disk): boolean {
  const place = pathBelow(root, path);
  return place !== undefined && isInRepository(root, disk) && isFileInIndex(root, place);
}

/** The files of a project and a view of its disk, on both of which the links that a checkout left as texts are links. */
export function withTextLinks(
  root: string,
  disk: WritableDisk,
): { readonly disk: WritableDisk; readonly files: readonly ProjectFile[] } {
  const base = disk.realpath(root) ?? root;
  const files = listProjectFiles(root, disk);
  const links = new Map<string, string>();
  for (const { path, kind } of files) {
    const absolute = join(base, path);
    const found = kind === 'file' && textLinkTarget(base, absolute, disk.lstat(absolute), disk);
    if (found) links.set(path, found.text);
  }
  if (links.size === 0) return { disk, files };
  const view = overlayDisk(disk);
  for (const [path, text] of links) view.makeLink(text, join(root, path));
  return { disk: view, files: files.map(file => (links.has(file.path) ? { ...file, kind: 'link' } : file)) };
}
