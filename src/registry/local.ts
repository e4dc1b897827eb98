import { join, relative, sep } from 'node:path';
import { registryFileTooLarge, registryLinkOutside, registryUnreachable } from '../generated/diagnostics.ts';
import { type Disk, HostError } from '../host/host.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { isInGit } from '../text/git-name.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import { megabytes, sourceLimit } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';
import type { Tree } from './tree.ts';

/**
 * A local directory as a tree. Files outside of it and Git data in it cannot be read, neither through `..`
 * nor through a symlink. `root` is the real path of an existing directory, `shown` the path as configured.
 * `note` gets the absolute path of each file that is read.
 */
export function localTree(
  disk: Disk,
  root: string,
  id: string,
  shown: string,
  { report, note }: { readonly report: Report; readonly note: (path: string) => void },
  at: Span,
): Tree {
  const refused = new Set<string>();
  const inside = (path: string): string | undefined => {
    const inner = normalizeInnerPath(path);
    if (inner === undefined) return undefined;
    const real = disk.realpath(join(root, inner));
    if (real === undefined) return undefined;
    const isBelow = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
    if (isBelow && !isInGit(relative(root, real).split(sep).join('/'))) return real;
    refused.add(inner);
    report(registryLinkOutside({ path: inner, registry: shown }, { span: at }));
    return undefined;
  };
  const guarded = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      report(registryUnreachable({ address: shown, reason: error.message }, { span: at }));
      return undefined;
    }
  };
  return {
    id,
    read: path =>
      guarded(() => {
        const real = inside(path);
        const stat = real === undefined ? undefined : disk.stat(real);
        if (real === undefined || stat?.kind !== 'file') return undefined;
        if (stat.size > sourceLimit) {
          report(
            registryFileTooLarge({ path, registry: shown, limit: megabytes(sourceLimit) }, { span: at }),
          );
          return undefined;
        }
        note(real);
        return disk.readBytes(real);
      }),
    list: path =>
      guarded(() => {
        const real = inside(path);
        return real === undefined ? undefined : disk.list(real);
      }),
    failed: path => refused.has(normalizeInnerPath(path) ?? ''),
    executable: path =>
      guarded(() => {
        const real = inside(path);
        return real !== undefined && disk.stat(real)?.executable === true;
      }) ?? false,
  };
}
