import { renaming } from '../diagnostics/fixes.ts';
import { aliasWithoutBlock, extendMissing, overrideMissing } from '../generated/diagnostics.ts';
import type { ExtendDeclaration, OverrideDeclaration, Path } from '../syntax/ast.ts';
import { didYouMean } from '../text/similar.ts';
import { type InlineUse, overrideBlock, overrideNode, sayBlock, sayNode } from './blocks.ts';
import { canonicalBlock } from './catalogue.ts';
import { extendDocument, overrideDocument } from './change-document.ts';
import { noteBlockReplacement, noteReplacement } from './changes.ts';
import {
  type BlockDraft,
  type Draft,
  fieldOf,
  type NodeDraft,
  newBlock,
  object,
  own,
  ownBlock,
  setField,
} from './draft.ts';
import { keepLasting, keepLastingFields, meetsLasting } from './lasting.ts';
import { lookUp } from './lookup.ts';
import { mergeBlock } from './merge.ts';
import { type Merging, merging, stepOf } from './merging.ts';
import type { Step } from './program.ts';
import { mayReplace, mayReplaceWhole, maySeal } from './sealed.ts';
import type { Scope } from './values.ts';

/** Aliases of one file, with whether its agents carry the alias in their names. */
export type Aliases = ReadonlyMap<string, Path['span']>;

/**
 * The names of a path from the block on. `a.standards` is `standards` for an alias `a`, and `a.agents.x` is the agent
 * `a.x`; a block of the alias's name is meant where no block follows it.
 */
function namesOf(path: Path, draft: Draft, aliases: Aliases, scope: Scope): string[] | undefined {
  const [first, second, ...rest] = path.segments.map(segment => segment.name) as [string, ...string[]];
  if (!aliases.has(first)) return [canonicalBlock(first), ...(second === undefined ? [] : [second]), ...rest];
  const block = second === undefined ? undefined : canonicalBlock(second);
  const named = canonicalBlock(first);
  const isBlock = draft.blocks.has(named);
  if (block === undefined || (isBlock && !draft.blocks.has(block))) {
    if (isBlock) return [named, ...(second === undefined ? [] : [second]), ...rest];
    scope.run.report(aliasWithoutBlock({ alias: first }, { span: path.span }));
    return undefined;
  }
  const [entry, ...deeper] = rest;
  if (block === 'agents' && entry !== undefined && lookUp(draft, ['agents', `${first}.${entry}`]).found) {
    return ['agents', `${first}.${entry}`, ...deeper];
  }
  return [block, ...rest];
}

/** Applies `@extend`: merges into what the path names. Reports a path that does not exist yet, and makes it. */
export function applyExtend(
  declaration: ExtendDeclaration,
  draft: Draft,
  aliases: Aliases,
  scope: Scope,
): readonly InlineUse[] {
  const { path, body } = declaration;
  const names = namesOf(path, draft, aliases, scope);
  if (!names || extendDocument(declaration, names, draft, scope)) return [];
  const found = lookUp(draft, names);
  if (found.found && body.items.length === 0) return [];
  if (!found.found) {
    const where = found.below === '' ? 'the program' : `\`${found.below}\``;
    const holes = { path: names.join('.'), missing: found.missing, where };
    const hint = `${didYouMean(found.missing, found.siblings)}It is created now. Correct the path, or declare it as a block of its own.`;
    scope.run.report(
      extendMissing(holes, {
        span: path.span,
        hint,
        fixes: renaming(path.span, found.missing, found.siblings),
      }),
    );
  }
  const at = path.span;
  const said = names.length === 1 ? sayBlock(names[0]!, body, at, scope) : wrapped(names, declaration, scope);
  mergeBlock(draft, said.block, merging(scope.run, draft.owner, 'extend', { forced: said.forced }));
  return said.uses;
}

/** A value deep in a block as a block that holds nothing else. */
function wrapped(names: readonly string[], { path, body }: ExtendDeclaration, scope: Scope) {
  const { node, forced, uses } = sayNode(body, names, path.span, scope);
  const step: Step = { operation: scope.operation, span: path.span, layer: scope.layer };
  let inner: NodeDraft = node;
  for (const name of names.slice(2).reverse()) inner = object(new Map([[name, inner]]), [step], scope.owner);
  const block = newBlock(names[0]!, scope.owner);
  block.steps.push(step);
  setField(block, names[1]!, inner);
  return { block, forced, uses };
}

/** Applies `@override`: the whole path must exist, and nothing in it may be sealed. */
export function applyOverride(
  declaration: OverrideDeclaration,
  draft: Draft,
  aliases: Aliases,
  scope: Scope,
): void {
  const { path } = declaration;
  const names = namesOf(path, draft, aliases, scope);
  if (!names || overrideDocument(declaration, names, draft, scope)) return;
  const found = lookUp(draft, names);
  if (!found.found) {
    const where = found.below === '' ? 'the program so far' : `\`${found.below}\``;
    const hint = `${didYouMean(found.missing, found.siblings)}Correct the path, or use \`@extend\` to add something new.`;
    scope.run.report(
      overrideMissing(
        { path: names.join('.'), missing: found.missing, where },
        { span: path.span, hint, fixes: renaming(path.span, found.missing, found.siblings) },
      ),
    );
    return;
  }
  const m = merging(scope.run, draft.owner);
  const block = ownBlock(draft, names[0]!)!;
  m.path.push(...names);
  if (names.length === 1) {
    const fresh = overrideBlock(names[0]!, declaration, scope);
    if (!sealsAllowBlock(block, fresh, path.span, m)) return;
    keepLastingFields(block, fresh, draft, m);
    noteBlockReplacement(m, block, fresh, fresh.steps[0]!);
    fresh.steps = [...block.steps, ...fresh.steps];
    draft.blocks.set(fresh.name, fresh);
    return;
  }
  const said = overrideNode(declaration, scope);
  const fresh = meetsLasting(m) ? keepLasting(found.node, said, draft, m) : said;
  if (!sealsAllow(names, block, fresh, path.span, m)) return;
  noteReplacement(m, found.node!, fresh, fresh.steps[0]!);
  const around = stepOf(fresh, 'merge');
  fresh.steps = [...found.node!.steps, ...fresh.steps];
  put(block, names.slice(1), fresh, around, draft);
}

/**
 * Replaces a node that exists, and makes everything that holds it part of the draft; `around` becomes a step of
 * these.
 */
function put(
  block: BlockDraft,
  [first, ...rest]: readonly string[],
  node: NodeDraft,
  around: Step,
  draft: Draft,
): void {
  const replace = (there: NodeDraft, [name, ...below]: readonly string[]): NodeDraft => {
    if (name === undefined) return node;
    if (there.kind !== 'object') return there;
    const mine = own(there, draft.owner);
    mine.steps.push(around);
    mine.fields.set(name, replace(there.fields.get(name)!, below));
    return mine;
  };
  block.steps.push(around);
  setField(block, first!, replace(fieldOf(block, first!)!, rest));
}

/** Whether the skills of a block allow that it is replaced whole. */
function sealsAllowBlock(block: BlockDraft, fresh: BlockDraft, span: Step['span'], m: Merging): boolean {
  if (block.name !== 'skills') return true;
  return block.entries.every(
    entry =>
      entry.kind !== 'field' || mayReplaceWhole(entry.node, fieldOf(fresh, entry.key), entry.key, m, span),
  );
}

/** Whether the skill that a path leads into allows the replacement. */
function sealsAllow(
  [blockName, name, field]: readonly string[],
  block: BlockDraft,
  fresh: NodeDraft,
  span: Step['span'],
  m: Merging,
): boolean {
  if (blockName !== 'skills') return true;
  const skill = fieldOf(block, name!)!;
  if (field === undefined) return mayReplaceWhole(skill, fresh, name!, m, span);
  return field === 'sealed' ? maySeal(skill, name!, span, m) : mayReplace(skill, name!, field, span, m);
}
