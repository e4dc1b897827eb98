import { dirname, extname, join, resolve } from 'node:path';
import type { Disk, WritableDisk } from '../host/host.ts';
import { overlayDisk } from '../host/overlay.ts';
import { placeInProject } from './open/root.ts';
import { listProjectFiles } from './project-files.ts';

/** Bytes; no path of an instruction file is longer. */
const longest = 255;

/**
 * The target of a symbolic link that a checkout without links (`core.symlinks=false`) left as a text: the only line of
 * the file is the relative path of a file with the same ending or, for a file below a folder of a tool, of a folder.
 * `path` is absolute and real; so is `root`. `undefined` for any other file.
 */
export function textLinkTarget(root: string, path: string, disk: Disk): string | undefined {
  const stat = disk.lstat(path);
  if (stat?.kind !== 'file' || stat.size === 0 || stat.size > longest) return undefined;
  const text = new TextDecoder().decode(disk.readBytes(path)).replace(/\r?\n$/, '');
  if (!/^[^\s/\\\0](?:[^\n\r\\\0]*[^\s\\\0])?$/.test(text)) return undefined;
  const target = disk.realpath(resolve(dirname(path), text));
  const inner = target === undefined ? undefined : placeInProject(root, target);
  if (target === undefined || inner === undefined || target === path || path.startsWith(`${target}/`))
    return undefined;
  const kind = disk.stat(target)?.kind;
  if (kind === 'file') return extname(target) === extname(path) ? text : undefined;
  const isOfTool = /[/\\]\.[^/\\]+[/\\][^/\\]+$/.test(path) && extname(path) === '';
  return kind === 'directory' && isOfTool ? text : undefined;
}

/** A view of the disk on which the links that a checkout left as texts are links. */
export function withTextLinks<D extends WritableDisk>(root: string, disk: D): WritableDisk {
  const base = disk.realpath(root) ?? root;
  const found = listProjectFiles(root, disk).flatMap(({ path, kind }) => {
    const target = kind === 'file' ? textLinkTarget(base, join(base, path), disk) : undefined;
    return target === undefined ? [] : [{ path: join(root, path), target }];
  });
  if (found.length === 0) return disk;
  const view = overlayDisk(disk);
  for (const { path, target } of found) view.makeLink(target, path);
  return view;
}
