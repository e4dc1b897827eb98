import type { TargetSpec } from '../../generated/types/target.ts';
import { blocksOf } from '../../import/document.ts';
import { importFile } from '../../import/import.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import { carryHooks } from '../../kinds/entries/carry-hooks.ts';
import { keyFilledFrom } from '../../kinds/entries/changes.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { partOf } from '../../kinds/read/parts.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { isKnownValue } from '../../resolve/catalogue.ts';
import { block, documentOf, field, str } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { newestSyntax } from '../../text/version.ts';
import { type Adopted, type AdoptedPart, type Constraints, type NotTaken, noPart } from './adoption.ts';
import type { EntriesRole, ItemRole } from './roles.ts';

/** A structured file in which tools have hooks, or a server of its own. */
export interface DataFile {
  readonly path: string;
  readonly roles: readonly (EntriesRole | ItemRole)[];
  readonly text: string;
}

/** Whether a command hands a line to a shell: there are many ways to write that. */
const isShellLine = (command: Data | undefined): boolean =>
  Array.isArray(command) && /^(?:\S*\/)?(?:ba|z|da)?sh$/.test(String(command[0])) && command.includes('-c');

/** What no spec explains in a settings file is the user's own, and a compile leaves it as it is. */
export const ownSettings = 'what it says are settings of the tool; they stay there';

/**
 * Hooks and agents of each file as one source with blocks; all else in the file stays the user's. `names` are those that
 * entries in files of their own have, as `agents.reviewer`.
 */
export async function dataSources(
  files: readonly DataFile[],
  specs: readonly TargetSpec[],
  { excluded, pinned }: Constraints,
  names: Iterable<string>,
): Promise<AdoptedPart> {
  const bySource = new Map<string, MappedBlock[]>();
  const adopted: Adopted[] = [];
  const left: NotTaken[] = [];
  const unpinned: string[] = [];
  const taken = new Set<string>(names);
  for (const { path, roles, text } of files) {
    const readers = roles.map(({ spec }) => spec);
    const leave = (reason: string) => void left.push({ path, specs: readers, reason });
    const said = excluded.get(path);
    if (said !== undefined) {
      leave(said);
      continue;
    }
    const places = roles.filter(isHooksPlace);
    if (places.length > 0) {
      const read = await carriedHooks(path, text, places, specs);
      if (typeof read === 'string') {
        leave(read);
        continue;
      }
      const [first] = read.left;
      if (read.parts.length === 0)
        leave(first === undefined ? ownSettings : `its hooks stay there: ${first}`);
      else if (first !== undefined)
        leave(
          `${read.left.length} of ${read.parts.length + read.left.length} hooks ${read.left.length === 1 ? 'stays' : 'stay'} there: ${first}`,
        );
      if (read.parts.length === 0) continue;
      const source = `.instr/hooks-${readers[0]!.id}.prs`;
      bySource.set(source, [...(bySource.get(source) ?? []), ...read.parts.map(part => named(part, taken))]);
      adopted.push({ path, source });
      continue;
    }
    const problems: string[] = [];
    const imported = await importFile(
      { path, bytes: new TextEncoder().encode(text), specs: [readers[0]!] },
      ({ message }) => void problems.push(message),
    );
    const wanted = new Set<string | undefined>(roles.map(({ file }) => file?.of));
    const parts = (imported?.parts ?? []).filter(part => {
      const { block, content } = part;
      // Lists stay with the tool: in its words they may say more than ours.
      if (!wanted.has(block) || content.kind === 'items') return false;
      const event = content.kind === 'fields' ? content.fields.get('event') : undefined;
      if (block !== 'hooks') return true;
      const isKnown = isKnownValue('hooks', 'event', String(event));
      if (!isKnown) problems.push(`The event \`${event}\` of a hook is the tool's own.`);
      const isLine = pinned.has(path) && isLineOf(part);
      if (isLine) problems.push('A hook whose command is a line for a shell would be written otherwise.');
      return isKnown && !isLine;
    });
    if (parts.length === 0) leave((await whyUnread(text, roles[0]!)) ?? ownSettings);
    else if (problems.length > 0) leave(`a part of it stays there: ${lowerFirst(problems[0]!)}`);
    if (parts.length === 0) continue;
    const kind = parts[0]!.block;
    const source = `.instr/${kind === 'mcpServers' ? 'servers' : kind}-${readers[0]!.id}.prs`;
    const ids = specs.filter(spec => readers.includes(spec)).map(({ id }) => id);
    const others = bySource.get(source) ?? [];
    const own = parts.map(part => calledAs(part, named(part, taken), roles));
    bySource.set(source, [...others, ...own.map(part => withTargets(part, ids, specs))]);
    adopted.push({ path, source });
    if (!pinned.has(path) && parts.some(isLineOf)) unpinned.push(path);
  }
  const sources = [...bySource].map(([path, parts]) => ({
    path,
    text: printDocument(
      documentOf([
        block('meta', [
          field('id', str(path.replace(/^.*\/|\.prs$/g, ''))),
          field('syntax', str(newestSyntax)),
        ]),
        ...blocksOf(parts, new Map()),
      ]),
    ),
  }));
  return { ...noPart, sources, brought: sources.map(({ path }) => ({ path })), adopted, left, unpinned };
}

/** Why the data of a file cannot be read. */
async function whyUnread(text: string, { file }: DataFile['roles'][number]): Promise<string | undefined> {
  const format = file?.format ?? 'markdown';
  const parsed = format === 'markdown' ? undefined : await parseData(text, format);
  return parsed && 'problem' in parsed ? `it cannot be read: ${parsed.problem}` : undefined;
}

type HooksRole = EntriesRole & { readonly file: { readonly of: 'hooks' } };

const isHooksPlace = (role: DataFile['roles'][number]): role is HooksRole =>
  role.kind === 'entries' && role.file.of === 'hooks';

/** The hooks of a settings file that come out as they stand; or why the file cannot be read. */
async function carriedHooks(
  path: string,
  text: string,
  places: readonly HooksRole[],
  specs: readonly TargetSpec[],
): Promise<{ readonly parts: readonly MappedBlock[]; readonly left: readonly string[] } | string> {
  const parsed = await parseData(text, places[0]!.file.format);
  if ('problem' in parsed) return `it cannot be read: ${parsed.problem}`;
  const [first, ...others] = places;
  const { hooks, left } = carryHooks(parsed.data, [first!, ...others]);
  const parts = hooks.map(({ key, fields, tools, readers }): MappedBlock => {
    const ids = specs.filter(spec => readers.includes(spec)).map(({ id }) => id);
    const all = new Map<string, Data>([
      ...fields,
      ...(places.some(({ other }) => other) ? [['into', path] as const] : []),
      ...(Object.keys(tools).length > 0 ? [['tools', tools] as const] : []),
    ]);
    return withTargets(
      partOf({ block: 'hooks', key, fields: all, unknown: new Map() }, { name: path, text }),
      ids,
      specs,
    );
  });
  return { parts, left };
}

const isLineOf = ({ content }: MappedBlock): boolean =>
  content.kind === 'fields' && isShellLine(content.fields.get('command'));

/** Entries of different files are told separate by their names. */
function named(part: MappedBlock, taken: Set<string>): MappedBlock {
  const plain = part.key ?? part.block;
  let key = plain;
  for (let count = 2; taken.has(`${part.block}.${key}`); count++) key = `${plain}-${count}`;
  taken.add(`${part.block}.${key}`);
  return { ...part, key };
}

/** An agent whose name another one has is told its own name for the tools of the file alone. */
function calledAs(part: MappedBlock, other: MappedBlock, roles: DataFile['roles']): MappedBlock {
  if (part.block !== 'agents' || part.key === other.key || part.content.kind !== 'fields') return other;
  const { tools, content, ...fields } = Object.fromEntries(part.content.fields);
  const said = roles.flatMap(({ kind, file, spec }): [string, Data][] => {
    const key = kind === 'entries' ? keyFilledFrom(file.entry, 'id') : undefined;
    if (key === undefined) return [];
    const known = isDataObject(tools) ? tools[spec.id] : tools && { tools };
    return [[spec.id, { ...(isDataObject(known) && known), [key]: part.key! }]];
  });
  const all = {
    ...fields,
    name: fields.name ?? part.key!,
    tools: Object.fromEntries(said),
    ...(content !== undefined && { content }),
  };
  return { ...other, content: { kind: 'fields', fields: new Map(Object.entries(all)) } };
}

function withTargets(part: MappedBlock, ids: readonly string[], specs: readonly TargetSpec[]): MappedBlock {
  if (part.content.kind !== 'fields' || ids.length === specs.length) return part;
  return {
    ...part,
    content: { kind: 'fields', fields: new Map([...part.content.fields, ['targets', ids]]) },
  };
}

const lowerFirst = (text: string): string =>
  text.slice(0, 1).toLowerCase() + text.slice(1).replace(/\.$/, '');
