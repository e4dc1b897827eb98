import { aliasWithoutBlock, extendMissing, overrideMissing } from '../generated/diagnostics.ts';
import type { ExtendDeclaration, OverrideDeclaration, Path } from '../syntax/ast.ts';
import { unknownNameAt } from '../text/diagnostics/fixes.ts';
import type { Span } from '../text/source.ts';
import { canonicalBlock } from './catalogue.ts';
import { changeDocument } from './change-document.ts';
import { type BlockDraft, type Draft, fieldOf, newBlock, object, setField, withField } from './draft.ts';
import { mergeBlock } from './merge.ts';
import {
  type MergeContext,
  mergeContext,
  noteBlockReplacement,
  noteReplacement,
  stepOf,
} from './merge-context.ts';
import { isAppendOnlyPath, keepAppendOnly, keepAppendOnlyFields } from './merge-lists.ts';
import type { Node, ProvenanceStep } from './program.ts';
import { canReplaceWhole, mayReplace } from './sealed.ts';
import {
  declareBlock,
  declareNode,
  type InlineUse,
  overrideBlock,
  overrideNode,
  type Scope,
  stepAt,
} from './values.ts';

type Aliases = Pick<ReadonlyMap<string, unknown>, 'has'>;

/**
 * The value at a path of a draft (`undefined` for a block), or the name that is missing with the names that
 * exist there.
 */
type Lookup =
  | { readonly node: Node | undefined }
  | { readonly missing: string; readonly parent: string; readonly siblings: readonly string[] };

function lookUp(draft: Draft, [blockName, ...names]: readonly string[]): Lookup {
  const block = draft.blocks.get(blockName!);
  if (!block) return { missing: blockName!, parent: '', siblings: [...draft.blocks.keys()] };
  let node: Node | undefined;
  for (const [index, name] of names.entries()) {
    const fields = index === 0 ? block.places : node?.kind === 'object' ? node.fields : new Map();
    if (!fields.has(name))
      return {
        missing: name,
        parent: [blockName, ...names.slice(0, index)].join('.'),
        siblings: [...fields.keys()],
      };
    node = index === 0 ? fieldOf(block, name) : (fields as ReadonlyMap<string, Node>).get(name);
  }
  return { node };
}

/**
 * Resolves a path to names, the block first: for an alias `a`, `a.standards` is `standards`, and `a.agents.x`
 * is the agent `a.x`.
 */
function namesOf(path: Path, draft: Draft, aliases: Aliases, scope: Scope): string[] | undefined {
  const [first, ...others] = path.segments.map(segment => segment.name) as [string, ...string[]];
  const named = canonicalBlock(first);
  if (!aliases.has(first)) return [named, ...others];
  const [second, entry, ...rest] = others;
  const block = second === undefined ? undefined : canonicalBlock(second);
  const isBlock = draft.blocks.has(named);
  if (block === undefined || (isBlock && !draft.blocks.has(block))) {
    if (isBlock) return [named, ...others];
    scope.run.report(aliasWithoutBlock({ alias: first }, { span: path.span }));
    return undefined;
  }
  const agent = `${first}.${entry}`;
  if (block === 'agents' && entry !== undefined && draft.blocks.get('agents')?.places.has(agent))
    return ['agents', agent, ...rest];
  return [block, ...others.slice(1)];
}

/** The parts of a diagnostic about a path that does not exist. */
function missingPath(
  names: readonly string[],
  { missing, parent, siblings }: Extract<Lookup, { missing: string }>,
  span: Span,
  program: string,
  advice: string,
) {
  const where = parent === '' ? program : `\`${parent}\``;
  const holes = { path: names.join('.'), missing, where };
  return [holes, unknownNameAt(span, missing, siblings, advice)] as const;
}

/**
 * Applies `@extend`: merges into the value at the path. A path that does not exist is reported and created.
 */
export function applyExtend(
  declaration: ExtendDeclaration,
  draft: Draft,
  aliases: Aliases,
  scope: Scope,
): readonly InlineUse[] {
  const { path, body } = declaration;
  const names = namesOf(path, draft, aliases, scope);
  if (!names || changeDocument(declaration, names, draft, scope)) return [];
  const found = lookUp(draft, names);
  if ('missing' in found) {
    const advice = 'It is created now. Correct the path, or declare it as a block of its own.';
    scope.run.report(extendMissing(...missingPath(names, found, path.span, 'the program', advice)));
  } else if (body.items.length === 0) return [];
  const { block, forced, uses } =
    names.length === 1
      ? declareBlock(names[0]!, body, path.span, scope)
      : declareInBlock(names, declaration, scope);
  mergeBlock(draft, block, mergeContext(scope.run, { replacing: 'extend', forced }));
  return uses;
}

function declareInBlock(names: readonly string[], { path, body }: ExtendDeclaration, scope: Scope) {
  const { node, forced, uses } = declareNode(body, names, path.span, scope);
  const steps = [stepAt(scope, path.span)];
  const block = newBlock(names[0]!, steps);
  const value = names.slice(2).reduceRight<Node>((inner, name) => object([[name, inner]], steps), node);
  setField(block, names[1]!, value);
  return { block, forced, uses };
}

/** Applies `@override`: the whole path must exist, and no part of it may be sealed. */
export function applyOverride(
  declaration: OverrideDeclaration,
  draft: Draft,
  aliases: Aliases,
  scope: Scope,
): void {
  const { span } = declaration.path;
  const names = namesOf(declaration.path, draft, aliases, scope);
  if (!names || changeDocument(declaration, names, draft, scope)) return;
  const found = lookUp(draft, names);
  if ('missing' in found) {
    const advice = 'Correct the path, or use `@extend` to add something new.';
    scope.run.report(overrideMissing(...missingPath(names, found, span, 'the program so far', advice)));
    return;
  }
  const m = mergeContext(scope.run);
  const block = draft.blocks.get(names[0]!)!;
  m.path.push(...names);
  const { node } = found;
  if (!node) {
    replaceBlock(block, overrideBlock(names[0]!, declaration, scope), draft, span, m);
    return;
  }
  const declared = overrideNode(declaration, scope);
  const fresh = isAppendOnlyPath(m) ? keepAppendOnly(node, declared, m) : declared;
  if (!sealAllows(names, block, fresh, span, m)) return;
  noteReplacement(m, node, fresh, fresh.steps[0]!);
  const around = stepOf(fresh, 'merge');
  const [field, ...rest] = names.slice(1);
  block.steps.push(around);
  const value = { ...fresh, steps: [...node.steps, ...fresh.steps] };
  setField(block, field!, replaceAt(fieldOf(block, field!)!, rest, value, around));
}

function replaceBlock(block: BlockDraft, fresh: BlockDraft, draft: Draft, span: Span, m: MergeContext): void {
  const isAllowed = (name: string): boolean =>
    canReplaceWhole(fieldOf(block, name)!, fieldOf(fresh, name), name, m, span);
  if (block.name === 'skills' && ![...block.places.keys()].every(isAllowed)) return;
  keepAppendOnlyFields(block, fresh, m);
  noteBlockReplacement(m, block, fresh, fresh.steps[0]!);
  fresh.steps.unshift(...block.steps);
  draft.blocks.set(fresh.name, fresh);
}

function replaceAt(
  parent: Node,
  [name, ...rest]: readonly string[],
  value: Node,
  around: ProvenanceStep,
): Node {
  if (name === undefined) return value;
  if (parent.kind !== 'object') return parent;
  const field = replaceAt(parent.fields.get(name)!, rest, value, around);
  return { ...withField(parent, name, field), steps: [...parent.steps, around] };
}

function sealAllows(
  [blockName, name, field]: readonly string[],
  block: BlockDraft,
  fresh: Node,
  span: Span,
  m: MergeContext,
): boolean {
  if (blockName !== 'skills') return true;
  const skill = fieldOf(block, name!)!;
  return field === undefined
    ? canReplaceWhole(skill, fresh, name!, m, span)
    : mayReplace(skill, name!, field, span, m);
}
