import { linkSkipped, resourceName, resourceTooLarge, skillTooLarge } from '../../generated/diagnostics.ts';
import type { DirEntry } from '../../host/host.ts';
import type { Tree } from '../../registry/tree.ts';
import type { Resource } from '../../resolve/program.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { joinPath } from '../../text/paths.ts';
import { checkRelativePath, pathKey } from '../../text/portable-path.ts';
import { megabyte, megabytes } from '../../text/sizes.ts';
import type { Span } from '../../text/source.ts';
import type { ProjectTree } from '../open/project-tree.ts';

const fileLimit = megabyte;
const totalLimit = 10 * megabyte;
const countLimit = 200;

/** Files that systems and programs leave behind, which belong to no skill. */
const ignored = new Set(['.git', '.DS_Store', 'Thumbs.db', 'node_modules', '__pycache__']);

export interface FileReader {
  readonly tree: Tree;
  readonly report: Report;
  /** Whether this compiler wrote a file, which is then no source. */
  readonly isGenerated?: ((path: string, read: () => Uint8Array) => boolean) | undefined;
  /** The reference to it; absent when it was discovered. */
  readonly span?: Span | undefined;
}

const place = ({ span }: FileReader, path: string) => (span ? { span } : { file: path });

/** A file that is copied with a skill, with its path there; reports a file that cannot be copied. */
export async function readResource(
  reader: FileReader,
  path: string,
  target: string,
): Promise<Resource | undefined> {
  const { tree } = reader;
  const problem = checkRelativePath(target);
  if (problem) {
    reader.report(resourceName({ path, problem }, place(reader, path)));
    return undefined;
  }
  const local = isLocal(tree) ? tree : undefined;
  const bytes = local ? undefined : await tree.read(path);
  const size = local ? local.size(path) : bytes?.length;
  if (size === undefined) return undefined;
  if (size > fileLimit) {
    const holes = {
      path,
      size: `${Math.ceil((size / fileLimit) * 10) / 10} MB`,
      limit: megabytes(fileLimit),
    };
    reader.report(resourceTooLarge(holes, place(reader, path)));
    return undefined;
  }
  local?.resources.add(path);
  return {
    path: target,
    size,
    executable: tree.executable?.(path) ?? false,
    ...(local && { file: path }),
    read: local ? () => local.read(path) ?? new Uint8Array() : () => bytes!,
  };
}

/** Files that the compiler added to a skill folder of the user are not read as the user's. */
function isOwnOutput(path: string, { tree, isGenerated }: FileReader): boolean {
  if (!isGenerated || !isLocal(tree) || path.startsWith('.instr/')) return false;
  return isGenerated(path, () => tree.read(path) ?? new Uint8Array());
}

/** Whether a tree is the project, which knows the sizes of files. */
export const isLocal = (tree: Tree): tree is ProjectTree => 'size' in tree;

/** Every file below a folder except its `SKILL.md`, sorted by path; links are reported and left out. */
export async function readResources(
  reader: FileReader,
  folder: string,
  entries: readonly DirEntry[],
  prefix = '',
): Promise<readonly Resource[]> {
  const found: Resource[] = [];
  let total = 0;
  const taken = new Map(prefix === '' ? [[pathKey('SKILL.md'), 'SKILL.md']] : []);
  const walk = async (path: string, target: string, names: readonly DirEntry[]): Promise<boolean> => {
    for (const { name, kind } of names) {
      const here = joinPath(path, name);
      const there = joinPath(target, name);
      if (ignored.has(name) || (path === folder && name === 'SKILL.md')) continue;
      if (kind === 'link') reader.report(linkSkipped({ path: here }, place(reader, here)));
      else if (taken.has(pathKey(there))) {
        const problem = `is the same as \`${taken.get(pathKey(there))}\` where capital and small letters are one`;
        reader.report(resourceName({ path: here, problem }, place(reader, here)));
      } else if (kind === 'directory') {
        if (!(await walk(here, there, (await reader.tree.list(here)) ?? []))) return false;
      } else if (kind === 'file') {
        if (isOwnOutput(here, reader)) continue;
        const resource = await readResource(reader, here, there);
        if (!resource) continue;
        total += resource.size;
        taken.set(pathKey(there), name);
        found.push(resource);
        if (found.length > countLimit || total > totalLimit) return false;
      }
    }
    return true;
  };
  if (!(await walk(folder, prefix, entries))) {
    const limit = found.length > countLimit ? `${countLimit} files` : `${megabytes(totalLimit)} of files`;
    reader.report(skillTooLarge({ skill: folder, limit }, place(reader, folder)));
  }
  return found.sort((a, b) => compareCodeUnits(a.path, b.path));
}
