import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import { checkOutputPath } from '../../plan/manifest.ts';
import { belowFrontMatter } from '../../plan/same-meaning.ts';
import { pathOptions } from '../../spec/item-places.ts';
import { decodeText } from '../../text/bytes.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { agentsPath, isMarkdownPath } from '../../text/places.ts';
import {
  type AdoptedTarget,
  type Adoption,
  type AdoptionInput,
  newParts,
  type UnadoptedFile,
} from './adoption.ts';
import { type MainFile, mainSources } from './documents.ts';
import {
  type DataFile,
  dataSources,
  type EntriesFile,
  isListed,
  listSources,
  ownSettings,
} from './entries.ts';
import { type ItemFile, itemSources } from './items.ts';
import { type EntriesRole, type ItemRole, isNestedMain } from './roles.ts';
import type { FoundFile } from './scan.ts';
import { serverSource } from './servers.ts';
import { type SkillFolder, skillFolders, skillSources } from './skills.ts';

/** What becomes a source, and what is left out. */
export async function planAdoption(input: AdoptionInput): Promise<Adoption> {
  const { added, tools, constraints } = input;
  const specs = tools.filter(spec => !added.includes(spec));
  const { mains, items, servers, data, lists, left } = sortFiles(input);
  const folders = skillFolders(input);
  const own = await itemSources(items, specs, constraints);
  const ownPaths = own.sources.map(({ path }) => path);
  const parts = newParts();
  const documents = mainSources(mains, specs, added, constraints.pinned, ownPaths, parts);
  parts.sources.push(...own.sources);
  parts.adopted.push(...own.adopted);
  const skills = await skillSources(folders, specs, constraints, parts);
  await serverSource(servers, specs, constraints.excluded, parts);
  await dataSources(data, specs, constraints, ownPaths.flatMap(agentName), parts);
  await listSources(lists, specs, constraints, parts);
  const notTaken = [...left, ...unusedSkills(input, folders), ...own.left, ...parts.left];
  const named = new Set([
    ...parts.adopted.map(({ path }) => path),
    ...notTaken.flatMap(({ path, reason }) => (reason === ownSettings ? [] : [path])),
  ]);
  return {
    ...parts,
    targets: tools.map(spec => targetOf(spec, skills.get(spec), input)),
    documents,
    isOneText: false,
    left: notTaken
      .filter(({ path, reason }) => reason !== ownSettings || !named.has(path))
      .sort((a, b) => compareCodeUnits(a.path, b.path)),
  };
}

const agentName = (path: string): readonly string[] =>
  path.startsWith(`${agentsPath}/`)
    ? [`agents.${path.slice(agentsPath.length + 1).replace(/\.[^.]+$/, '')}`]
    : [];

/** The reason for private notes of one person: sources are shared. */
export const privateNotes = 'it holds the notes of one person, which no source is to hold';

const unused = 'none of the tools that are written for reads it';

/** Every file that a tool in use reads, by its role. Reasons are given for files that are left out. */
function sortFiles(input: AdoptionInput) {
  const { root, disk, found, tools, dropped, constraints } = input;
  const mains: MainFile[] = [];
  const items: ItemFile[] = [];
  const servers: EntriesFile[] = [];
  const data: DataFile[] = [];
  const lists: EntriesFile[] = [];
  const left: UnadoptedFile[] = [...found.unused].map(([path, reason]) => ({ path, specs: [], reason }));
  for (const file of found.files) {
    const { path, real } = file;
    const roles = file.roles.filter(({ spec }) => tools.includes(spec));
    const leave = (reason: string) => left.push({ path, specs: roles.map(({ spec }) => spec), reason });
    const bytes = disk.readBytes(join(root, path));
    const text = bytes && decodeText(bytes);
    const reason = constraints.excluded.get(path);
    const itemRoles = usualRoles(roles.filter((role): role is ItemRole => role.kind === 'item'));
    const entries = roles.filter((role): role is EntriesRole => role.kind === 'entries');
    const problem = bytes && checkOutputPath(path);
    if (!bytes) leave('it cannot be read');
    else if (problem !== undefined) leave(`its path ${problem}, which not every system takes`);
    else if (text === undefined) leave('it is no text in UTF-8');
    // A file with only hooks or servers has no text that Markdown could hold.
    else if (itemRoles.some(({ file: place }) => place?.of === 'hooks' || place?.of === 'mcpServers'))
      data.push({ path, roles: itemRoles, text });
    else if (itemRoles.length > 0) {
      if (reason !== undefined && hasNoText(path, text)) leave('it is empty');
      else items.push({ path, roles: itemRoles, text });
    } else if (file.roles.some(({ kind }) => kind === 'main')) {
      const why = roles.some(({ spec }) => hasNotesAt(spec, path)) ? privateNotes : reason;
      if (why !== undefined) leave(why);
      else
        mains.push({ path, text, isNested: isNestedMain(file.roles), ...(real !== undefined && { real }) });
    } else if (entries.length > 0) {
      const places = entries.filter(({ file: { of } }) => of === 'mcpServers');
      const others = entries.filter(({ file: { of } }) => of !== 'mcpServers');
      const listed = others.filter(isListed);
      if (places.length > 0) servers.push({ path, roles: places, text });
      if (others.length > 0) data.push({ path, roles: others, text });
      if (listed.length > 0) lists.push({ path, roles: listed, text });
    } else if (roles.length > 0) leave(whatIs(roles) ?? 'what it says stays there');
    else left.push(droppedWith(file, dropped));
  }
  return { mains, items, servers, data, lists, left };
}

/** What a file is according to a spec that does not write it. */
const whatIs = (roles: FoundFile['roles']): string | undefined =>
  roles.flatMap(role => (role.kind === 'trace' ? (role.what ?? []) : []))[0];

function droppedWith({ path, roles }: FoundFile, dropped: ReadonlyMap<TargetSpec, string>): UnadoptedFile {
  const owner = roles.find(({ spec, isOwn }) => isOwn && dropped.has(spec))?.spec;
  return owner ? { path, specs: [owner], reason: dropped.get(owner)! } : { path, specs: [], reason: unused };
}

/** Whether a tool has the private notes of one person at a path. */
const hasNotesAt = ({ files }: TargetSpec, path: string): boolean =>
  Object.values(files).some(file => file.kind === 'document' && file.of === 'local' && file.path === path);

/** The file is empty, or empty below its front matter. */
const hasNoText = (path: string, text: string): boolean =>
  text.trim() === '' ||
  (isMarkdownPath(path) && belowFrontMatter(text.replaceAll('\r\n', '\n'), readFrontMatter(text)) === '');

/**
 * The role of the file for each tool: at places of current versions, if there are any, and at the most literal one.
 */
function usualRoles(all: readonly ItemRole[]): ItemRole[] {
  const own = all.filter(role => role.isOwn);
  const roles = own.length > 0 ? own : all;
  const same = roles.filter(({ file }) => file?.of === roles[0]!.file?.of);
  return same.filter((role, at) => same.findIndex(({ spec }) => spec === role.spec) === at);
}

/** Skills that do not belong to a tool in use, or that a spec declares to be something else. */
function unusedSkills({ found, tools }: AdoptionInput, folders: readonly SkillFolder[]): UnadoptedFile[] {
  const taken = new Set(folders.map(({ path }) => path));
  return found.skills.flatMap(({ path, roles }): UnadoptedFile[] => {
    const traces = roles.filter(({ kind, spec }) => kind === 'trace' && tools.includes(spec));
    const reason = whatIs(traces);
    if (reason !== undefined) return [{ path, specs: traces.map(({ spec }) => spec), reason }];
    return taken.has(path) || traces.length > 0 ? [] : [{ path, specs: [], reason: unused }];
  });
}

function targetOf(
  spec: TargetSpec,
  skills: readonly string[] | undefined,
  { found, withoutSettings }: AdoptionInput,
): AdoptedTarget {
  const options = new Map<string, string>();
  const off = withoutSettings.get(spec);
  if (off !== undefined) options.set(off, 'false');
  const files = [...found.files, ...found.skills].flatMap(({ roles }) =>
    roles.flatMap(role => (role.spec === spec && role.kind === 'item' && role.file ? [role.file] : [])),
  );
  const paths = new Set(
    found.files.flatMap(({ path, roles }) => (roles.some(one => one.spec === spec) ? [path] : [])),
  );
  for (const [option, value] of pathOptions(spec, path => paths.has(path))) options.set(option, value);
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
