import type { Document as YamlDocument } from 'yaml';
import { canonicalBlock, isPortable, portableName, sourceName } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { Field, ObjectValue } from '../../syntax/ast.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { findFrontMatter } from '../../text/front-matter-lines.ts';
import { isMarkdownPath } from '../../text/places.ts';
import type { Surroundings } from './candidates.ts';
import { type Hunk, hunksOf, withHunk } from './hunks.ts';
import type { Candidate } from './trial.ts';

type Data = Record<string, unknown>;

/** A field that an entry is to have, by the path below the entry; `null` takes one away. */
interface Change {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The entry of a source that a generated file is made of. */
interface Entry {
  readonly block: string;
  readonly name: string;
  readonly file: string;
}

/**
 * Ways to say in the source what somebody wrote into a field of an item's file: as a field of the entry, which says it
 * to all tools, else as what the entry says for the tools of that file alone. `tools` are their ids.
 */
export async function fieldsFor(
  hunk: Hunk,
  path: string,
  tools: readonly string[],
  around: Surroundings,
): Promise<Candidate[]> {
  const edited = withHunk(around.lines, hunk);
  if (!isInFields(hunk, path, around.lines) || !isInFields({ ...hunk, removed: hunk.added }, path, edited))
    return [];
  const [before, after] = [await readFields(path, around.lines), await readFields(path, edited)];
  const changed = before && after && changedKeys(before, after);
  if (!changed || changed.length === 0) return [];
  const entry = await entryOf(around);
  const text = entry && around.sourceLines(entry.file)?.join('\n');
  if (text === undefined || text.includes('\r')) return [];
  const { block } = entry!;
  const saidOf = (key: string) => (Object.hasOwn(after, key) ? after[key] : null);
  const own = (key: string): Change[] => tools.map(tool => ({ path: ['', tool, key], value: saidOf(key) }));
  const forAll = changed.flatMap(key => {
    const isField = isPortable(block, portableName(block, key));
    return isField ? [{ path: [sourceName(block, key)], value: saidOf(key) }] : own(key);
  });
  const found: Candidate[] = [];
  for (const changes of [forAll, changed.flatMap(own)])
    for (const field of ['tools', 'targets']) {
      const named = changes.map(one => ({ ...one, path: one.path.map(part => part || field) }));
      const next = await withFields(text, named, entry!);
      if (next !== undefined) found.push(await changeTo(next, text, entry!.file));
    }
  return found;
}

/** Whether a file is nothing but fields: some have front matter and a text, whatever they are called. */
const isData = (path: string, lines: readonly string[]): boolean =>
  /\.ya?ml$/.test(path) && lines.indexOf('---', 1) === -1;

/** Whether lines lie in the front matter of a file, or the file is nothing but fields. */
function isInFields({ at, removed }: Hunk, path: string, lines: readonly string[]): boolean {
  if (isData(path, lines)) return true;
  const end = lines[0]?.trimEnd() === '---' ? lines.indexOf('---', 1) : -1;
  return at > 0 && at + removed.length <= end;
}

/** Why what was edited in the fields or in the text of an item cannot be said in its source, as far as the lines tell. */
export async function whyNotSaid(
  hunk: Hunk,
  path: string,
  lines: readonly string[],
): Promise<string | undefined> {
  const edited = withHunk(lines, hunk);
  if (!isInFields(hunk, path, lines)) {
    const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
    const isEmpty = end > 0 && hunk.at > end && edited.slice(end + 1).every(line => line.trim() === '');
    return isEmpty
      ? 'it is all that the text says: to take the item out of the sources, delete the file and run `prs absorb` with its name'
      : undefined;
  }
  if (!isInFields({ ...hunk, removed: hunk.added }, path, edited))
    return 'it stands in the front matter, which ends there no more';
  const [before, after] = [await readFields(path, lines), await readFields(path, edited)];
  if (before && !after) return 'the fields of the file cannot be read with it: it is no valid YAML';
  const gone = Object.keys(before ?? {}).filter(key => !Object.hasOwn(after ?? {}, key));
  return gone.length > 0
    ? `the file has ${gone.map(key => `\`${key}\``).join(', ')} whatever the sources say`
    : undefined;
}

async function readFields(path: string, lines: readonly string[]): Promise<Data | undefined> {
  const { parseDocument: parseYaml } = await import('yaml');
  const text = lines.join('\n');
  const front = isData(path, lines) ? undefined : findFrontMatter(text);
  if (!front && !isData(path, lines)) return undefined;
  const document = parseYaml(front ? text.slice(front.start, front.end) : text);
  if (document.errors.length > 0) return undefined;
  const data: unknown = document.toJS() ?? {};
  return typeof data === 'object' && !Array.isArray(data) ? (data as Data) : undefined;
}

function changedKeys(before: Data, after: Data): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter(key => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** The one entry that all lines of a file are made of; `undefined` where they come from several. */
async function entryOf({ lines, originsOf }: Surroundings): Promise<Entry | undefined> {
  let found: Entry | undefined;
  for (const at of lines.keys()) {
    for (const { path, file, registry, operation } of await originsOf(at)) {
      if (file === undefined || registry !== undefined || operation === 'layout') continue;
      const [block, name] = parseNodePath(path) ?? [];
      if (typeof block !== 'string' || typeof name !== 'string') continue;
      if (found && (found.block !== block || found.name !== name)) return undefined;
      found ??= { block, name, file };
    }
  }
  return found;
}

/** Ways to leave the entry that a file is made of out of some tools. */
export async function leftOutOf(tools: readonly string[], around: Surroundings): Promise<Candidate[]> {
  const entry = await entryOf(around);
  const text = entry && around.sourceLines(entry.file)?.join('\n');
  if (text === undefined || text.includes('\r')) return [];
  const found: Candidate[] = [];
  for (const field of ['tools', 'targets']) {
    const changes = tools.map(tool => ({ path: [field, tool], value: false }));
    const next = await withFields(text, changes, entry!);
    if (next !== undefined) found.push(await changeTo(next, text, entry!.file));
  }
  return found;
}

/** The lines of a source that make it say something else. */
async function changeTo(next: string, text: string, file: string): Promise<Candidate> {
  const hunks = await hunksOf(text.split('\n'), next.split('\n'));
  return {
    edits: hunks.map(({ at, removed, added }) => ({ file, at, remove: removed.length, insert: added })),
  };
}

const withFields = (text: string, changes: readonly Change[], entry: Entry) =>
  isMarkdownPath(entry.file) ? withFrontMatter(text, changes) : withMembers(text, changes, entry);

/** A Markdown source with other front matter; comments and layout of what stays are kept. */
async function withFrontMatter(text: string, changes: readonly Change[]): Promise<string | undefined> {
  const { isMap, parseDocument: parseYaml } = await import('yaml');
  const front = findFrontMatter(text);
  const document: YamlDocument = parseYaml(front ? text.slice(front.start, front.end) : '');
  if (document.errors.length > 0 || (document.contents && !isMap(document.contents))) return undefined;
  for (const { path, value } of changes) {
    const above = path.slice(0, -1);
    const parent = above.length > 0 ? document.getIn(above.slice(0, 1)) : undefined;
    if (parent !== undefined && !isMap(parent)) return undefined;
    if (value === null && path.length === 1) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  const said = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  if (said.trim() === '{}') return undefined;
  return front ? text.slice(0, front.start) + said + text.slice(front.end) : `---\n${said}---\n\n${text}`;
}

/** A `.prs` source in which an entry has other fields; nothing but these is laid out anew. */
function withMembers(text: string, changes: readonly Change[], entry: Entry): string | undefined {
  let said: string | undefined = text;
  for (const change of changes) {
    if (said === undefined) return undefined;
    const object = findEntry(said, entry);
    said = object && withMember(said, object, change.path, change.value);
  }
  return said;
}

function findEntry(text: string, { block, name, file }: Entry): ObjectValue | undefined {
  for (const declaration of parseDocument({ name: file, text }, () => {}).declarations) {
    if (declaration.kind !== 'block' || canonicalBlock(declaration.name) !== canonicalBlock(block)) continue;
    for (const item of declaration.body.items)
      if (item.kind === 'field' && item.key === name && item.value?.kind === 'object') return item.value;
  }
  return undefined;
}

function withMember(
  text: string,
  object: ObjectValue,
  [key, ...rest]: readonly string[],
  value: unknown,
): string | undefined {
  const field: Field | undefined = object.fields.find(one => one.key === key);
  if (rest.length > 0 && field?.value)
    return field.value.kind === 'object' ? withMember(text, field.value, rest, value) : undefined;
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  if (field?.value) {
    const { start, end } = field.value.span;
    return text.slice(0, start) + literal(nested) + text.slice(end);
  }
  const member = `${keyOf(key!)}: ${literal(nested)}`;
  const last = object.fields.at(-1);
  const close = object.span.end - 1;
  const before = text.slice(text.lastIndexOf('\n', close) + 1, close);
  if (before.trim() !== '' || !last) {
    const head = text.slice(0, close).trimEnd();
    return `${head}${head.endsWith('{') || head.endsWith(',') ? '' : separatorOf(text, object)} ${member} ${text.slice(close)}`;
  }
  const start = last.keySpan.start;
  const indent = /^\s*/.exec(text.slice(text.lastIndexOf('\n', start) + 1))![0];
  return `${text.slice(0, close - before.length)}${indent}${member}\n${before}${text.slice(close)}`;
}

/** Whether the members of an object have commas between them. */
const separatorOf = (text: string, { fields }: ObjectValue): string => {
  const [one, other] = fields;
  return one && other && text.slice(one.span.end, other.span.start).includes(',') ? ',' : '';
};

const keyOf = (key: string): string => (/^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key));

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${literal(one)}`);
  return members.length > 0 ? `{ ${members.join(' ')} }` : '{}';
}
