import { cannotRestrict } from '../generated/diagnostics.ts';
import type { Identifier, UseDeclaration } from '../syntax/ast.ts';
import { findBlock, listsForSome, looseForSome } from './catalogue.ts';
import {
  type Draft,
  list,
  type NodeDraft,
  type ObjectDraft,
  object,
  own,
  ownBlock,
  scalar,
  setField,
} from './draft.ts';
import type { Step } from './program.ts';
import type { Scope } from './values.ts';

/** Says of every document of a resolved file in which main file it is kept. */
export function placeDocuments(
  draft: Draft,
  { into, span }: UseDeclaration,
  path: string,
  scope: Scope,
): void {
  const step: Step = { operation: 'use', span: into?.span ?? span, layer: scope.layer };
  eachEntry(draft, 'documents', entry => {
    const known = entry.fields.get('into');
    const place = scalar(path, true, [step], draft.owner);
    const items = known?.kind === 'list' ? known.items : known ? [known] : [];
    entry.fields.set('into', list([...items, place], [...(known?.steps ?? []), step], draft.owner));
  });
}

/**
 * `@use … for a, b`: all entries that can be for some tools are for those alone, or for those of them that they were
 * for already. What cannot be kept from a tool is reported.
 */
export function restrictTo(
  draft: Draft,
  { span }: UseDeclaration,
  targets: readonly Identifier[],
  scope: Scope,
): Draft {
  const reaching: string[] = [];
  for (const name of draft.blocks.keys()) {
    if (quiet.has(name)) continue;
    const lists = listsForSome(name);
    if (lists.size > 0 || looseForSome(name)) narrowItems(draft, name, lists, targets, scope);
    else if (!mayBeFor(name)) reaching.push(`@${name}`);
    else eachEntry(draft, name, entry => narrow(entry, targets, draft, scope));
  }
  if (reaching.length > 0)
    scope.run.report(cannotRestrict({ blocks: reaching.join(', ') }, { span: targets[0]!.span ?? span }));
  return draft;
}

/** Blocks that are text of no tool by themselves. */
const quiet: ReadonlySet<string> = new Set(['meta', 'params']);

const mayBeFor = (block: string): boolean =>
  findBlock(block)?.entry?.fields?.some(({ name }) => name === 'targets') ?? false;

/** Hands every entry of a block over as an object that may be changed; a text alone becomes its content. */
function eachEntry(draft: Draft, name: string, change: (entry: ObjectDraft) => void): void {
  const block = ownBlock(draft, name);
  if (!block) return;
  for (const { kind, ...entry } of [...block.entries]) {
    if (kind !== 'field' || !('key' in entry)) continue;
    const node: NodeDraft = own(entry.node, draft.owner);
    const opened: ObjectDraft =
      node.kind === 'object' ? node : object(new Map([['content', node]]), node.steps, draft.owner);
    change(opened);
    setField(block, entry.key, opened);
  }
}

/** Every item of the lists, or every loose one, as an object that says for whom it is. */
function narrowItems(
  draft: Draft,
  name: string,
  lists: ReadonlySet<string>,
  targets: readonly Identifier[],
  scope: Scope,
): void {
  const block = ownBlock(draft, name);
  if (!block) return;
  const opened = (item: NodeDraft): ObjectDraft => {
    const entry: ObjectDraft =
      item.kind === 'object'
        ? { ...own(item, draft.owner), fields: new Map(item.fields) }
        : object(new Map([['subject', item]]), item.steps, draft.owner);
    narrow(entry, targets, draft, scope);
    return entry;
  };
  if (looseForSome(name))
    block.entries = block.entries.map(entry =>
      entry.kind === 'item' ? { ...entry, node: opened(entry.node) } : entry,
    );
  for (const { kind, ...entry } of [...block.entries]) {
    if (kind !== 'field' || !('key' in entry) || !lists.has(entry.key)) continue;
    const { node } = entry;
    const items = (node.kind === 'list' ? node.items : [node]).map(opened);
    setField(block, entry.key, list(items, node.steps, draft.owner));
  }
}

function narrow(entry: ObjectDraft, targets: readonly Identifier[], draft: Draft, scope: Scope): void {
  const known = entry.fields.get('targets');
  // Of hooks, `targets` may hold changes for single tools.
  if (known?.kind === 'object') return;
  const before = known?.kind === 'list' ? known.items : known ? [known] : [];
  const names = new Set(before.map(item => (item.kind === 'scalar' ? String(item.value) : '')));
  const wanted = targets.filter(({ name }) => names.size === 0 || names.has(name));
  const items = wanted.map(({ name, span }) =>
    scalar(name, true, [{ operation: 'use', span, layer: scope.layer }], draft.owner),
  );
  const step: Step = { operation: 'use', span: targets[0]!.span, layer: scope.layer };
  entry.fields.set('targets', list(items, [...(known?.steps ?? []), step], draft.owner));
}
