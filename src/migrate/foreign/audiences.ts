import type { ForeignSource } from '../../generated/types/foreign.ts';
import { strings, valueAt } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { unusedName } from '../../text/free-name.ts';
import type { SourceReference } from './entry.ts';
import type { PortableText } from './text.ts';

/** A folder of texts for some profiles only, as one source. */
export interface FolderSource {
  readonly items: Map<string, Map<string, Data>>;
  readonly references: SourceReference[];
}

export interface Audiences {
  readonly folderOf: (path: string) => string | undefined;
  /** Of some folders, those in the default build. */
  readonly defaults: (all: readonly string[]) => readonly string[];
  readonly others: readonly (readonly [name: string, folders: readonly string[]])[];
}

/**
 * The profiles of a configuration. Without profiles, or when none is chosen, all folders are for everybody.
 */
export function audiencesOf(settings: Data, { profiles }: ForeignSource): Audiences | undefined {
  if (!profiles) return undefined;
  const table = valueAt(settings, profiles.at);
  if (!isObject(table)) return undefined;
  const foldersIn = (entry: Data) =>
    strings(isObject(entry) && profiles.inner !== undefined ? entry[profiles.inner] : entry);
  const all = Object.entries(table).map(([name, entry]) => [name, foldersIn(entry)] as const);
  if (all.length === 0) return undefined;
  const chosen = valueAt(settings, profiles.default);
  const usual = all.find(([name]) => name === chosen);
  return {
    folderOf: path =>
      path.startsWith(profiles.folder) ? path.slice(profiles.folder.length).split('/')[0] : undefined,
    defaults: folders => (usual ? folders.filter(one => usual[1].includes(one)) : folders),
    others: all.filter(one => one !== usual),
  };
}

const blocks = { rules: 'guards', agents: 'agents', commands: 'shortcuts', checks: 'checks' } as const;

/** Adds a text to the source of its folder. */
export function addToFolder(
  { items }: FolderSource,
  kind: keyof typeof blocks,
  name: string,
  { fields, body, targets }: PortableText,
): void {
  const block = blocks[kind];
  const entries = items.get(block) ?? new Map<string, Data>();
  items.set(block, entries);
  const { name: _, ...said } = Object.fromEntries(fields);
  entries.set(
    unusedName(name, key => entries.has(key)),
    {
      ...said,
      ...(targets && { targets: [...targets] }),
      content: body.trimEnd(),
    },
  );
}
