import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { readEntries } from '../../kinds/entries/read.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import type { ListRead } from '../../kinds/read/parts.ts';
import { carryPermissions } from '../../kinds/read/permissions.ts';
import type { Brought } from '../../migrate/foreign/entry.ts';
import type { Data } from '../../model/model.ts';
import { block, documentOf, field, item, str, value } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { newestSyntax } from '../../text/version.ts';
import type { SourceFile } from '../write/write-sources.ts';
import { type Adopted, type AdoptedPart, type Constraints, type NotTaken, noPart } from './adoption.ts';
import type { EntriesRole } from './roles.ts';

/** A structured file in which tools have lists: permissions, or patterns of what they do not read. */
export interface ListsFile {
  readonly path: string;
  readonly roles: readonly EntriesRole[];
  readonly text: string;
}

/** What stands in lists, by the name of the block. */
export const isListed = ({ file }: EntriesRole): boolean => file.of === 'permissions' || file.of === 'ignore';

/**
 * The permissions and ignored files of each file as a source for the tools that have it: what one of them is told is
 * nothing that others are to be told, too. What no subject says exactly stays in the file alone.
 */
export async function listSources(
  files: readonly ListsFile[],
  specs: readonly TargetSpec[],
  { excluded, pinned }: Constraints,
): Promise<AdoptedPart> {
  const sources: SourceFile[] = [];
  const brought: Brought[] = [];
  const adopted: Adopted[] = [];
  const left: NotTaken[] = [];
  for (const { path, roles, text } of files) {
    const readers = specs.filter(spec => roles.some(role => role.spec === spec));
    const [first] = roles;
    if (!first || readers.length === 0 || excluded.has(path) || pinned.has(path)) continue;
    const parsed = await parseData(text, first.file.format);
    const { lists, note } =
      'problem' in parsed ? { lists: [], note: undefined } : listsIn(parsed.data, first.file);
    if (note !== undefined) left.push({ path, specs: readers, reason: note });
    if (lists.length === 0) continue;
    const source = freeName(`.instr/${first.file.of}-${first.spec.id}`, sources);
    sources.push({ path: source, text: listsText(source, lists) });
    const isForAll = readers.length === specs.length;
    brought.push({ path: source, ...(!isForAll && { targets: readers.map(({ id }) => id) }) });
    adopted.push({ path, source });
  }
  return { ...noPart, sources, brought, adopted, left, unpinned: adopted.map(({ path }) => path) };
}

function listsIn(
  data: Data,
  file: EntriesFile,
): { readonly lists: readonly ListRead[]; readonly note: string | undefined } {
  if (file.of === 'ignore') return { lists: readEntries(data, file).lists ?? [], note: undefined };
  const { lists, taken, left } = carryPermissions(data, file, file.permissions!);
  const all = taken + left.length;
  const note =
    left.length === 0
      ? undefined
      : `${left.length} of ${all} permissions ${left.length === 1 ? 'stays' : 'stay'} there, in words of the tool alone, such as \`${left[0]}\``;
  return { lists, note };
}

function freeName(stem: string, sources: readonly SourceFile[]): string {
  let path = `${stem}.prs`;
  for (let count = 2; sources.some(one => one.path === path); count++) path = `${stem}-${count}.prs`;
  return path;
}

function listsText(path: string, lists: readonly ListRead[]): string {
  const blocks = new Map<string, Parameters<typeof block>[1][number][]>();
  for (const { block: name, key, texts } of lists) {
    const items = key === undefined ? texts.map(one => item(str(one))) : [field(key, value([...texts]))];
    blocks.set(name, [...(blocks.get(name) ?? []), ...items]);
  }
  return printDocument(
    documentOf([
      block('meta', [
        field('id', str(path.replace(/^.*\/|\.prs$/g, ''))),
        field('syntax', str(newestSyntax)),
      ]),
      ...[...blocks].map(([name, items]) => block(name, items)),
    ]),
  );
}
