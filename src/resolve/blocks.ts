import { looseInObject, useOutsideSkills } from '../generated/diagnostics.ts';
import type { Body, OverrideDeclaration, UseDeclaration, Value } from '../syntax/ast.ts';
import { addEntry, type BlockDraft, list, type NodeDraft, newBlock, object, setField } from './draft.ts';
import type { Step } from './program.ts';
import { type Scope, toFieldNode, toNode, toText } from './values.ts';

/** What one declaration says about a block. */
export interface Said {
  readonly block: BlockDraft;
  /** Values written `key!:`. */
  readonly forced: ReadonlySet<NodeDraft>;
  /** Inline `@use`, each with the name of the skill it stands behind. */
  readonly uses: readonly InlineUse[];
}

export interface InlineUse {
  readonly declaration: UseDeclaration;
  /** The skill before it, else the first one behind it. */
  readonly skill: string | undefined;
}

/** The body of a declaration as a block; texts and items in the order they are written, repeated ones included. */
export function sayBlock(name: string, body: Body, span: Step['span'], scope: Scope): Said {
  const block = newBlock(name, scope.owner);
  block.steps.push({ operation: scope.operation, span, layer: scope.layer });
  const forced = new Set<NodeDraft>();
  const uses: { declaration: UseDeclaration; skill: string | undefined }[] = [];
  let skill: string | undefined;
  for (const item of body.items) {
    switch (item.kind) {
      case 'field': {
        const node = toFieldNode(item, scope);
        if (!node) break;
        if (item.replace) forced.add(node);
        setField(block, item.key, node);
        skill = item.key;
        break;
      }
      case 'text':
        addEntry(block, { kind: 'text', node: toText(item.value, scope) });
        break;
      case 'item':
        addEntry(block, { kind: 'item', node: toNode(item.value, scope) });
        break;
      case 'header':
        block.headers.set(item.section?.name ?? '', toText(item.title, scope));
        break;
      case 'use':
        if (name === 'skills') uses.push({ declaration: item, skill });
        else scope.run.report(useOutsideSkills({ block: name }, { span: item.span }));
    }
  }
  const first = block.entries.find(entry => entry.kind === 'field');
  const behind = first?.kind === 'field' ? first.key : undefined;
  return { block, forced, uses: uses.map(use => ({ ...use, skill: use.skill ?? behind })) };
}

/** The body of `@extend` or `@override` as one value below a block: an object, a list, or a text. */
export function sayNode(
  body: Body,
  path: string,
  span: Step['span'],
  scope: Scope,
): { readonly node: NodeDraft; readonly forced: ReadonlySet<NodeDraft> } {
  const { block, forced } = sayBlock('', body, span, scope);
  const steps = block.steps;
  const fields = new Map<string, NodeDraft>();
  const items: NodeDraft[] = [];
  const texts: NodeDraft[] = [];
  for (const entry of block.entries) {
    if (entry.kind === 'field') fields.set(entry.key, entry.node);
    else (entry.kind === 'item' ? items : texts).push(entry.node);
  }
  const kinds = [fields.size, items.length, texts.length].filter(count => count > 0).length;
  if (kinds > 1 || texts.length > 1) {
    const loose = (texts[0] ?? items[0])!;
    scope.run.report(looseInObject({ path }, { span: loose.steps[0]!.span }));
  }
  if (fields.size > 0 || kinds === 0) return { node: object(fields, steps, scope.owner), forced };
  if (items.length > 0) return { node: list(items, steps, scope.owner), forced };
  const text = texts[0]!;
  text.steps = steps;
  return { node: text, forced };
}

/** What `@override` puts in the place of a value. */
export function overrideNode({ body, value, path, span }: OverrideDeclaration, scope: Scope): NodeDraft {
  const names = path.segments.map(segment => segment.name);
  if (!value) return sayNode(body!, names.join('.'), span, scope).node;
  const node = toNode(value, scope);
  node.steps = [{ operation: scope.operation, span, layer: scope.layer }];
  return node;
}

/** What `@override` puts in the place of a block. */
export function overrideBlock(name: string, declaration: OverrideDeclaration, scope: Scope): BlockDraft {
  const { body, value, span } = declaration;
  if (body) return sayBlock(name, body, span, scope).block;
  const block = newBlock(name, scope.owner);
  block.steps.push({ operation: scope.operation, span, layer: scope.layer });
  for (const entry of valueEntries(value!, scope)) addEntry(block, entry);
  return block;
}

function valueEntries(value: Value, scope: Scope) {
  if (value.kind === 'array') {
    return value.items.map(item => ({ kind: 'item', node: toNode(item, scope) }) as const);
  }
  return value.kind === 'string'
    ? [{ kind: 'text', node: toText(value, scope) } as const]
    : [{ kind: 'item', node: toNode(value, scope) } as const];
}
