import { join } from 'node:path';
import { type Disk, readTextAt } from '../../host/host.ts';
import type { KeyEdit, OutputFile, SharedFile } from '../../kinds/output.ts';
import type { OwnedFile } from '../../plan/manifest.ts';
import { blockFormat } from '../../plan/shared-lines.ts';
import { gitPattern, quotedPattern } from '../merge/git-files.ts';
import { readOwned } from '../write/records.ts';

/** What becomes of generated files in version control. */
export type GitMode = 'tracked' | 'ignored';

/** The outputs of a run, and what of an earlier one stays beside them. */
export interface Listing {
  readonly root: string;
  readonly disk: Disk;
  readonly files: readonly OutputFile[];
  /** What everybody has of them. */
  readonly shared: readonly OutputFile[];
  /** Whether a file of an earlier run stays as it is. */
  readonly keep: (path: string, owned: OwnedFile) => boolean;
  /** Ids of the targets of the project. */
  readonly targets: readonly string[];
}

/** Outputs with the list of them. */
export interface Listed {
  readonly files: readonly OutputFile[];
  /** Paths of those that version control is not to have. */
  readonly ignored: ReadonlySet<string>;
}

/**
 * The outputs as version control is to have them: listed in `.gitignore` and recorded on this machine alone, or marked
 * as generated in `.gitattributes`. Files that belong to the user are neither.
 */
export async function listForGit(mode: GitMode, listing: Listing): Promise<Listed> {
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
  const lines = new Set([...[...listed].map(lineOf), ...(await keptLines(path, lineOf, listing))]);
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
    ignored: isIgnored ? listed : new Set(),
  };
}

/** The lines that are there for files which are not of this run. */
async function keptLines(
  path: string,
  lineOf: (path: string) => string,
  { root, disk, keep }: Listing,
): Promise<string[]> {
  const text = readTextAt(disk, join(root, path));
  const owned = text === undefined ? undefined : readOwned(disk, root, () => {})?.files;
  if (text === undefined || !owned) return [];

  const parsed = blockFormat.parse(text);
  const known = new Set([...owned].filter(([path, file]) => keep(path, file)).map(([path]) => lineOf(path)));
  return 'value' in parsed ? (parsed.value as string[]).filter(line => known.has(line)) : [];
}
