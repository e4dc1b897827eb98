import { inserting } from '../diagnostics/fixes.ts';
import { looseInObject, useOutsideSkills } from '../generated/diagnostics.ts';
import type { Body, OverrideDeclaration, UseDeclaration } from '../syntax/ast.ts';
import type { Span } from '../text/source.ts';
import { type BlockDraft, fieldsOf, list, newBlock, object, setField } from './draft.ts';
import type { Entry, Node } from './program.ts';
import { type Scope, stepAt, toFieldNode, toNode, toText } from './values.ts';

/** The content of one declaration. */
export interface Declared {
  readonly block: BlockDraft;
  /** Values written `key!:`. */
  readonly forced: ReadonlySet<Node>;
  readonly uses: readonly InlineUse[];
}

/** A `@use` in `@skills`, and the skill that it belongs to. */
export interface InlineUse {
  readonly declaration: UseDeclaration;
  /** The skill before it, else the first one after it. */
  readonly skill: string | undefined;
}

/** The body of a declaration as a block: texts and items in source order, repeated ones included. */
export const declareBlock = (name: string, body: Body, span: Span, scope: Scope): Declared =>
  declare(name, name === 'skills' ? undefined : `\`@${name}\``, body, span, scope);

/** `closed` is the name, for messages, of a place that may not hold a `@use`. */
function declare(name: string, closed: string | undefined, body: Body, span: Span, scope: Scope): Declared {
  const block = newBlock(name, [stepAt(scope, span)]);
  const forced = new Set<Node>();
  const uses: InlineUse[] = [];
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
        block.entries.push({ kind: 'text', node: toText(item.value, scope) });
        break;
      case 'item':
        block.entries.push({ kind: 'item', node: toNode(item.value, scope) });
        break;
      case 'header':
        block.headers.set(item.section?.name ?? '', toText(item.title, scope));
        break;
      case 'use':
        if (closed === undefined) uses.push({ declaration: item, skill });
        else scope.run.report(useOutsideSkills({ place: closed }, { span: item.span }));
    }
  }
  const [first] = block.places.keys();
  return { block, forced, uses: uses.map(use => ({ ...use, skill: use.skill ?? first })) };
}

/** The body of `@extend` or `@override` as one value below a block: an object, a list, or a text. */
export function declareNode(
  body: Body,
  path: readonly string[],
  span: Span,
  scope: Scope,
): { readonly node: Node } & Pick<Declared, 'forced' | 'uses'> {
  const skill = path[0] === 'skills' && path.length === 2 ? path[1] : undefined;
  const place = path.join('.');
  const { block, forced, ...declared } = declare('', skill ? undefined : `\`${place}\``, body, span, scope);
  const uses = declared.uses.map(use => ({ ...use, skill }));
  const { steps, entries } = block;
  const fields = fieldsOf(block);
  const items = entries.flatMap(({ kind, node }) => (kind === 'item' ? [node] : []));
  const texts = entries.flatMap(({ kind, node }) => (kind === 'text' ? [node] : []));
  const kinds = [fields, items, texts].filter(({ length }) => length > 0).length;
  if (kinds > 1 || texts.length > 1) {
    const { span: at } = (texts[0] ?? items[0])!.steps[0]!;
    const canName = texts.length === 1 && items.length === 0 && !block.places.has('notes');
    const fixes = canName ? [inserting('Give it the key `notes`', at.source, at.start, 'notes: ')] : [];
    scope.run.report(looseInObject({ path: place }, { span: at, fixes }));
  }
  const node =
    fields.length > 0 || kinds === 0
      ? object(fields, steps)
      : items.length > 0
        ? list(items, steps)
        : { ...texts[0]!, steps };
  return { node, forced, uses };
}

/** The value that `@override` sets. */
export function overrideNode({ body, value, path, span }: OverrideDeclaration, scope: Scope): Node {
  if (value) return { ...toNode(value, scope), steps: [stepAt(scope, span)] };
  const names = path.segments.map(segment => segment.name);
  const { node, uses } = declareNode(body!, names, span, scope);
  for (const { declaration } of uses) {
    const place = `an \`@override\` of \`${names.join('.')}\``;
    scope.run.report(useOutsideSkills({ place }, { span: declaration.span }));
  }
  return node;
}

/** The block that `@override` sets. */
export function overrideBlock(name: string, declaration: OverrideDeclaration, scope: Scope): BlockDraft {
  const { body, value, span } = declaration;
  if (body) return declareBlock(name, body, span, scope).block;
  const block = newBlock(name, [stepAt(scope, span)]);
  const values = value!.kind === 'array' ? value!.items : [value!];
  block.entries = values.map(
    (item): Entry =>
      value!.kind === 'string' && item.kind === 'string'
        ? { kind: 'text', node: toText(item, scope) }
        : { kind: 'item', node: toNode(item, scope) },
  );
  return block;
}
