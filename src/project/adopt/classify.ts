import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import { checkOutputPath } from '../../plan/safe-path.ts';
import { belowFrontMatter } from '../../plan/same-meaning.ts';
import { decodeText } from '../../text/bytes.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Excluded, NotTaken } from './adoption.ts';
import type { AdoptionInput } from './attempt.ts';
import type { DataFile } from './data.ts';
import type { MainFile } from './documents.ts';
import type { ItemFile } from './item-text.ts';
import { isListed, type ListsFile } from './lists.ts';
import { type EntriesRole, type ItemRole, isNestedMain } from './roles.ts';
import type { ServersFile } from './servers.ts';

/** Every file that a tool in use reads, by what it is to the tools. */
export interface Classified {
  readonly mains: MainFile[];
  readonly items: ItemFile[];
  readonly servers: ServersFile[];
  readonly data: DataFile[];
  readonly lists: ListsFile[];
  readonly left: NotTaken[];
}

/** Sorts what was found; of what stays the reason is told. */
export function classifyFiles(
  { root, disk, found, tools: specs, dropped }: AdoptionInput,
  excluded: Excluded,
): Classified {
  const sorted: Classified = {
    mains: [],
    items: [],
    servers: [],
    data: [],
    lists: [],
    left: [...found.left].map(([path, reason]) => ({ path, specs: [], reason })),
  };
  for (const { path, roles } of found.skills) {
    const asides = roles.flatMap(role => (role.kind === 'trace' && specs.includes(role.spec) ? [role] : []));
    const what = asides.find(role => role.what !== undefined)?.what;
    if (what !== undefined) sorted.left.push({ path, specs: asides.map(({ spec }) => spec), reason: what });
  }
  for (const file of found.files) {
    const { path } = file;
    const roles = file.roles.filter(({ spec }) => specs.includes(spec));
    const leave = (reason: string) =>
      sorted.left.push({ path, specs: roles.map(({ spec }) => spec), reason });
    const bytes = disk.readBytes(join(root, path));
    const text = bytes && decodeText(bytes);
    const reason = excluded.get(path);
    const itemRoles = usual(roles.filter((role): role is ItemRole => role.kind === 'item'));
    const entries = roles.filter((role): role is EntriesRole => role.kind === 'entries');
    const places = entries.filter(({ file }) => file.of === 'mcpServers');
    const others = entries.filter(({ file }) => file.of !== 'mcpServers');
    if (!bytes) {
      leave('it cannot be read');
      continue;
    }
    const odd = checkOutputPath(path);
    if (odd !== undefined) leave(`its path ${odd}, which not every system takes`);
    else if (text === undefined) leave('it is no text in UTF-8');
    else if (itemRoles.some(isData)) sorted.data.push({ path, roles: itemRoles, text });
    else if (itemRoles.length > 0 && reason !== undefined && hasNoText(path, text)) leave('it is empty');
    else if (itemRoles.length > 0) sorted.items.push({ path, roles: itemRoles, text });
    else if (file.roles.some(({ kind }) => kind === 'main')) {
      if (roles.some(({ spec }) => hasNotesAt(spec, path))) leave(privateNotes);
      else if (reason === undefined)
        sorted.mains.push({
          path,
          bytes,
          isNested: isNestedMain(file.roles),
          ...(file.real !== undefined && { real: file.real }),
        });
      else leave(reason);
    } else if (entries.length > 0) {
      if (places.length > 0) sorted.servers.push({ path, roles: places, text });
      if (others.length > 0) sorted.data.push({ path, roles: others, text });
      const listed = others.filter(isListed);
      if (listed.length > 0) sorted.lists.push({ path, roles: listed, text });
    } else if (roles.length > 0)
      leave(
        roles.flatMap(role => (role.kind === 'trace' ? (role.what ?? []) : []))[0] ??
          'what it says stays there',
      );
    else {
      const owner = file.roles.find(({ spec, own }) => own && dropped.has(spec))?.spec;
      if (owner) sorted.left.push({ path, specs: [owner], reason: dropped.get(owner)! });
      else sorted.left.push({ path, specs: [], reason: unused });
    }
  }
  return sorted;
}

/** The reason for notes of one person: sources are shared. */
export const privateNotes = 'it holds the notes of one person, which no source is to hold';

/** The reason for a file that only other tools read. */
export const unused = 'none of the tools that are written for reads it';

/** Whether a tool has the private notes of one person at a path: sources are shared. */
const hasNotesAt = ({ files }: TargetSpec, path: string): boolean =>
  Object.values(files).some(file => file.kind === 'document' && file.of === 'local' && file.path === path);

/** Nothing stands in a file, or nothing below its front matter. */
const hasNoText = (path: string, text: string): boolean =>
  text.trim() === '' ||
  (isMarkdownPath(path) && belowFrontMatter(text.replaceAll('\r\n', '\n'), readFrontMatter(text)) === '');

/** Hooks and servers of a file of their own have no text that could be Markdown. */
const isData = ({ file }: ItemRole): boolean => file?.of === 'hooks' || file?.of === 'mcpServers';

/** What the file is to each tool: at places of usual versions, where there are some, and at the most literal one. */
function usual(roles: readonly ItemRole[]): ItemRole[] {
  const own = roles.filter(role => role.own);
  const [first] = own.length > 0 ? own : roles;
  const same = (own.length > 0 ? own : roles).filter(({ file }) => file?.of === first!.file?.of);
  return same.filter((role, at) => same.findIndex(({ spec }) => spec === role.spec) === at);
}
