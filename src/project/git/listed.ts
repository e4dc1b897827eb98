import { join } from 'node:path';
import { type Disk, readTextAt } from '../../host/host.ts';
import type { KeyEdit, OutputFile, SharedFile } from '../../kinds/output.ts';
import type { OwnedFile } from '../../plan/manifest.ts';
import { blockFormat } from '../../plan/shared-lines.ts';
import { gitPattern, quotedPattern } from '../merge/git-files.ts';
import { readOwned } from '../write/records.ts';

/** How version control treats outputs. */
export type GitMode = 'tracked' | 'ignored';

/** The outputs of a run, and the owned files of earlier runs that stay. */
export interface Listing {
  readonly root: string;
  readonly disk: Disk;
  readonly files: readonly OutputFile[];
  /** The outputs without those of one person. */
  readonly shared: readonly OutputFile[];
  /** Whether an owned file of an earlier run stays. */
  readonly keep: (path: string, owned: OwnedFile) => boolean;
  /** Ids of the targets of the project. */
  readonly targets: readonly string[];
}

/**
 * Adds the list of outputs: `.gitignore` for mode `ignored`, where they are also recorded as private, else
 * `.gitattributes`. Files that the user owns are not listed. `ignored` are the paths that version control ignores.
 */
export function listForGit(mode: GitMode, listing: Listing) {
  const { files, shared, targets } = listing;
  const isIgnored = mode === 'ignored';
  const path = isIgnored ? '.gitignore' : '.gitattributes';
  const lineOf = (path: string) => {
    const pattern = gitPattern('/', '/', path);
    return isIgnored ? pattern : `${quotedPattern(pattern)} linguist-generated`;
  };
  const listed = new Set(
    shared.filter(file => file.kind === 'whole' && !file.private).map(({ path }) => path),
  );
  const lines = new Set([...[...listed].map(lineOf), ...keptLines(path, lineOf, listing)]);
  const list: SharedFile = {
    kind: 'shared',
    path,
    targets,
    format: 'block',
    edits: [...lines].sort().map((value): KeyEdit => ({ kind: 'element', path: [], value, ordered: true })),
  };
  const outputs = files.map(file =>
    isIgnored && listed.has(file.path) ? { ...file, private: true as const } : file,
  );
  return {
    files: lines.size === 0 ? outputs : [...outputs, list],
    ignored: isIgnored ? listed : new Set<string>(),
  };
}

/** Lines in the list for files that are not part of this run. */
function keptLines(path: string, lineOf: (path: string) => string, { root, disk, keep }: Listing): string[] {
  const text = readTextAt(disk, join(root, path));
  const owned = text === undefined ? undefined : readOwned(disk, root, () => {})?.files;
  if (text === undefined || !owned) return [];

  const parsed = blockFormat.parse(text);
  const known = new Set([...owned].filter(([path, file]) => keep(path, file)).map(([path]) => lineOf(path)));
  return 'value' in parsed ? (parsed.value as string[]).filter(line => known.has(line)) : [];
}
