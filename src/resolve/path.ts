import { memoizeByObject } from '../text/memo.ts';
import { findSection } from '../text/sections.ts';
import type { Span } from '../text/source.ts';
import { canonicalBlock } from './catalogue.ts';
import { fieldsOf as blockFields, contentOf } from './draft.ts';
import type { Node, Program, ResolvedBlock } from './program.ts';

/** Names and list indexes from a block to a value. */
export type NodePath = readonly (string | number)[];

const segment = /(?:^@?|\.)(?:([^\s."[\]]+)|"((?:[^"\\]|\\.)*)")|\[(\d{1,9})\]/y;

/**
 * Parses `standards.code[0]` and `shortcuts."/test".content`; a leading `@` is ignored. `undefined` for an
 * invalid path.
 */
export function parseNodePath(text: string): NodePath | undefined {
  const path: (string | number)[] = [];
  segment.lastIndex = 0;
  while (segment.lastIndex < text.length) {
    const match = segment.exec(text);
    if (!match || (path.length === 0 && match[3] !== undefined)) return undefined;
    const [, name, quoted, position] = match;
    path.push(name ?? quoted?.replace(/\\(.)/g, '$1') ?? Number(position));
  }
  return path.length > 0 ? path : undefined;
}

/** Prints a path: `skills."a.b".content`, `standards.code[0]`. */
export function printNodePath(path: NodePath): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = /^[^\s."[\]\\@]+$/.test(part) ? part : `"${part.replace(/["\\]/g, '\\$&')}"`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/**
 * The value at a path, or the block when the path is a single name. An index in a block counts its list
 * items, or its texts when it has no items. `meta.x` and `params.x` are supported. Names with dots need no
 * quotes when such an entry exists: `agents.team.reviewer`.
 */
export function findNode(program: Program, path: NodePath): Node | ResolvedBlock | undefined {
  const [first, ...rest] = path;
  if (typeof first !== 'string') return undefined;
  const name = canonicalBlock(first);
  if (name === 'meta') return below(program.meta, rest);
  if (name === 'params') {
    const values = new Map<string, Node>();
    for (const { name: key, value } of program.parameters) if (value) values.set(key, value);
    return below(values, rest);
  }
  const block = program.blocks.get(name);
  if (!block || rest.length === 0) return block;
  if (typeof rest[0] === 'number') {
    const items = block.entries.filter(entry => entry.kind === 'item');
    const listed = items.length > 0 ? items : block.entries.filter(entry => entry.kind === 'text');
    return inside(listed[rest[0]]?.node, rest.slice(1));
  }
  const fields = fieldsOf(block);
  return below(fields, rest) ?? (name === 'documents' ? sectionNode(fields, rest) : undefined);
}

/** The section below a heading of a document, with the declarations that contributed to it. */
function sectionNode(fields: ReadonlyMap<string, Node>, [name, ...path]: NodePath): Node | undefined {
  const content = contentOf(fields.get(String(name)));
  const headings = path.map(String);
  if (content?.kind !== 'scalar' || headings.length === 0) return undefined;
  const lines = String(content.value).split('\n');
  const found = findSection(lines, headings);
  if (!('section' in found) || !found.section) return undefined;
  const { title, start, end } = found.section;
  const [first, ...later] = content.steps;
  // A later declaration contributed to the section when its path ends in this heading.
  const own = later.filter(({ span }) => span.source.text.slice(span.start, span.end).includes(title));
  const steps = first ? [{ ...first, span: headingSpan(first.span, title) }, ...own] : own;
  return { ...content, value: lines.slice(start, end).join('\n').trimEnd(), steps };
}

/** The line of a heading in the text of a declaration; the whole text when it is not there. */
function headingSpan({ source, start, end }: Span, title: string): Span {
  let at = start;
  for (const line of source.text.slice(start, end).split('\n')) {
    if (line.replace(/^[\s#]+|[\s#]+$/g, '') === title)
      return { source, start: at, end: at + line.trimEnd().length };
    at += line.length + 1;
  }
  return { source, start, end };
}

/** The fields of a block by name, cached for many lookups. */
const fieldsOf = memoizeByObject(
  (block: ResolvedBlock): ReadonlyMap<string, Node> => new Map(blockFields(block)),
);

/** Tries the shortest name first, then names with dots in them. */
function below(fields: ReadonlyMap<string, Node>, path: NodePath): Node | undefined {
  let name = '';
  for (let length = 1; length <= path.length; length++) {
    const part = path[length - 1]!;
    if (typeof part === 'number') return undefined;
    name = length === 1 ? part : `${name}.${part}`;
    const found = inside(fields.get(name), path.slice(length));
    if (found) return found;
  }
  return undefined;
}

function inside(node: Node | undefined, path: NodePath): Node | undefined {
  if (!node || path.length === 0) return node;
  if (node.kind === 'object') return below(node.fields, path);
  return node.kind === 'list' && typeof path[0] === 'number'
    ? inside(node.items[path[0]], path.slice(1))
    : undefined;
}
