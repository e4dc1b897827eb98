import type { TargetSpec } from '../../generated/types/target.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import { convertHooks } from '../../kinds/entries/convert-hooks.ts';
import { readEntries } from '../../kinds/entries/read.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { type ListRead, partOf } from '../../kinds/read/parts.ts';
import { convertPermissions } from '../../kinds/read/permissions.ts';
import { hasPermissions } from '../../kinds/write/permissions.ts';
import { forTools, printParts } from '../../migrate/import/document.ts';
import { importFile } from '../../migrate/import/import.ts';
import type { Data } from '../../model/model.ts';
import { isKnownValue } from '../../resolve/catalogue.ts';
import { unusedName } from '../../text/free-name.ts';
import { type AdoptedParts, audienceOf, type Constraints } from './adoption.ts';
import type { EntriesRole, ItemRole } from './roles.ts';

/** A structured file with entries of tools, or the file of a single entry. */
export interface DataFile {
  readonly path: string;
  readonly roles: readonly (EntriesRole | ItemRole)[];
  readonly text: string;
}

export interface EntriesFile extends DataFile {
  readonly roles: readonly EntriesRole[];
}

/** Parts of a settings file that no spec describes are the user's. A compile does not change them. */
export const ownSettings = 'what it says are settings of the tool; they stay there';

/** What is read from a file, and a clause about the remaining content. */
interface Read {
  readonly parts: readonly MappedBlock[];
  readonly note: string | undefined;
}

/**
 * Hooks, agents and servers of each file as one source with blocks; the remaining content of the file stays the
 * user's. `names` are the names of entries in separate files, such as `agents.reviewer`.
 */
export async function dataSources(
  files: readonly DataFile[],
  specs: readonly TargetSpec[],
  { excluded }: Constraints,
  names: Iterable<string>,
  parts: AdoptedParts,
): Promise<void> {
  const bySource = new Map<string, MappedBlock[]>();
  const taken = new Set<string>(names);
  for (const file of files) {
    const { path, roles } = file;
    const readers = roles.map(({ spec }) => spec);
    const isHooks = roles.some(isHooksPlace);
    const reason = excluded.get(path);
    const reading = () => (isHooks ? readHooks(file, roles.filter(isHooksPlace), specs) : readParts(file));
    const read: Read = reason === undefined ? await reading() : { parts: [], note: reason };
    if (read.note !== undefined) parts.left.push({ path, specs: readers, reason: read.note });
    const [first] = read.parts;
    if (!first) continue;
    const kind = first.block === 'mcpServers' ? 'servers' : first.block;
    const source = `.instr/${kind}-${readers[0]!.id}.prs`;
    const own = read.parts.map(part => {
      const named = withFreeKey(part, taken);
      return isHooks ? named : forReaders(named, readers, specs);
    });
    bySource.set(source, [...(bySource.get(source) ?? []), ...own]);
    parts.adopted.push({ path, source });
  }
  for (const [path, blocks] of bySource) {
    parts.sources.push(sourceOf(path, blocks));
    parts.references.push({ path });
  }
}

const sourceOf = (path: string, blocks: readonly MappedBlock[]) => ({
  path,
  text: printParts(path.replace(/^.*\/|\.prs$/g, ''), blocks),
});

/** The parts of a file that are entries of its places. */
async function readParts({ path, roles, text }: DataFile): Promise<Read> {
  const problems: string[] = [];
  const imported = await importFile(
    { path, bytes: new TextEncoder().encode(text), specs: [roles[0]!.spec] },
    ({ message }) => void problems.push(message),
  );
  const wanted = new Set<string | undefined>(roles.map(({ file }) => file?.of));
  const parts = (imported?.parts ?? []).filter(part => {
    const { block, content } = part;
    // Lists stay with the tool, because they can be more precise in its syntax than in ours.
    if (!wanted.has(block) || content.kind === 'items') return false;
    if (block !== 'hooks') return true;
    const event = content.kind === 'fields' ? content.fields.get('event') : undefined;
    const isKnown = isKnownValue('hooks', 'event', String(event));
    if (!isKnown) problems.push(`The event \`${event}\` of a hook is the tool's own.`);
    return isKnown;
  });
  if (parts.length === 0) return { parts, note: (await whyUnread(text, roles[0]!)) ?? ownSettings };
  const [problem] = problems;
  const note = problem === undefined ? undefined : `a part of it stays there: ${lowerFirst(problem)}`;
  return { parts, note };
}

async function whyUnread(text: string, { file }: DataFile['roles'][number]): Promise<string | undefined> {
  const format = file?.format ?? 'markdown';
  const parsed = format === 'markdown' ? undefined : await parseData(text, format);
  return parsed && 'problem' in parsed ? unreadable(parsed.problem) : undefined;
}

const unreadable = (problem: string): string => `it cannot be read: ${problem}`;

type HooksRole = EntriesRole & { readonly file: { readonly of: 'hooks' } };

const isHooksPlace = (role: DataFile['roles'][number]): role is HooksRole =>
  role.kind === 'entries' && role.file.of === 'hooks';

/** The hooks of a settings file that a compile writes unchanged. */
async function readHooks(
  { path, text }: DataFile,
  places: readonly HooksRole[],
  specs: readonly TargetSpec[],
): Promise<Read> {
  const parsed = await parseData(text, places[0]!.file.format);
  if ('problem' in parsed) return { parts: [], note: unreadable(parsed.problem) };
  const [first, ...others] = places;
  const { hooks, left } = convertHooks(parsed.data, [first!, ...others]);
  const isOther = places.some(({ other }) => other);
  const parts = hooks.map(({ key, fields, tools, readers }): MappedBlock => {
    const all = new Map<string, Data>(fields);
    if (isOther) all.set('into', path);
    if (Object.keys(tools).length > 0) all.set('tools', tools);
    const item = { block: 'hooks', key, fields: all, unknown: new Map() };
    return forReaders(partOf(item, { name: path, text }), readers, specs);
  });
  const [reason] = left;
  if (parts.length === 0)
    return { parts, note: reason === undefined ? ownSettings : `its hooks stay there: ${reason}` };
  const count = `${left.length} of ${parts.length + left.length} hooks`;
  return {
    parts,
    note: reason === undefined ? undefined : `${count} ${staysVerb(left.length)} there: ${reason}`,
  };
}

/** `stays` or `stay`, depending on the number. */
export const staysVerb = (count: number): string => (count === 1 ? 'stays' : 'stay');

/** Entries of different files are distinguished by their names. */
function withFreeKey(part: MappedBlock, taken: Set<string>): MappedBlock {
  const { block } = part;
  const key = unusedName(part.key ?? block, name => taken.has(`${block}.${name}`));
  taken.add(`${block}.${key}`);
  return { ...part, key };
}

/** A part for the tools that read it. */
function forReaders(
  part: MappedBlock,
  readers: readonly TargetSpec[],
  specs: readonly TargetSpec[],
): MappedBlock {
  const targets = audienceOf(specs, readers);
  return targets ? forTools(part, targets) : part;
}

/** Values that are lists: permissions, and patterns of files that a tool must not read. */
export const isListed = ({ file }: EntriesRole): boolean => file.of === 'permissions' || file.of === 'ignore';

/**
 * The permissions and ignored files of each file as a source for the tools that read it. They must not be written for
 * other tools. Values without an exact equivalent stay in the file only.
 */
export async function listSources(
  files: readonly EntriesFile[],
  specs: readonly TargetSpec[],
  { excluded, pinned }: Constraints,
  parts: AdoptedParts,
): Promise<void> {
  const taken = new Set<string>();
  for (const { path, roles, text } of files) {
    const readers = specs.filter(spec => roles.some(role => role.spec === spec));
    const [first] = roles;
    if (!first || readers.length === 0 || excluded.has(path) || pinned.has(path)) continue;
    const parsed = await parseData(text, first.file.format);
    const { lists, note } = 'problem' in parsed ? { lists: [] } : listsIn(parsed.data, first);
    if (note !== undefined) parts.left.push({ path, specs: readers, reason: note });
    if (lists.length === 0) continue;
    const stem = unusedName(`.instr/${first.file.of}-${first.spec.id}`, free => taken.has(free));
    taken.add(stem);
    const source = `${stem}.prs`;
    parts.sources.push(sourceOf(source, lists.map(blockOf)));
    const targets = audienceOf(specs, readers);
    parts.references.push({ path: source, ...(targets && { targets }) });
    parts.adopted.push({ path, source, mayPin: true });
  }
}

const blockOf = ({ block, key, texts }: ListRead): MappedBlock => ({
  block,
  ...(key !== undefined && { key }),
  content: { kind: 'items', items: texts },
  startLine: 1,
  endLine: 1,
  confidence: 1,
});

function listsIn(
  data: Data,
  { file }: EntriesRole,
): { readonly lists: readonly ListRead[]; readonly note?: string } {
  if (file.of === 'ignore') return { lists: readEntries(data, file).lists ?? [] };
  if (!hasPermissions(file)) return { lists: [] };
  const { lists, taken, left } = convertPermissions(data, file);
  if (left.length === 0) return { lists };
  const count = `${left.length} of ${taken + left.length} permissions ${staysVerb(left.length)} there`;
  return { lists, note: `${count}, in words of the tool alone, such as \`${left[0]}\`` };
}

/** A message as a clause. */
export const lowerFirst = (text: string): string =>
  text.slice(0, 1).toLowerCase() + text.slice(1).replace(/\.$/, '');
