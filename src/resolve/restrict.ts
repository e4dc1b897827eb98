import { cannotRestrict } from '../generated/diagnostics.ts';
import type { Identifier, UseDeclaration } from '../syntax/ast.ts';
import { entryFieldsOf, listsForSome, looseForSome } from './catalogue.ts';
import {
  type BlockDraft,
  type Draft,
  fieldIn,
  fieldsOf,
  itemsOf,
  list,
  object,
  scalar,
  setField,
  withField,
} from './draft.ts';
import type { Node, ObjectNode } from './program.ts';
import { type Scope, stepAt } from './values.ts';

/** Records for every document of a resolved file the main file that holds it. */
export function placeDocuments(
  draft: Draft,
  { into, span }: UseDeclaration,
  path: string,
  scope: Scope,
): void {
  const step = stepAt(scope, into?.span ?? span);
  changeEntries(draft.blocks.get('documents'), entry => {
    const known = entry.fields.get('into');
    const places = list([...itemsOf(known), scalar(path, true, [step])], [...(known?.steps ?? []), step]);
    return withField(entry, 'into', places);
  });
}

/** Blocks that no tool is given as text. */
const silentBlocks: ReadonlySet<string> = new Set(['meta', 'params']);

/**
 * `@use … for a, b`: restricts every entry that can have `targets` to these tools, or to those of them that it had
 * already. Reports the blocks that cannot be restricted.
 */
export function restrictTo(
  draft: Draft,
  { span }: UseDeclaration,
  targets: readonly Identifier[],
  scope: Scope,
): void {
  const unrestricted: string[] = [];
  const restrict = (entry: ObjectNode) => restrictEntry(entry, targets, scope);
  const restrictItem = (item: Node) =>
    restrict(item.kind === 'object' ? item : object([['subject', item]], item.steps));
  for (const [name, block] of draft.blocks) {
    if (silentBlocks.has(name)) continue;
    const lists = listsForSome(name);
    const hasLoose = looseForSome(name);
    if (lists.size === 0 && !hasLoose) {
      if (entryFieldsOf(name)?.some(field => field.name === 'targets')) changeEntries(block, restrict);
      else unrestricted.push(`@${name}`);
      continue;
    }
    if (hasLoose)
      block.entries = block.entries.map(entry =>
        entry.kind === 'item' ? { ...entry, node: restrictItem(entry.node) } : entry,
      );
    for (const [key, node] of fieldsOf(block))
      if (lists.has(key)) setField(block, key, list(itemsOf(node).map(restrictItem), node.steps));
  }
  if (unrestricted.length > 0)
    scope.run.report(cannotRestrict({ blocks: unrestricted.join(', ') }, { span: targets[0]!.span ?? span }));
}

/** Changes every entry of a block; a text alone becomes the content of an object. */
function changeEntries(block: BlockDraft | undefined, change: (entry: ObjectNode) => ObjectNode): void {
  for (const [key, node] of fieldsOf(block))
    setField(block!, key, change(node.kind === 'object' ? node : object([['content', node]], node.steps)));
}

function restrictEntry(entry: ObjectNode, targets: readonly Identifier[], scope: Scope): ObjectNode {
  const known = fieldIn(entry, 'targets');
  // In hooks, `targets` may hold overlays.
  if (known?.kind === 'object') return entry;
  const names = new Set(itemsOf(known).map(item => (item.kind === 'scalar' ? String(item.value) : '')));
  const wanted = targets.filter(({ name }) => names.size === 0 || names.has(name));
  const items = wanted.map(({ name, span }) => scalar(name, true, [stepAt(scope, span)]));
  const steps = [...(known?.steps ?? []), stepAt(scope, targets[0]!.span)];
  return withField(entry, 'targets', list(items, steps));
}
