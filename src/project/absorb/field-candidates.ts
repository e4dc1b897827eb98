import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import { type Document, isMap, isSeq, parseDocument, stringify } from 'yaml';
import type { Data } from '../../model/model.ts';
import { isOwnField } from '../../model/take-items.ts';
import { isPortable, portableName, sourceName } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import { isObject } from '../../text/data.ts';
import { type FrontMatterLines, findFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import {
  type Change,
  changesOf,
  type Entry,
  type EntryEdit,
  type Fields,
  type FieldsOfEdit,
  isRead,
  type Key,
  ownedChanges,
  readLoosely,
  wholeFields,
} from './fields.ts';
import { changeEntry, isShorthand, removeEntry } from './prs-source.ts';
import type { Candidate, EditContext } from './workspace.ts';

/**
 * The candidates for an edit in the fields of a file: as fields of the entry for all tools, otherwise under `targets`
 * for the tools of the file.
 */
export function fieldCandidates(
  edit: FieldsOfEdit,
  tools: readonly string[],
  around: EditContext,
): Candidate[] {
  const { output } = around;
  // Front matter that is invalid YAML is read in the way tools read it.
  const isInvalid = edit.before !== undefined && !isRead(edit.before);
  const before = isInvalid ? readLoosely(edit.lines) : edit.before;
  const after = isInvalid ? readLoosely(edit.edited) : edit.after;
  if (!isRead(before) || !isRead(after)) return [];
  const { at, removed } = edit.hunk;
  if (at < before.from || at + removed.length > before.end)
    return changedText(edit.edited.slice(after.end + 1), tools, around);
  const changes = changesOf(before.data, after.data);
  const keys = output?.kind === 'shared' ? output.edits : output?.keys;
  if (changes.length === 0) return [];
  if (!keys) return changedRows(changes, before, after, tools, around);
  return candidatesOf(ownedChanges(changes, keys, before.data, after.data) ?? [], tools, around);
}

/** If an entry is written as a plain text, from which further fields are derived, it gets a `content` field. */
function changedText(body: readonly string[], tools: readonly string[], around: EditContext): Candidate[] {
  const entry = entryOf(around);
  const text = entry && around.sourceOf(entry.file)?.text;
  const value = body.join('\n').trim();
  if (text === undefined || value === '' || !isShorthand(text, entry!)) return [];
  return textOfEntry(entry!, value, tools, around);
}

const textOfEntry = (entry: Entry, value: Data, tools: readonly string[], around: EditContext) => {
  const changes = [{ path: ['content'], value }];
  return candidatesOf([{ entry, changes, toolChanges: changes }], tools, around);
};

/** Fields of the file of an item are fields of its entry. */
function changedRows(
  changes: readonly Change[],
  before: Fields,
  { data }: Fields,
  tools: readonly string[],
  around: EditContext,
): Candidate[] {
  // Texts of other entries may be below the fields.
  const entry = entryOf(around) ?? entryOf(around, before);
  if (!entry || !isObject(data)) return [];
  const { block } = entry;
  const isField = ({ path }: Change) => isPortable(block, portableName(block, String(path[0])));
  const renamed = changes.map(change => ({
    ...change,
    path: [sourceName(block, String(change.path[0])), ...change.path.slice(1)],
  }));
  const edit = {
    entry,
    changes: changes.every(isField) ? renamed : [],
    toolChanges: wholeFields(changes, data),
  };
  const [{ path, value }] = changes as [Change];
  // In a file that consists of fields, one of them is the text of the entry.
  const isText = before.from === 0 && path.length === 1 && changes.length === 1 && typeof value === 'string';
  return [
    ...candidatesOf([edit], tools, around),
    ...(isText ? textOfEntry(entry, value, tools, around) : []),
  ];
}

/** The candidates for edits of entries: for all tools, otherwise for some. */
function candidatesOf(
  edits: readonly EntryEdit[],
  tools: readonly string[],
  around: EditContext,
): Candidate[] {
  const forTools = (field: string, changes: readonly Change[]): Change[] =>
    changes.flatMap(change => tools.map(tool => ({ ...change, path: [field, tool, ...change.path] })));
  const forms: ((edit: EntryEdit) => readonly Change[])[] = [
    ({ changes }) => changes,
    ({ toolChanges }) => forTools('tools', toolChanges),
    // An agent has a list with this name, too: what it may use.
    ({ toolChanges }) => forTools('targets', toolChanges),
  ];
  return forms.flatMap(changesFor => {
    const texts = new Map<string, string>();
    for (const edit of edits) {
      const { file } = edit.entry;
      const text = texts.get(file) ?? around.sourceOf(file)?.text;
      const changes = changesFor(edit);
      const next =
        text === undefined || changes.length === 0 ? undefined : changeSource(text, changes, edit.entry);
      if (next === undefined) return [];
      texts.set(file, next);
    }
    return texts.size > 0 ? [texts] : [];
  });
}

/**
 * A source with changed fields of an entry; the remaining text keeps its layout. `undefined` when they cannot be
 * written.
 */
function changeSource(text: string, changes: readonly Change[], entry: Entry): string | undefined {
  if (isMarkdownPath(entry.file)) return changeFrontMatter(text, changes);
  if (entry.file.endsWith('.json')) return changeServer(text, changes, entry.name);
  return entry.file.endsWith('.prs') ? changeEntry(text, changes, entry) : undefined;
}

/** Changes a server in `.instr/mcp.json`. */
function changeServer(text: string, changes: readonly Change[], name: string): string | undefined {
  const tree = parseTree(text);
  if (!tree || !findNodeAtLocation(tree, ['mcpServers', name])) return undefined;
  return changes.reduce(
    (next, change) => changeServers(next, { ...change, path: [name, ...change.path] }),
    text,
  );
}

/** A list of servers with a changed value; the layout of others is kept. */
export function changeServers(text: string, { path, value, isNew = false }: Change): string {
  const options = { formattingOptions: { insertSpaces: true, tabSize: 2 }, isArrayInsertion: isNew };
  return applyEdits(text, modify(text, ['mcpServers', ...path], value, options));
}

/**
 * The only named entry from which lines of a file come; `undefined` when there are several, or the block itself
 * contains the item.
 */
function entryOf(
  { lines, originsOf }: EditContext,
  { from, end }: Pick<Fields, 'from' | 'end'> = { from: 0, end: lines.length },
): Entry | undefined {
  let found: Entry | undefined;
  for (let at = from; at < end; at++) {
    for (const { path, file, line, registry, operation } of originsOf(at)) {
      if (file === undefined || registry !== undefined || operation === 'layout') continue;
      const [block, name, ...rest] = parseNodePath(path) ?? [];
      if (typeof block !== 'string' || typeof name !== 'string') continue;
      const isDirect = isOwnField(block, name) && typeof rest[0] !== 'string';
      if (isDirect || (found && (found.block !== block || found.name !== name))) return undefined;
      found ??= { block, name, file, line: line! - 1 };
    }
  }
  return found;
}

/** The candidate that removes the entry of a file. */
export function withoutEntry(around: EditContext): Candidate[] {
  const entry = entryOf(around);
  const text = entry?.file.endsWith('.prs') ? around.sourceOf(entry.file)?.text : undefined;
  const next = text === undefined ? undefined : removeEntry(text, entry!);
  return next === undefined ? [] : [new Map([[entry!.file, next]])];
}

/** The candidates that leave the entry of a file out of some tools. */
export function excludedFrom(tools: readonly string[], around: EditContext): Candidate[] {
  const entry = entryOf(around);
  return entry
    ? candidatesOf([{ entry, changes: [], toolChanges: [{ path: [], value: false }] }], tools, around)
    : [];
}

/**
 * A Markdown source with changed front matter. Whole fields are changed by their lines, which keeps those of other
 * fields; for other changes the library rewrites the front matter, with its comments.
 */
export function changeFrontMatter(text: string, changes: readonly Change[]): string | undefined {
  const front = findFrontMatter(text);
  const byLines = front && changeFrontLines(text, front, changes);
  if (byLines !== undefined) return byLines;
  const document: Document = parseDocument(front ? text.slice(front.start, front.end) : '');
  if (document.errors.length > 0 || !changes.every(change => changeDocument(document, change)))
    return undefined;
  const printed = printYaml(document);
  if (printed === undefined || printed.trim() === '{}') return undefined;
  return front
    ? text.slice(0, front.start) + printed + text.slice(front.end)
    : `---\n${printed}---\n\n${text}`;
}

/** `undefined` for YAML such as `globs: *.ts`, an alias without an anchor, which tools read as text. */
function printYaml(document: Document): string | undefined {
  try {
    return document.toString({ lineWidth: 0, flowCollectionPadding: true });
  } catch {
    return undefined;
  }
}

/** Changes a value; returns whether that is possible. */
function changeDocument(document: Document, { path, value, isNew }: Change): boolean {
  const parents = path.map((_, at) => (at === 0 ? document.contents : document.getIn(path.slice(0, at))));
  const holds = (parent: unknown, key: Key) =>
    parent == null || isMap(parent) || (isSeq(parent) && typeof key === 'number');
  if (!path.every((key, at) => holds(parents[at], key))) return false;
  const parent = parents.at(-1);
  if (value === undefined) return parent != null && document.deleteIn(path);
  if (isNew && isSeq(parent)) parent.items.splice(Number(path.at(-1)), 0, document.createNode(value));
  else document.setIn(path, document.createNode(value));
  return true;
}

/** Changes whole fields by their lines, which need not be valid YAML. */
function changeFrontLines(
  text: string,
  { start, end }: FrontMatterLines,
  changes: readonly Change[],
): string | undefined {
  const lines = text.slice(start, end).trimEnd().split('\n');
  if (/^\s*\{/.test(lines[0]!)) return undefined;
  const print = (data: unknown) => stringify(data, { lineWidth: 0 }).trimEnd().split('\n');
  for (const { path, value } of changes) {
    const [key, ...rest] = path;
    const isKey = (line: string) => line.replace(/^(["'])(.*?)\1\s*:/, '$2:').startsWith(`${key}:`);
    const at = lines.findIndex(isKey);
    if (at === -1) {
      if (value === undefined) return undefined;
      lines.push(...print(path.reduceRight<unknown>((part, name) => ({ [name]: part }), value)));
      continue;
    }
    if (rest.length > 0 || typeof value === 'object') return undefined;
    let next = at + 1;
    while (/^(?:\s|-\s)/.test(lines[next] ?? '')) next++;
    lines.splice(at, next - at, ...(value === undefined ? [] : print({ [key!]: value })));
  }
  return lines.length > 0 ? `${text.slice(0, start)}${lines.join('\n')}\n${text.slice(end)}` : undefined;
}
