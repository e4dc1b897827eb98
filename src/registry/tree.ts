import { join } from 'node:path';
import { registryFileTooLarge, registryLinkOutside, registryUnreachable } from '../generated/diagnostics.ts';
import { type DirEntry, type Disk, HostError } from '../host/host.ts';
import { placeInProject } from '../host/relative-path.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Layer } from '../text/layer.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import { megabytes, sourceLimit } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';

/**
 * A set of files that references can refer to: the project, a commit, a directory, an HTTP server. Paths are
 * `/`-separated and relative to the root of the tree; neither a path nor a symlink in the tree leads out of
 * it.
 */
export interface Tree {
  /**
   * Unique and stable within a run; the prefix of the unit ids of its files. Never a path of this machine.
   */
  readonly id: string;
  /**
   * Returns `undefined` when the file does not exist. The tree reports I/O failures, and the file then counts
   * as missing.
   */
  read(path: string): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /**
   * Sorted by code unit. `undefined` when the directory does not exist, or when the tree cannot list
   * directories (HTTP).
   */
  list(path: string): readonly DirEntry[] | undefined | Promise<readonly DirEntry[] | undefined>;
  /** Whether reading or listing a path failed with a report, so that the path may exist. */
  failed?(path: string): boolean;
  /** Whether a file is executable; absent when the tree does not know. */
  executable?(path: string): boolean;
}

/** The result of resolving a reference: a path in a tree, without `.prs`, and the layer of its files. */
export interface Located {
  readonly tree: Tree;
  readonly path: string;
  readonly layer: Layer;
}

/** The registries of a configuration. When `locate` returns `undefined`, the failure was reported. */
export interface Registries {
  /** `path` and `version` are those of the AST reference; never called for `./` and `../`. */
  locate(path: string, version: string | undefined, at: Span): Promise<Located | undefined>;
}

/** An opened registry with a tree for each reference to it. */
export interface OpenSource {
  /** The trees of one source have the same id and differ in the span of reported failures. */
  readonly tree: (at: Span) => Tree;
  /** The part of the layer of its files that does not depend on the reference. */
  readonly layer: Pick<Layer, 'registry' | 'chosen' | 'directory' | 'own'>;
  /** Whether a frozen run may read this path; reports when not. */
  readonly allows?: (path: string, at: Span) => boolean;
}

/**
 * A local directory as a tree. Files outside of it and Git data in it cannot be read, neither through `..`
 * nor through a symlink. `root` is the real path of an existing directory, `shown` the path as configured.
 * `note` gets the absolute path of each file that is read.
 */
export function localTree(
  disk: Disk,
  root: string,
  id: string,
  registry: string,
  { report, note }: { readonly report: Report; readonly note: (path: string) => void },
  at: Span,
): Tree {
  const refused = new Set<string>();
  const inside = (path: string): string | undefined => {
    const inner = normalizeInnerPath(path);
    if (inner === undefined) return undefined;
    const real = disk.realpath(join(root, inner));
    if (real === undefined) return undefined;
    if (placeInProject(root, real) !== undefined) return real;
    refused.add(inner);
    report(registryLinkOutside({ path: inner, registry }, { span: at }));
    return undefined;
  };
  const guarded = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      report(registryUnreachable({ address: registry, reason: error.message }, { span: at }));
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
          report(registryFileTooLarge({ path, registry, limit: megabytes(sourceLimit) }, { span: at }));
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
