import {
  agentNameClash,
  cannotRestrict,
  filterBoth,
  filterUnknown,
  filterValue,
  skillPlaceOutside,
} from '../generated/diagnostics.ts';
import type { Argument, Identifier, Reference, UseDeclaration } from '../syntax/ast.ts';
import { unknownNameAt } from '../text/diagnostics/fixes.ts';
import { leavesRoot, normalizePath } from '../text/paths.ts';
import {
  canonicalBlock,
  entryFieldsOf,
  fieldsReferring,
  itemsHaveTargets,
  listsWithTargets,
} from './catalogue.ts';
import {
  type BlockDraft,
  copyDraft,
  type Draft,
  fieldIn,
  fieldOf,
  fieldsOf,
  itemsOf,
  list,
  object,
  sameValue,
  scalar,
  setField,
  withEntries,
  withField,
} from './draft.ts';
import { noOrigin } from './merge.ts';
import type { Node, ObjectNode } from './program.ts';
import { type Scope, stepAt, toText } from './values.ts';
import { writtenForm } from './written-at.ts';

/** Selects entries by name; absent means all. */
type Filter = ((name: string) => boolean) | undefined;

/**
 * The content that a `@use` imports from a resolved file, by its arguments, alias and `into`. The resolved
 * file is not changed.
 */
export function takeImport(from: Draft, declaration: UseDeclaration, scope: Scope): Draft {
  const { reference, alias, targets } = declaration;
  const draft = copyDraft(from);
  if (reference.arguments.length > 0) select(draft, reference, scope);
  if (alias && draft.blocks.has('agents')) qualifyAgents(draft, alias.name);
  const into = skillFolderOf(declaration, scope);
  if (into !== undefined) {
    for (const name of draft.blocks.get('skills')?.places.keys() ?? [])
      draft.skills.set(name, { ...(draft.skills.get(name) ?? noOrigin), into });
    placeDocuments(draft, declaration, into, scope);
  }
  if (targets) restrictTo(draft, declaration, targets, scope);
  return draft;
}

function select(draft: Draft, reference: Reference, scope: Scope): void {
  const blockNames = new Set(draft.blocks.keys());
  const skillNames = new Set(draft.blocks.get('skills')?.places.keys());
  const blocks = filterOf(reference, 'only', 'exclude', 'block', blockNames, scope, canonicalBlock);
  const skills = filterOf(reference, 'includes', 'excludes', 'skill', skillNames, scope);
  if (blocks) {
    for (const name of blockNames) if (!blocks(name)) draft.blocks.delete(name);
    if (!blocks('params')) draft.parameters.clear();
    if (!blocks('skills')) draft.skills.clear();
  }
  const block = draft.blocks.get('skills');
  if (skills && block) {
    const entries = block.entries.filter(entry => entry.kind !== 'field' || skills(entry.key));
    draft.blocks.set('skills', withEntries(block, entries));
    for (const name of [...draft.skills.keys()]) if (!skills(name)) draft.skills.delete(name);
  }
}

function filterOf(
  reference: Reference,
  keep: string,
  drop: string,
  what: string,
  known: ReadonlySet<string>,
  scope: Scope,
  canonical: (name: string) => string = name => name,
): Filter {
  const find = (name: string) => reference.arguments.find(argument => argument.name.name === name);
  const kept = find(keep);
  const dropped = find(drop);
  if (kept && dropped) {
    const related = [{ message: 'and here', span: kept.span }];
    scope.run.report(filterBoth({ keep, drop }, { span: dropped.span, related }));
  }
  const argument = kept ?? dropped;
  if (!argument) return undefined;
  const names = namesIn(argument, scope);
  if (!names) return undefined;
  const wanted = new Set<string>();
  for (const { name, span } of names) {
    wanted.add(canonical(name));
    if (known.has(canonical(name)) || (what === 'block' && canonical(name) === 'params')) continue;
    const advice = `It has: ${[...known].slice(0, 20).join(', ') || 'none'}.`;
    const where = unknownNameAt(span, name, known, advice);
    scope.run.report(filterUnknown({ reference: reference.path, what, name }, where));
  }
  return kept ? name => wanted.has(name) : name => !wanted.has(name);
}

function namesIn({ name, value }: Argument, scope: Scope) {
  const values = value.kind === 'array' ? value.items : [value];
  const names = values.flatMap(item =>
    item.kind === 'string' ? [{ name: item.value, span: item.span }] : [],
  );
  if (names.length === values.length) return names;
  scope.run.report(filterValue({ name: name.name }, { span: value.span }));
  return undefined;
}

function skillFolderOf({ into, reference }: UseDeclaration, scope: Scope): string | undefined {
  const { skillTargets } = scope.run;
  const names = [writtenForm(reference), reference.path];
  const key = names.find(name => Object.hasOwn(skillTargets, name));
  const place = into ? String(toText(into, scope).value) : key === undefined ? undefined : skillTargets[key];
  if (place === undefined) return undefined;
  if (place === '' || leavesRoot(place)) {
    scope.run.report(skillPlaceOutside({ path: place }, { span: into?.span ?? reference.span }));
    return undefined;
  }
  return normalizePath(place);
}

/** Prefixes the names of agents with the alias, and updates all references to them in the imported file. */
function qualifyAgents(draft: Draft, alias: string): void {
  const agents = draft.blocks.get('agents')!;
  const names = new Set<unknown>(agents.places.keys());
  const qualified = (name: unknown): string => `${alias}.${name}`;
  const entries = agents.entries.map(entry =>
    entry.kind === 'field' ? { ...entry, key: qualified(entry.key) } : entry,
  );
  draft.blocks.set('agents', withEntries(agents, entries));
  for (const block of draft.blocks.values()) {
    for (const field of fieldsReferring(block.name, 'agents')) {
      for (const [key, node] of fieldsOf(block)) {
        const value = node.kind === 'object' ? node.fields.get(field) : undefined;
        if (node.kind !== 'object' || value?.kind !== 'scalar' || !names.has(value.value)) continue;
        setField(block, key, withField(node, field, { ...value, value: qualified(value.value) }));
      }
    }
  }
}

/**
 * Reports agents with the same name and different declarations in two files, which a merge would combine into
 * one.
 */
export function reportAgentClashes(draft: Draft, from: Draft, scope: Scope): void {
  const agents = draft.blocks.get('agents');
  for (const [name, node] of fieldsOf(from.blocks.get('agents'))) {
    const other = fieldOf(agents, name);
    if (!other || sameValue(other, node)) continue;
    // An entry in a source file replaces a discovered one.
    if (draft.found.has(`agents.${name}`)) continue;
    const [step, first] = [node.steps[0]!, other.steps[0]!];
    if (step.span.source === first.span.source) continue;
    const related = [{ message: 'the other one', span: first.span }];
    scope.run.report(agentNameClash({ name }, { span: step.span, related }));
  }
}

function placeDocuments(draft: Draft, { into, span }: UseDeclaration, path: string, scope: Scope): void {
  const step = stepAt(scope, into?.span ?? span);
  changeEntries(draft.blocks.get('documents'), entry => {
    const known = entry.fields.get('into');
    const places = list([...itemsOf(known), scalar(path, true, [step])], [...(known?.steps ?? []), step]);
    return withField(entry, 'into', places);
  });
}

/** Blocks that do not appear as text in any output. */
const silentBlocks: ReadonlySet<string> = new Set(['meta', 'params']);

/** `@use … for a, b`: restricts every entry that can have `targets` to these tools. Reports other blocks. */
function restrictTo(
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
    const lists = listsWithTargets(name);
    const hasItems = itemsHaveTargets(name);
    if (lists.size === 0 && !hasItems) {
      if (entryFieldsOf(name)?.some(field => field.name === 'targets')) changeEntries(block, restrict);
      else unrestricted.push(`@${name}`);
      continue;
    }
    if (hasItems)
      block.entries = block.entries.map(entry =>
        entry.kind === 'item' ? { ...entry, node: restrictItem(entry.node) } : entry,
      );
    for (const [key, node] of fieldsOf(block))
      if (lists.has(key)) setField(block, key, list(itemsOf(node).map(restrictItem), node.steps));
  }
  if (unrestricted.length > 0)
    scope.run.report(cannotRestrict({ blocks: unrestricted.join(', ') }, { span: targets[0]!.span ?? span }));
}

function changeEntries(block: BlockDraft | undefined, change: (entry: ObjectNode) => ObjectNode): void {
  for (const [key, node] of fieldsOf(block))
    setField(block!, key, change(node.kind === 'object' ? node : object([['content', node]], node.steps)));
}

function restrictEntry(entry: ObjectNode, targets: readonly Identifier[], scope: Scope): ObjectNode {
  const known = fieldIn(entry, 'targets');
  // In hooks, an object in `targets` contains overlays.
  if (known?.kind === 'object') return entry;
  const names = new Set(itemsOf(known).map(item => (item.kind === 'scalar' ? String(item.value) : '')));
  const wanted = targets.filter(({ name }) => names.size === 0 || names.has(name));
  const items = wanted.map(({ name, span }) => scalar(name, true, [stepAt(scope, span)]));
  const steps = [...(known?.steps ?? []), stepAt(scope, targets[0]!.span)];
  return withField(entry, 'targets', list(items, steps));
}
