import { inserting } from '../diagnostics/fixes.ts';
import { looseInObject, useOutsideSkills } from '../generated/diagnostics.ts';
import type { Body, OverrideDeclaration, UseDeclaration, Value } from '../syntax/ast.ts';
import { addEntry, type BlockDraft, list, type NodeDraft, newBlock, object, setField } from './draft.ts';
import type { Step } from './program.ts';
import { type Scope, toFieldNode, toNode, toText } from './values.ts';

/** The content that one declaration gives a block. */
export interface Said {
  readonly block: BlockDraft;
  /** Values written `key!:`. */
  readonly forced: ReadonlySet<NodeDraft>;
  /** Inline `@use`, each with the name of the skill it stands behind. */
  readonly uses: readonly InlineUse[];
}

/** A `@use` inside of `@skills`, and the skill that it belongs to. */
export interface InlineUse {
  readonly declaration: UseDeclaration;
  /** The skill before it, else the first one behind it. */
  readonly skill: string | undefined;
}

/** The body of a declaration as a block; texts and items in the order they are written, repeated ones included. */
export function sayBlock(name: string, body: Body, span: Step['span'], scope: Scope): Said {
  return say(name, name === 'skills' ? undefined : `\`@${name}\``, body, span, scope);
}

/** `closed` is what people call the place when no `@use` may stand in it. */
function say(name: string, closed: string | undefined, body: Body, span: Step['span'], scope: Scope): Said {
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
        if (closed === undefined) uses.push({ declaration: item, skill });
        else scope.run.report(useOutsideSkills({ place: closed }, { span: item.span }));
    }
  }
  if (uses.length === 0) return { block, forced, uses };
  const first = block.entries.find(entry => entry.kind === 'field');
  const behind = first?.kind === 'field' ? first.key : undefined;
  return { block, forced, uses: uses.map(use => ({ ...use, skill: use.skill ?? behind })) };
}

/** The body of `@extend` or `@override` as one value below a block: an object, a list, or a text. */
export function sayNode(
  body: Body,
  path: readonly string[],
  span: Step['span'],
  scope: Scope,
): { readonly node: NodeDraft } & Pick<Said, 'forced' | 'uses'> {
  const skill = path[0] === 'skills' && path.length === 2 ? path[1] : undefined;
  const place = path.join('.');
  const { block, forced, ...said } = say(
    '',
    skill === undefined ? `\`${place}\`` : undefined,
    body,
    span,
    scope,
  );
  const uses = said.uses.map(use => ({ ...use, skill }));
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
    const { span: at } = loose.steps[0]!;
    const canName = texts.length === 1 && items.length === 0 && !fields.has('notes');
    const fixes = canName ? [inserting('Give it the key `notes`', at.source, at.start, 'notes: ')] : [];
    scope.run.report(looseInObject({ path: place }, { span: at, fixes }));
  }
  if (fields.size > 0 || kinds === 0) return { node: object(fields, steps, scope.owner), forced, uses };
  if (items.length > 0) return { node: list(items, steps, scope.owner), forced, uses };
  const text = texts[0]!;
  text.steps = steps;
  return { node: text, forced, uses };
}

/** What `@override` puts in the place of a value. */
export function overrideNode({ body, value, path, span }: OverrideDeclaration, scope: Scope): NodeDraft {
  const names = path.segments.map(segment => segment.name);
  if (!value) {
    const { node, uses } = sayNode(body!, names, span, scope);
    for (const { declaration } of uses) {
      const place = `an \`@override\` of \`${names.join('.')}\``;
      scope.run.report(useOutsideSkills({ place }, { span: declaration.span }));
    }
    return node;
  }
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
