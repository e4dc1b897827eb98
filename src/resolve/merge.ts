import { records } from '../generated/collections.ts';
import { entryReplaced, nameTwice, typeChanged, valueHidden } from '../generated/diagnostics.ts';
import { type Strategy, strategyOf } from './catalogue.ts';
import {
  type BlockDraft,
  type Draft,
  fieldIn,
  fieldOf,
  keyOf,
  sameValue,
  setField,
  withEntries,
} from './draft.ts';
import {
  type MergeContext,
  mergeContext,
  noteAddition,
  noteReplacement,
  type Precedence,
  recordKept,
  stepOf,
  withPath,
} from './merge-context.ts';
import { appendList, isAppendOnlyPath, mergeAppendOnly } from './merge-lists.ts';
import type {
  Entry,
  Node,
  ObjectNode,
  Operation,
  ProvenanceStep,
  Resource,
  ScalarNode,
  SkillOrigin,
} from './program.ts';
import { type Run, spendBudget } from './run.ts';
import { applySealToEarlier, canReplaceWhole, isChangeAllowed, noteOverlays } from './sealed.ts';

/** Merges a later value over an earlier one. Returns `base` itself when nothing changes. */
function mergeNode(base: Node, incoming: Node, strategy: Strategy, m: MergeContext): Node {
  if (base === incoming) return base;
  if (isAppendOnlyPath(m)) return mergeAppendOnly(base, incoming, m);
  if (m.forced?.has(incoming)) return replaceNode(base, incoming, 'replace', m);
  if (base.kind === 'list' && incoming.kind === 'list' && strategy !== 'replace')
    return appendList(base, incoming, strategy === 'append', m);
  if (base.kind === 'object' && incoming.kind === 'object' && strategy !== 'replace')
    return mergeObject(base, incoming, strategy, m);
  if (isText(base) && isText(incoming) && strategy === 'default') return joinTexts(base, incoming, m);
  const [before, after] = [typeName(base), typeName(incoming)];
  if (before !== after && before !== 'null' && after !== 'null') {
    const related = [{ message: `it is ${before} here`, span: base.steps.at(-1)!.span }];
    const holes = { path: m.path.join('.'), before, after };
    m.run.report(typeChanged(holes, { span: incoming.steps[0]!.span, related }));
  } else tellHidden(base, incoming, m);
  return replaceNode(base, incoming, m.replacing, m);
}

/** Reports a value that a later block of the same file replaces, once per entry. */
function tellHidden(base: Node, incoming: Node, { hiding, path, run }: MergeContext): void {
  const [first, later] = [base.steps[0]!, incoming.steps[0]!];
  const entry = path.slice(0, 2).join('.');
  if (!hiding || hiding.has(entry) || first.span.source !== later.span.source) return;
  if (sameValue(base, incoming)) return;
  hiding.add(entry);
  const related = [{ message: 'the value that is not used', span: base.steps.at(-1)!.span }];
  run.report(valueHidden({ path: path.join('.') }, { span: later.span, related }));
}

const isText = (node: Node): node is ScalarNode =>
  node.kind === 'scalar' && node.text && typeof node.value === 'string';

function typeName(node: Node): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'an object';
  if (node.value === null) return 'null';
  return { string: 'a text', number: 'a number', boolean: 'true or false' }[typeof node.value as 'string'];
}

/** The later value, with the provenance of the earlier one before its own. */
function replaceNode<T extends Node>(base: T, incoming: T, operation: Operation, m: MergeContext): T {
  if (sameValue(base, incoming)) return base;
  const step = stepOf(incoming, operation);
  noteReplacement(m, base, incoming, step);
  return { ...incoming, steps: [...base.steps, step, ...incoming.steps.slice(1)] };
}

export const textPartsOf = (node: ScalarNode): readonly ScalarNode[] => node.parts ?? [node];

/** Concatenates two texts; `literal` is the written form of a single text. */
export function concatenate(
  { literal: _, ...base }: ScalarNode,
  value: string,
  parts: readonly ScalarNode[],
  step: ProvenanceStep,
): ScalarNode {
  return { ...base, value, parts, steps: [...base.steps, step] };
}

function joinTexts(base: ScalarNode, incoming: ScalarNode, m: MergeContext): Node {
  const known = new Set(textPartsOf(base).map(({ value }) => value));
  const later = new Map(textPartsOf(incoming).map(part => [part.value, part]));
  if (m.importStep && [...known].some(text => !later.has(text) && text !== ''))
    recordKept(m, base, incoming, 'append');
  const fresh = [...later.values()].filter(({ value }) => !known.has(value) && value !== '');
  if (fresh.length === 0) return base;
  const step = stepOf(incoming, 'append');
  noteAddition(m, base, step);
  const parts = [...textPartsOf(base)];
  let text = String(base.value);
  for (const part of fresh) {
    const added = String(part.value);
    if (!spendBudget(m.run, added.length, step.span)) break;
    text = text === '' ? added : `${text}\n\n${added}`;
    parts.push(part);
  }
  return concatenate(base, text, parts, step);
}

/** Merges field by field; with `one-level` a later field completely replaces an earlier one. */
export function mergeObject(
  base: ObjectNode,
  incoming: ObjectNode,
  strategy: Strategy,
  m: MergeContext,
): ObjectNode {
  const before = m.changes;
  const [block, ...names] = m.path as [string, ...string[]];
  const isEntry = names.length === 1;
  const fields = new Map(base.fields);
  for (const [key, value] of incoming.fields) {
    withPath(m, [key], () => {
      if (isEntry && !noteOverlays(base, key, value, m)) return;
      if (isEntry && block === 'skills' && !isChangeAllowed(base, key, value, m)) return;
      const current = fields.get(key);
      if (!current) noteAddition(m, base, stepOf(value, 'merge'));
      const inner = isEntry
        ? strategyOf(block, key)
        : strategy === 'one-level'
          ? 'replace'
          : overlayStrategy(block, names, key);
      fields.set(key, current ? mergeNode(current, value, inner, m) : value);
    });
  }
  if (m.importStep)
    for (const [key, value] of base.fields)
      if (!incoming.fields.has(key)) withPath(m, [key], () => recordKept(m, value, incoming, 'merge'));
  if (m.changes === before) return base;
  return { ...base, fields, steps: [...base.steps, stepOf(incoming, 'merge')] };
}

/**
 * Overlays for single tools contain fields of the entry, which merge by the same strategy as in the entry.
 */
const overlayStrategy = (block: string, [, field, ...names]: readonly string[], key: string): Strategy =>
  (field === 'targets' || field === 'tools') && names.length === 1 ? strategyOf(block, key) : 'default';

/** Merges a block into a draft. Texts and items that the draft already contains are not repeated. */
export function mergeBlock(draft: Draft, incoming: BlockDraft, m: MergeContext): void {
  const block = draft.blocks.get(incoming.name);
  if (!block) {
    draft.blocks.set(incoming.name, withEntries(incoming));
    return;
  }
  if (block.early) {
    delete block.early;
    draft.blocks.delete(block.name);
    draft.blocks.set(block.name, block);
  }
  const before = m.changes;
  withPath(m, [incoming.name], () => {
    const fresh = newUnkeyed(block, incoming, m);
    for (const entry of incoming.entries)
      if (entry.kind === 'field') mergeField(draft, block, entry.key, entry.node, m);
      else if (fresh.has(entry)) block.entries.push(entry);
    if (incoming.headers.size > 0) withPath(m, ['@header'], () => mergeHeaders(block, incoming, m));
  });
  if (m.changes !== before) block.steps.push(stepOf(incoming, 'merge'), ...incoming.steps.slice(1));
}

function mergeHeaders(block: BlockDraft, incoming: BlockDraft, m: MergeContext): void {
  for (const [section, title] of incoming.headers) {
    const current = block.headers.get(section);
    const merged = current ? replaceNode(current, title, m.replacing, m) : title;
    if (merged !== current) m.changes++;
    block.headers.set(section, merged);
  }
}

const isUnkeyed = (entry: Entry): boolean => entry.kind !== 'field';
const unkeyedKey = ({ kind, node }: Entry): string => `${kind} ${keyOf(node)}`;
const unkeyedKeys = (entries: readonly Entry[]): string[] => entries.filter(isUnkeyed).map(unkeyedKey);

/**
 * The texts and items without a key that the block does not contain. Repetitions within one declaration are
 * kept.
 */
function newUnkeyed(block: BlockDraft, incoming: BlockDraft, m: MergeContext): ReadonlySet<Entry> {
  const theirs = incoming.entries.filter(isUnkeyed);
  if (theirs.length === 0) return new Set();
  block.unkeyed ??= new Set(unkeyedKeys(block.entries));
  const known = block.unkeyed;
  const fresh = theirs.filter(entry => !known.has(unkeyedKey(entry)));
  const mine = block.entries.find(isUnkeyed)?.node;
  if (mine && fresh[0]) noteAddition(m, mine, stepOf(fresh[0].node, 'append'));
  if (mine && m.importStep) {
    const incomingKeys = new Set(unkeyedKeys(theirs));
    for (const entry of block.entries)
      if (isUnkeyed(entry) && !incomingKeys.has(unkeyedKey(entry)))
        recordKept(m, entry.node, theirs[0]!.node, 'append');
  }
  m.changes += fresh.length;
  for (const entry of fresh) known.add(unkeyedKey(entry));
  return new Set(fresh);
}

function mergeField(draft: Draft, block: BlockDraft, key: string, node: Node, m: MergeContext): void {
  const current = fieldOf(block, key);
  if (!current) m.changes++;
  setField(block, key, current ? withPath(m, [key], () => mergeEntry(draft, current, node, m)) : node);
}

function mergeEntry(draft: Draft, current: Node, node: Node, m: MergeContext): Node {
  const [block, name] = m.path as [string, string];
  const isSkill = block === 'skills';
  const winner = winnerOf(draft, current, node, m);
  if (isAppendOnlyPath(m)) return mergeNode(current, node, 'default', m);
  const earlier = isSkill && m.importStep && !winner ? applySealToEarlier(current, node, name, m) : current;
  if (earlier === node) return node;
  const isWhole = winner || m.forced?.has(node) || current.kind !== 'object' || node.kind !== 'object';
  const isRefused = winner === 'first' || (isSkill && isWhole && !canReplaceWhole(current, node, name, m));
  if (isSkill && (isRefused || winner)) m.winners.set(name, isRefused ? 'first' : 'later');
  if (isRefused) return current;
  if (winner) {
    draft.found.delete(`${block}.${name}`);
    return replaceWhole(current, node, m);
  }
  return mergeNode(earlier, node, 'default', m);
}

/** Merges a resolved file (which is not changed) into a draft; `step` is the declaration that imports it. */
export function mergeDraft(draft: Draft, from: Draft, step: ProvenanceStep | undefined, run: Run): void {
  const m = mergeContext(run, { from, importStep: step });
  for (const block of from.blocks.values())
    mergeBlock(draft, step ? { ...block, steps: [...block.steps, step] } : block, m);
  mergeOrigins(draft, from, m.winners);
  for (const [name, parameter] of from.parameters) draft.parameters.set(name, parameter);
}

/**
 * Chooses between two complete entries with the same name, of which one was discovered in its folder or is a
 * Markdown skill. Merging them would combine the text of one with the license and files of the other. An
 * imported entry replaces a discovered one, and a later one an earlier one; two discovered ones are an error.
 * `undefined` means that the entries merge field by field.
 */
function winnerOf(draft: Draft, current: Node, node: Node, m: MergeContext): Precedence | undefined {
  const [block, name] = m.path as [string, string];
  const what = records.find(record => record.of !== 'fields' && record.block === block)?.word;
  if (!what || m.replacing === 'extend' || !isComplete(current) || !isComplete(node)) return undefined;
  const [first, later] = [current.steps[0]!, node.steps[0]!];
  if (first.span.source === later.span.source) return undefined;
  const wasFound = draft.found.has(`${block}.${name}`);
  // A file without an import was discovered; each such entry is a file.
  const isFound = m.from !== undefined && !m.importStep;
  const isMarkdown = (one: Draft | undefined) =>
    block === 'skills' && one?.skills.get(name)?.source !== undefined;
  if (!wasFound && !isFound && !(m.from && (isMarkdown(draft) || isMarkdown(m.from)))) return undefined;
  const holes = { what, name, first: first.span.source.name, later: later.span.source.name };
  const related = [{ message: 'the other one', span: first.span }];
  const where = { span: later.span, related, rule: 'duplicate-name' };
  m.run.report(isFound ? nameTwice(holes, where) : entryReplaced(holes, where));
  return isFound ? 'first' : 'later';
}

function replaceWhole(current: Node, node: Node, m: MergeContext): Node {
  noteReplacement(m, current, node, stepOf(node, m.replacing));
  return { ...node, steps: [...current.steps, ...node.steps] };
}

/** An entry without content, command or URL only changes another one. */
const isComplete = (node: Node): boolean =>
  node.kind === 'scalar'
    ? node.value !== null
    : ['content', 'command', 'url'].some(field => fieldIn(node, field) !== undefined);

/** The origin of a skill that is declared only in source files. */
export const noOrigin: SkillOrigin = { resources: [], extra: new Map() };

/** Removes the origins of skills that a later version replaced completely. */
export function dropReplacedOrigins(draft: Draft, winners: MergeContext['winners']): void {
  for (const [name, winner] of winners) if (winner === 'later') draft.skills.delete(name);
}

/**
 * Merges the origins of the skills of an imported file. The later file wins, unless `winners` says otherwise.
 */
function mergeOrigins(draft: Draft, from: Draft, winners: MergeContext['winners']): void {
  dropReplacedOrigins(draft, winners);
  for (const [name, origin] of from.skills) {
    if (winners.get(name) === 'first') continue;
    const current = draft.skills.get(name);
    draft.skills.set(name, current ? join(current, origin) : origin);
  }
}

function join(first: SkillOrigin, later: SkillOrigin): SkillOrigin {
  return {
    ...first,
    ...later,
    resources: joinResources(first.resources, later.resources),
    extra: new Map([...first.extra, ...later.extra]),
  };
}

/** The files of both skills; of two with the same path the later one. */
export const joinResources = (
  first: readonly Resource[],
  later: readonly Resource[],
): readonly Resource[] => [
  ...new Map([...first, ...later].map(resource => [resource.path, resource])).values(),
];
