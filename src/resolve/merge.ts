import { typeChanged } from '../generated/diagnostics.ts';
import { type Strategy, strategyOf } from './catalogue.ts';
import { noteAddition, noteKept, noteReplacement } from './changes.ts';
import {
  addEntry,
  type BlockDraft,
  type Draft,
  type EntryDraft,
  fieldOf,
  keyOf,
  type NodeDraft,
  type ObjectDraft,
  own,
  ownBlock,
  type ScalarDraft,
  sameValue,
  setField,
} from './draft.ts';
import { meetsLasting, mergeLasting } from './lasting.ts';
import { appendList } from './lists.ts';
import { type Merging, merging, stepOf } from './merging.ts';
import { mergeOrigins } from './origins.ts';
import { noteOverlays } from './overlays.ts';
import type { Operation, Step } from './program.ts';
import { type Run, spend } from './run.ts';
import { meet, replaceWhole } from './same-name.ts';
import { mayChange, mayReplaceWhole, sealEarlier } from './sealed.ts';

/** Merges a later value over an earlier one; the result is owned wherever it differs from `base`. */
function mergeNode(base: NodeDraft, incoming: NodeDraft, strategy: Strategy, m: Merging): NodeDraft {
  if (base === incoming) return base;
  if (meetsLasting(m)) return mergeLasting(base, incoming, m);
  if (m.forced?.has(incoming)) return replaceNode(base, incoming, 'replace', m);
  if (base.kind === 'list' && incoming.kind === 'list' && strategy !== 'replace') {
    return appendList(base, incoming, strategy === 'append', m);
  }
  if (base.kind === 'object' && incoming.kind === 'object' && strategy !== 'replace') {
    return mergeObject(base, incoming, strategy, m);
  }
  if (isText(base) && isText(incoming) && strategy === 'default') return joinTexts(base, incoming, m);
  const before = typeName(base);
  const after = typeName(incoming);
  if (before !== after && before !== 'null' && after !== 'null') {
    const related = [{ message: `it is ${before} here`, span: base.steps.at(-1)!.span }];
    m.run.report(
      typeChanged({ path: m.path.join('.'), before, after }, { span: incoming.steps[0]!.span, related }),
    );
  }
  return replaceNode(base, incoming, m.replacing, m);
}

const isText = (node: NodeDraft): node is ScalarDraft =>
  node.kind === 'scalar' && node.text && typeof node.value === 'string';

function typeName(node: NodeDraft): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'an object';
  if (node.value === null) return 'null';
  return { string: 'a text', number: 'a number', boolean: 'true or false' }[typeof node.value as 'string'];
}

/** The later value with the history of the earlier one before its own. */
function replaceNode(base: NodeDraft, incoming: NodeDraft, operation: Operation, m: Merging): NodeDraft {
  if (sameValue(base, incoming)) return base;
  const step = stepOf(incoming, operation);
  noteReplacement(m, base, incoming, step);
  const later = incoming.steps.slice(1);
  const node = own(incoming, m.owner);
  const steps = base.owner === m.owner ? base.steps : [...base.steps];
  steps.push(step, ...later);
  node.steps = steps;
  return node;
}

function joinTexts(base: ScalarDraft, incoming: ScalarDraft, m: Merging): NodeDraft {
  const known = base.fragments ?? new Set([String(base.value)]);
  const said = incoming.fragments ?? new Set([String(incoming.value)]);
  const fresh = [...said].filter(text => !known.has(text) && text !== '');
  if (m.bringing && [...known].some(text => !said.has(text) && text !== '')) {
    noteKept(m, base, incoming, 'append');
  }
  if (fresh.length === 0) return base;
  const step = stepOf(incoming, 'append');
  noteAddition(m, base, step);
  const node = own(base, m.owner);
  const fragments = node.fragments ?? new Set([String(node.value)]);
  const { literal, ...before } = node;
  const parts = node.parts ?? [{ ...before, ...(literal && { literal }) }];
  delete node.literal;
  for (const text of fresh) {
    if (!spend(m.run, text.length, step.span)) break;
    node.value = node.value === '' ? text : `${node.value}\n\n${text}`;
    fragments.add(text);
    parts.push(incoming.parts?.find(part => part.value === text) ?? incoming);
  }
  node.parts = parts;
  node.fragments = fragments;
  node.steps.push(step);
  return node;
}

/** Merges field by field; with `one-level` a later field replaces an earlier one whole. */
export function mergeObject(
  base: ObjectDraft,
  incoming: ObjectDraft,
  strategy: Strategy,
  m: Merging,
): ObjectDraft {
  const before = m.changes;
  const [block, ...below] = m.path;
  const isEntry = below.length === 1;
  let result = base;
  for (const [key, value] of incoming.fields) {
    m.path.push(key);
    const current = result.fields.get(key);
    const isOpen = !isEntry || noteOverlays(base, key, value, m);
    if (isOpen && (!isEntry || block !== 'skills' || mayChange(base, incoming, key, value, m))) {
      if (!current) {
        noteAddition(m, base, stepOf(value, 'merge'));
        result = own(result, m.owner);
        result.fields.set(key, value);
      } else {
        const inner = isEntry
          ? strategyOf(block!, key)
          : strategy === 'one-level'
            ? 'replace'
            : overlayStrategy(block!, below, key);
        const merged = mergeNode(current, value, inner, m);
        if (merged !== current) {
          result = own(result, m.owner);
          result.fields.set(key, merged);
        }
      }
    }
    m.path.pop();
  }
  if (m.bringing) noteKeptFields(base, incoming, m);
  if (m.changes !== before) {
    result = own(result, m.owner);
    result.steps.push(stepOf(incoming, 'merge'));
  }
  return result;
}

/** Changes for single targets hold fields of the entry, which meet there as they do in the entry. */
const overlayStrategy = (block: string, [, field, ...below]: readonly string[], key: string): Strategy =>
  (field === 'targets' || field === 'tools') && below.length === 1 ? strategyOf(block, key) : 'default';

/** Fields that were there before the file that is brought, and that it says nothing about. */
function noteKeptFields(base: ObjectDraft, incoming: ObjectDraft, m: Merging): void {
  for (const [key, value] of base.fields) {
    if (incoming.fields.has(key)) continue;
    m.path.push(key);
    noteKept(m, value, incoming, 'merge');
    m.path.pop();
  }
}

/** Merges a block into a draft. Texts and items that are there already are not repeated. */
export function mergeBlock(draft: Draft, incoming: BlockDraft, m: Merging): void {
  const there = draft.blocks.get(incoming.name);
  if (there === incoming) return;
  if (!there) {
    draft.blocks.set(incoming.name, incoming);
    return;
  }
  const block = ownBlock(draft, incoming.name)!;
  if (block.early) {
    delete block.early;
    draft.blocks.delete(block.name);
    draft.blocks.set(block.name, block);
  }
  m.path.push(incoming.name);
  const before = m.changes;
  const known = knownOf(block, incoming);
  if (known) noteLoose(block, incoming, known, m);
  for (const entry of incoming.entries) {
    if (entry.kind === 'field') mergeField(draft, block, entry.key, entry.node, m);
    else if (!known?.[entry.kind].has(looseKey(entry))) {
      addEntry(block, entry);
      m.changes++;
    }
  }
  if (known) rememberEntries(incoming, known);
  if (incoming.headers.size > 0) mergeHeaders(block, incoming, m);
  if (m.changes !== before) block.steps.push(stepOf(incoming, 'merge'), ...incoming.steps.slice(1));
  m.path.pop();
}

function mergeHeaders(block: BlockDraft, incoming: BlockDraft, m: Merging): void {
  m.path.push('@header');
  for (const [section, title] of incoming.headers) {
    const current = block.headers.get(section);
    const merged = current ? replaceNode(current, title, m.replacing, m) : title;
    if (merged !== current) m.changes++;
    block.headers.set(section, merged as ScalarDraft);
  }
  m.path.pop();
}

/** Loose texts and list items that one side adds to those of the other. */
function noteLoose(block: BlockDraft, incoming: BlockDraft, known: Known, m: Merging): void {
  const theirs = incoming.entries.find(isLoose)?.node;
  const mine = theirs && block.entries.find(isLoose)?.node;
  if (!mine) return;
  const isNew = (has: Known | undefined) => (entry: EntryDraft) =>
    entry.kind !== 'field' && !has?.[entry.kind].has(looseKey(entry));
  const fresh = incoming.entries.find(isNew(known));
  if (fresh) noteAddition(m, mine, stepOf(fresh.node, 'append'));
  if (!m.bringing) return;
  const said = knownOf(incoming, incoming);
  for (const { node } of block.entries.filter(isNew(said))) noteKept(m, node, theirs, 'append');
}

const isLoose = (entry: EntryDraft): boolean => entry.kind !== 'field';

function mergeField(draft: Draft, block: BlockDraft, key: string, node: NodeDraft, m: Merging): void {
  const current = fieldOf(block, key);
  if (!current) {
    setField(block, key, node);
    m.changes++;
    return;
  }
  m.path.push(key);
  const merged = mergeEntry(draft, current, node, m);
  if (merged !== current) setField(block, key, merged);
  m.path.pop();
}

/** Entries meet field by field, or one stands whole in the place of the other where its seal allows that. */
function mergeEntry(draft: Draft, current: NodeDraft, node: NodeDraft, m: Merging): NodeDraft {
  const [block, name] = m.path as [string, string];
  const isSkill = block === 'skills';
  const meeting = meet(draft, current, node, m);
  if (meetsLasting(m)) return mergeNode(current, node, 'default', m);
  const isWhole = meeting || m.forced?.has(node) || current.kind !== 'object' || node.kind !== 'object';
  if (isSkill && m.bringing && !meeting && current.kind !== 'object') {
    const sealed = sealEarlier(current, node, name, m);
    if (sealed === node) return node;
  }
  const refused = meeting === 'first' || (isSkill && isWhole && !mayReplaceWhole(current, node, name, m));
  if (isSkill && (refused || meeting)) {
    m.settled ??= new Map();
    m.settled.set(name, refused ? 'first' : 'later');
  }
  if (refused) return current;
  if (meeting) {
    draft.found.delete(`${block}.${name}`);
    return replaceWhole(current, node, m);
  }
  const sealed = isSkill && m.bringing ? sealEarlier(current, node, name, m) : current;
  return mergeNode(sealed, node, 'default', m);
}

const looseKey = ({ kind, node }: EntryDraft): string =>
  kind === 'text' ? String((node as ScalarDraft).value) : keyOf(node);

interface Known {
  readonly text: Set<string>;
  readonly item: Set<string>;
}

/** What the block says already, looked up only for the kinds of entries that come in; nothing where these are fields. */
function knownOf(block: BlockDraft, incoming: BlockDraft): Known | undefined {
  if (!incoming.entries.some(isLoose)) return undefined;
  if (incoming.entries.some(({ kind }) => kind === 'text')) {
    block.texts ??= new Set(
      block.entries.flatMap(entry => (entry.kind === 'text' ? [String(entry.node.value)] : [])),
    );
  }
  if (incoming.entries.some(({ kind }) => kind === 'item')) {
    block.items ??= new Set(
      block.entries.flatMap(entry => (entry.kind === 'item' ? [keyOf(entry.node)] : [])),
    );
  }
  return { text: block.texts ?? new Set(), item: block.items ?? new Set() };
}

/** Notes the entries after all were added, so that repetitions within one declaration stay. */
function rememberEntries(incoming: BlockDraft, known: Known): void {
  for (const entry of incoming.entries) {
    if (entry.kind !== 'field') known[entry.kind].add(looseKey(entry));
  }
}

/**
 * Merges a resolved file into a draft. `step` is the declaration that brought it, where there is one. What is not shared is taken over,
 * not copied.
 */
export function mergeDraft(draft: Draft, from: Draft, step: Step | undefined, run: Run): void {
  const taken = from.owner;
  if (draft.blocks.size === 0 && !from.shared) draft.owner = taken;
  const m = merging(run, draft.owner, 'replace', { from, bringing: step });
  for (const block of from.blocks.values()) {
    const owner = !from.shared && block.owner === taken ? draft.owner : block.owner;
    mergeBlock(draft, { ...block, owner, steps: step ? [...block.steps, step] : block.steps }, m);
  }
  mergeOrigins(draft, from, m.settled);
  for (const [name, parameter] of from.parameters) draft.parameters.set(name, parameter);
}
