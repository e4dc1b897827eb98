import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { checkOutputPath } from '../../plan/safe-path.ts';
import { belowFrontMatter } from '../../plan/same-meaning.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { compareCode } from '../../text/order.ts';
import { agentsPath, isMarkdownPath } from '../../text/places.ts';
import { documentsOf, type MainFile } from './documents.ts';
import type { FoundFile, FoundFiles } from './find-files.ts';
import { type DataFile, dataSources, ownSettings } from './hooks.ts';
import type { ItemFile } from './item-text.ts';
import { itemSources } from './items.ts';
import type { Keeping, KeptDocument, KeptTarget, Learned, Reading, Refused } from './keeping.ts';
import { isListed, type ListsFile, listSources } from './lists.ts';
import { nestedRules } from './nested-rules.ts';
import type { EntriesRole, ItemRole } from './roles.ts';
import { type ServersFile, serverSource } from './servers.ts';
import { type SkillFile, type SkillFolder, skillSources } from './skills.ts';

/** What moving in by keeping starts from. */
export interface KeepingInput {
  readonly root: string;
  readonly disk: Disk;
  readonly found: FoundFiles;
  /** The tools that are written for. */
  readonly specs: readonly TargetSpec[];
  /** Those of them that have no files yet: they get what the others have. */
  readonly added: readonly TargetSpec[];
  readonly universalDir: string | undefined;
  /** Tools in use that are not written for, with the reason. */
  readonly dropped: ReadonlyMap<TargetSpec, string>;
  /** Tools that do without a settings file of theirs, with the option that says so. */
  readonly quiet: ReadonlyMap<TargetSpec, string>;
}

/** Every file that a tool in use reads, by what it is to the tools. */
interface Sorted {
  readonly mains: MainFile[];
  readonly items: ItemFile[];
  readonly servers: ServersFile[];
  readonly data: DataFile[];
  readonly lists: ListsFile[];
  readonly left: Reading[];
}

/** What becomes a source, what stays. */
export async function planKeeping(input: KeepingInput, learned: Learned): Promise<Keeping> {
  const { refused, placed } = learned;
  const { added } = input;
  const specs = input.specs.filter(spec => !added.includes(spec));
  const { mains, items, servers, data, lists, left } = sortFiles(input, refused);
  const own = await itemSources(items, specs, learned);
  const skills = await skillSources(skillFolders(input), specs, learned);
  const mcp = await serverSource(servers, specs, refused);
  const inServers = new Set([...mcp.kept, ...mcp.left].map(({ path }) => path));
  const agents = own.sources.flatMap(({ path }) =>
    path.startsWith(`${agentsPath}/`) ? [nameOfAgent(path)] : [],
  );
  const blocks = await dataSources(data, specs, refused, placed, agents);
  const listed = await listSources(lists, specs, refused, placed);
  const inLists = new Set([...listed.kept, ...listed.left].map(({ path }) => path));
  const inFolders = mains.filter(({ path }) => isNested(path, input) && !placed.has(path));
  const taken = new Set(own.sources.map(({ path }) => path));
  const nested = nestedRules(inFolders, mains, specs, taken);
  const asDocuments = mains.filter(main => !inFolders.includes(main) || nested.others.includes(main));
  const { documents, unread } = documentsOf(asDocuments, mains, specs, added);
  return {
    targets: input.specs.map(spec => targetOf(spec, skills.has.get(spec), input)),
    documents,
    sources: [
      ...documents.map(({ source, bytes }) => ({ path: source, text: bytes })),
      ...nested.sources,
      ...own.sources,
      ...skills.sources,
      ...mcp.sources,
      ...blocks.sources,
      ...listed.sources,
    ],
    brought: [...blocks.sources.map(({ path }) => ({ path })), ...listed.brought],
    kept: [
      ...documents.flatMap(keptAt),
      ...nested.kept,
      ...own.kept,
      ...skills.kept,
      ...mcp.kept,
      ...blocks.kept,
      ...listed.kept,
    ],
    free: new Set([
      ...nested.kept.map(({ path }) => path),
      ...own.free,
      ...skills.free,
      ...blocks.free,
      ...listed.free,
    ]),
    united: new Map([...own.united, ...skills.united]),
    left: [
      ...left,
      ...unread,
      ...own.left,
      ...skills.left,
      ...mcp.left,
      ...listed.left,
      ...blocks.left.filter(
        ({ path, reason }) => reason !== ownSettings || !(inServers.has(path) || inLists.has(path)),
      ),
    ].sort((a, b) => compareCode(a.path, b.path)),
  };
}

const nameOfAgent = (path: string): string =>
  `agents.${path.slice(agentsPath.length + 1).replace(/\.[^.]+$/, '')}`;

function sortFiles({ root, disk, found, specs, dropped }: KeepingInput, refused: Refused): Sorted {
  const empty = found.empty.map(path => ({ path, specs: [], reason: 'it is empty' }));
  const inner = [...found.inner].map(([path, folder]) => ({
    path,
    specs: [],
    reason: `it is for ${folder}/ alone; only what the root has is taken`,
  }));
  const sorted: Sorted = {
    mains: [],
    items: [],
    servers: [],
    data: [],
    lists: [],
    left: [...empty, ...inner],
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
    const text = bytes && textOf(bytes);
    const reason = refused.get(path);
    const itemRoles = usual(roles.filter((role): role is ItemRole => role.kind === 'item'));
    const entries = roles.filter((role): role is EntriesRole => role.kind === 'entries');
    const places = entries.filter(({ file }) => file.of === 'mcpServers');
    const others = entries.filter(({ file }) => file.of !== 'mcpServers');
    if (!bytes) continue;
    const odd = checkOutputPath(path);
    if (odd !== undefined) leave(`its path ${odd}, which not every system takes`);
    else if (text === undefined) leave('it is no text in UTF-8');
    else if (itemRoles.some(isData)) sorted.data.push({ path, roles: itemRoles, text });
    else if (itemRoles.length > 0 && reason !== undefined && hasNoText(path, text)) leave('it is empty');
    else if (itemRoles.length > 0) sorted.items.push({ path, roles: itemRoles, text });
    else if (file.roles.some(({ kind }) => kind === 'main')) {
      if (reason === undefined)
        sorted.mains.push({ path, bytes, ...(file.real !== undefined && { real: file.real }) });
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
    }
  }
  return sorted;
}

/** Nothing stands in a file, or nothing below its front matter. */
const hasNoText = (path: string, text: string): boolean =>
  text.trim() === '' ||
  (isMarkdownPath(path) && belowFrontMatter(text.replaceAll('\r\n', '\n'), readFrontMatter(text)) === '');

/** Hooks and servers of a file of their own have no text that could be Markdown. */
const isData = ({ file }: ItemRole): boolean => file?.of === 'hooks' || file?.of === 'mcpServers';

const isNested = (path: string, { found }: KeepingInput): boolean =>
  found.files.some(
    file => file.path === path && file.roles.every(role => role.kind === 'main' && role.folder !== ''),
  );

/** A tool with the skills that it has, and the options by which it writes to where its files are. */
function targetOf(
  spec: TargetSpec,
  skills: readonly string[] | undefined,
  { found, quiet }: KeepingInput,
): KeptTarget {
  const options = new Map<string, string>();
  const off = quiet.get(spec);
  if (off !== undefined) options.set(off, 'false');
  const files = [...found.files, ...found.skills].flatMap(({ roles }) =>
    roles.flatMap(role => (role.spec === spec && role.kind === 'item' && role.file ? [role.file] : [])),
  );
  for (const [option, field] of Object.entries(spec.options ?? {})) {
    const asking = files.filter(({ when }) => when?.option === option);
    const values = typeof field === 'object' && 'values' in field ? (field.values ?? []) : [];
    const count = (value: unknown) => asking.filter(({ when }) => when!.is?.includes(value as string)).length;
    const usual = typeof field === 'object' ? count(field.default) : 0;
    const best = values.find(value => count(value) === asking.length);
    if (asking.length > 0 && usual === 0 && best !== undefined) options.set(option, String(best));
  }
  return { spec, ...(skills && { skills }), ...(options.size > 0 && { options }) };
}

const keptAt = ({ places, source }: KeptDocument) => places.map(path => ({ path, source }));

/** Places of the usual versions of tools, where there are some. */
function usual(roles: readonly ItemRole[]): ItemRole[] {
  const own = roles.filter(role => role.own);
  const [first] = own.length > 0 ? own : roles;
  return (own.length > 0 ? own : roles).filter(({ file }) => file?.of === first!.file?.of);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function skillFolders({ root, disk, found, specs, universalDir }: KeepingInput): SkillFolder[] {
  return found.skills.flatMap((file): SkillFolder[] => {
    const roles = file.roles.filter(
      (role): role is ItemRole => role.kind === 'item' && role.file?.of === 'skills',
    );
    const folder = file.path.replace(/\/SKILL\.md$/, '');
    const isFound =
      universalDir !== undefined &&
      folder.startsWith(`${universalDir}/skills/`) &&
      disk.lstat(join(root, folder))?.kind === 'directory';
    if (roles.length === 0 && !isFound) return [];
    const readers = specs.filter(spec => roles.some(role => role.spec === spec && role.own));
    if (readers.length === 0 && !isFound) return [];
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    return [
      {
        path: file.path,
        name,
        real: file.real ?? file.path,
        readers,
        roles: roles.filter(role => role.own && readers.includes(role.spec)),
        found: isFound,
        files: isFound ? [] : filesBelow(join(root, folder), disk),
      },
    ];
  });
}

/** Every file of a folder; links are no part of it. */
function filesBelow(folder: string, disk: Disk, prefix = ''): SkillFile[] {
  const entries = [...(disk.list(join(folder, prefix)) ?? [])];
  return entries.flatMap(({ name, kind }): SkillFile[] => {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    if (kind === 'directory') return unusual.has(name) ? [] : filesBelow(folder, disk, path);
    const bytes = kind === 'file' ? disk.readBytes(join(folder, path)) : undefined;
    if (!bytes) return [];
    return [{ path, bytes, executable: disk.stat(join(folder, path))?.executable === true }];
  });
}

const unusual = new Set(['.git', 'node_modules', '__pycache__']);

export type { FoundFile };
