import type { TargetSpec } from '../../generated/types/target.ts';
import { compareCode } from '../../text/order.ts';
import { agentsPath } from '../../text/places.ts';
import type { AdoptedPart, AdoptedTarget, Adoption, Constraints } from './adoption.ts';
import type { AdoptionInput } from './attempt.ts';
import { classifyFiles, unused } from './classify.ts';
import { dataSources, ownSettings } from './data.ts';
import { documentSources } from './documents.ts';
import { itemSources } from './items.ts';
import { listSources } from './lists.ts';
import { nestedRules } from './nested-rules.ts';
import { serverSource } from './servers.ts';
import { skillFolders, skillSources } from './skills.ts';

/** What becomes a source, what stays. */
export async function planAdoption(input: AdoptionInput, constraints: Constraints): Promise<Adoption> {
  const { added, tools } = input;
  const specs = tools.filter(spec => !added.includes(spec));
  const { mains, items, servers, data, lists, left } = classifyFiles(input, constraints.excluded);
  const item = await itemSources(items, specs, constraints);
  const folders = skillFolders(input);
  const skills = await skillSources(folders, specs, constraints);
  const agents = item.sources.flatMap(({ path }) => agentName(path));
  const inFolders = mains.filter(({ path, isNested }) => isNested && !constraints.pinned.has(path));
  const taken = new Set(item.sources.map(({ path }) => path));
  const nested = nestedRules(inFolders, mains, specs, taken);
  const asDocuments = mains.filter(main => !inFolders.includes(main) || nested.others.includes(main));
  const documents = documentSources(asDocuments, mains, specs, added);
  const parts: AdoptedPart[] = [
    documents,
    nested,
    item,
    skills,
    await serverSource(servers, specs, constraints.excluded),
    await dataSources(data, specs, constraints, agents),
    await listSources(lists, specs, constraints),
  ];
  const adopted = parts.flatMap(part => part.adopted);
  const notTaken = [...left, ...unusedSkills(input, folders), ...parts.flatMap(part => part.left)];
  const named = new Set([
    ...adopted.map(({ path }) => path),
    ...notTaken.flatMap(({ path, reason }) => (reason === ownSettings ? [] : [path])),
  ]);
  return {
    targets: tools.map(spec => targetOf(spec, skills.has.get(spec), input)),
    documents: documents.documents,
    isOneText: false,
    sources: parts.flatMap(({ sources }) => sources),
    brought: parts.flatMap(({ brought }) => brought),
    adopted,
    unpinned: new Set(parts.flatMap(({ unpinned }) => unpinned)),
    united: new Map(parts.flatMap(({ united }) => [...united])),
    left: notTaken
      .filter(({ path, reason }) => reason !== ownSettings || !named.has(path))
      .sort((a, b) => compareCode(a.path, b.path)),
  };
}

const agentName = (path: string): readonly string[] =>
  path.startsWith(`${agentsPath}/`)
    ? [`agents.${path.slice(agentsPath.length + 1).replace(/\.[^.]+$/, '')}`]
    : [];

/** Skills that only other tools read. */
function unusedSkills({ found, tools }: AdoptionInput, folders: readonly { readonly path: string }[]) {
  const taken = new Set(folders.map(({ path }) => path));
  return found.skills.flatMap(({ path, roles }) =>
    taken.has(path) || roles.some(({ kind, spec }) => kind === 'trace' && tools.includes(spec))
      ? []
      : [{ path, specs: [], reason: unused }],
  );
}

/** A tool with the skills that it has, and the options by which it writes to where its files are. */
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
