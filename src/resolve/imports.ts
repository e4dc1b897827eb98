import { renaming } from '../diagnostics/fixes.ts';
import {
  agentNameClash,
  filterBoth,
  filterUnknown,
  filterValue,
  skillPlaceOutside,
} from '../generated/diagnostics.ts';
import type { Argument, Reference, UseDeclaration } from '../syntax/ast.ts';
import { leavesRoot, plainPath } from '../text/paths.ts';
import { didYouMean } from '../text/similar.ts';
import { canonicalBlock, fieldsReferring } from './catalogue.ts';
import {
  type BlockDraft,
  type Draft,
  fieldOf,
  type NodeDraft,
  newBlock,
  own,
  ownBlock,
  sameValue,
  setField,
} from './draft.ts';
import { placeSkills } from './origins.ts';
import { placeDocuments, restrictTo } from './restrict.ts';
import type { Scope } from './values.ts';
import { toText } from './values.ts';
import { writtenForm } from './written.ts';

/** Which of the names pass; absent when all do. */
type Filter = ((name: string) => boolean) | undefined;

/**
 * What a `@use` takes from a resolved file: the blocks and skills its arguments choose, agents under the alias, skills
 * with their place in the output. The file itself stays as it is when others use it too.
 */
export function takeImport(from: Draft, declaration: UseDeclaration, scope: Scope): Draft {
  const { reference, alias } = declaration;
  let draft = chosen(from, reference, scope);
  if (alias && draft.blocks.has('agents')) draft = qualifyAgents(opened(draft), alias.name);
  const into = skillFolderOf(declaration, scope);
  if (draft.blocks.has('skills')) {
    draft = opened(draft);
    placeSkills(draft, reference.path, into);
  }
  if (into !== undefined && draft.blocks.has('documents')) {
    draft = opened(draft);
    placeDocuments(draft, declaration, into, scope);
  }
  return declaration.targets ? restrictTo(opened(draft), declaration, declaration.targets, scope) : draft;
}

/** A copy of a draft with maps of its own. Its blocks keep their owners. */
function opened(draft: Draft): Draft {
  if (!draft.shared) return draft;
  return {
    owner: {},
    shared: false,
    blocks: new Map(draft.blocks),
    skills: new Map(draft.skills),
    found: new Set(draft.found),
    parameters: new Map(draft.parameters),
  };
}

function chosen(from: Draft, reference: Reference, scope: Scope): Draft {
  if (reference.arguments.length === 0) return from;
  const blocks = filterOf(
    reference,
    'only',
    'exclude',
    'block',
    new Set(from.blocks.keys()),
    scope,
    canonicalBlock,
  );
  const skillNames = new Set(from.blocks.get('skills')?.places.keys());
  const skills = filterOf(reference, 'includes', 'excludes', 'skill', skillNames, scope);
  if (!blocks && !skills) return from;
  const draft = opened(from);
  if (blocks) {
    for (const name of [...draft.blocks.keys()]) if (!blocks(name)) draft.blocks.delete(name);
    if (!blocks('params')) draft.parameters.clear();
    if (!blocks('skills')) draft.skills.clear();
  }
  const block = draft.blocks.get('skills');
  if (skills && block) {
    draft.blocks.set('skills', only(block, skills));
    for (const name of [...draft.skills.keys()]) if (!skills(name)) draft.skills.delete(name);
  }
  return draft;
}

/** The block with only the fields that pass a filter. */
function only(block: BlockDraft, keep: (name: string) => boolean): BlockDraft {
  const result = newBlock(block.name, block.owner);
  result.steps = block.steps;
  result.headers = block.headers;
  for (const entry of block.entries) {
    if (entry.kind === 'field' && keep(entry.key)) setField(result, entry.key, entry.node);
    else if (entry.kind !== 'field') result.entries.push(entry);
  }
  return result;
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
    const hint = `${didYouMean(name, known)}It has: ${[...known].slice(0, 20).join(', ') || 'none'}.`;
    scope.run.report(
      filterUnknown(
        { reference: reference.path, what, name },
        { span, hint, fixes: renaming(span, name, known) },
      ),
    );
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

/** The directory for skills below the target's own, from `into` or the configuration; reports one that leads out. */
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
  return plainPath(place);
}

/** Puts the alias in front of the names of agents, and of every reference to them in what came with them. */
function qualifyAgents(draft: Draft, alias: string): Draft {
  const agents = draft.blocks.get('agents')!;
  const renamed = new Map([...agents.places.keys()].map(name => [name, `${alias}.${name}`]));
  const block = newBlock('agents', agents.owner);
  block.steps = agents.steps;
  block.headers = agents.headers;
  for (const entry of agents.entries) {
    if (entry.kind === 'field') setField(block, renamed.get(entry.key)!, entry.node);
    else block.entries.push(entry);
  }
  draft.blocks.set('agents', block);
  for (const name of [...draft.blocks.keys()]) {
    const fields = fieldsReferring(name, 'agents');
    if (fields.length === 0) continue;
    const referring = ownBlock(draft, name)!;
    for (const entry of referring.entries) {
      if (entry.kind !== 'field' || entry.node.kind !== 'object') continue;
      for (const field of fields) {
        const value = entry.node.fields.get(field);
        const changed = value && renameIn(value, renamed, draft);
        if (!changed || changed === value) continue;
        const node = own(entry.node, draft.owner);
        node.fields.set(field, changed);
        setField(referring, entry.key, node);
      }
    }
  }
  return draft;
}

function renameIn(node: NodeDraft, renamed: ReadonlyMap<string, string>, draft: Draft): NodeDraft {
  if (node.kind !== 'scalar') return node;
  const name = renamed.get(String(node.value));
  return name === undefined ? node : { ...own(node, draft.owner), value: name };
}

/** Reports agents that two files declare differently under one name: merging them would make one of two. */
export function reportAgentClashes(draft: Draft, from: Draft, scope: Scope): void {
  const there = draft.blocks.get('agents');
  const coming = from.blocks.get('agents');
  if (!there || !coming) return;
  for (const entry of coming.entries) {
    const other = entry.kind === 'field' ? fieldOf(there, entry.key) : undefined;
    if (entry.kind !== 'field' || !other || sameValue(other, entry.node)) continue;
    // An entry that a source names replaces one that was found in its folder.
    if (draft.found.has(`agents.${entry.key}`)) continue;
    const [step, first] = [entry.node.steps[0]!, other.steps[0]!];
    if (step.span.source === first.span.source) continue;
    const related = [{ message: 'the other one', span: first.span }];
    scope.run.report(agentNameClash({ name: entry.key }, { span: step.span, related }));
  }
}
