import type { TargetSpec } from '../../generated/types/target.ts';
import { compareCode } from '../../text/order.ts';
import { agentsPath } from '../../text/places.ts';
import { documentsOf } from './documents.ts';
import { dataSources, ownSettings } from './hooks.ts';
import { itemSources } from './items.ts';
import type { Keeping, KeepingInput, KeptDocument, KeptTarget, Learned } from './keeping.ts';
import { listSources } from './lists.ts';
import { nestedRules } from './nested-rules.ts';
import { serverSource } from './servers.ts';
import { skillFolders } from './skill-folders.ts';
import { skillSources } from './skills.ts';
import { sortFiles } from './sort-files.ts';

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
