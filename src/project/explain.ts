import { type Page, pages } from '../generated/pages.ts';
import type { Entry as PublishedEntry } from '../generated/types/report.ts';
import type { Entry, Node, Program, ResolvedBlock, Step } from '../resolve/program.ts';
import { positionAt } from '../text/source.ts';

/** The page of a diagnostic, by its code in any letter case or by its name. */
export function findPage(subject: string): Page | undefined {
  const code = subject.toUpperCase();
  if (Object.hasOwn(pages, code)) return pages[code];
  return Object.values(pages).find(({ name }) => name === subject);
}

/** One declaration that shaped a value, with the value it led to in the end. */
export type Explained = Omit<PublishedEntry, 'value'> & { readonly value: unknown };

/**
 * Where a value came from: one entry for each declaration that shaped it, the oldest first. `path` is dotted, with
 * quotes round segments that need them and `[n]` for list items: `standards.code[0]`, `shortcuts."/test"`.
 * `undefined` when the program has no such value.
 */
export function explainValue(path: string, program: Program): readonly Explained[] | undefined {
  const segments = parsePath(path);
  const first = segments?.[0];
  if (!segments || typeof first !== 'string') return undefined;
  const found = findValue(program, first, segments.slice(1));
  return found?.steps.map(step => ({
    path: printPath(segments),
    value: found.value,
    operation: step.operation,
    ...placeOf(step),
    ...(step.layer.registry !== undefined && { registry: step.layer.registry }),
    ...(step.layer.version !== undefined && { version: step.layer.version }),
  }));
}

type Segment = string | number;

interface Found {
  readonly value: unknown;
  readonly steps: readonly Step[];
}

function findValue(program: Program, name: string, rest: readonly Segment[]): Found | undefined {
  if (name === 'meta') {
    const [key, ...deeper] = rest;
    const node = typeof key === 'string' ? program.meta.get(key) : undefined;
    return node && descend(node, deeper);
  }
  const block = program.blocks.get(name.replace(/^@/, ''));
  if (!block) return undefined;
  const [key, ...deeper] = rest;
  if (key === undefined) return { value: block.entries.map(entryValue), steps: block.steps };
  const node = entryNode(block, key);
  return node && descend(node, deeper);
}

/** `[n]` counts the loose texts and list items of a block. */
function entryNode(block: ResolvedBlock, key: Segment): Node | undefined {
  if (typeof key === 'number') return block.entries.filter(({ kind }) => kind !== 'field')[key]?.node;
  return block.entries.find(entry => entry.kind === 'field' && entry.key === key)?.node;
}

function descend(node: Node, path: readonly Segment[]): Found | undefined {
  let at: Node | undefined = node;
  for (const segment of path) {
    if (at?.kind === 'list' && typeof segment === 'number') at = at.items[segment];
    else if (at?.kind === 'object') at = at.fields.get(String(segment));
    else return undefined;
  }
  return at && { value: plain(at), steps: at.steps };
}

const entryValue = (entry: Entry): unknown =>
  entry.kind === 'field' ? entriesObject([[entry.key, plain(entry.node)]]) : plain(entry.node);

function plain(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return entriesObject([...node.fields].map(([key, value]) => [key, plain(value)]));
}

/** Without a prototype, so that any key is a key. */
const entriesObject = (entries: readonly (readonly [string, unknown])[]): object => {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) object[key] = value;
  return object;
};

function placeOf({ span }: Step): { file: string; line: number; column: number } {
  return { file: span.source.name, ...positionAt(span.source, span.start) };
}

function parsePath(path: string): Segment[] | undefined {
  const segments: Segment[] = [];
  const pattern = /\.?(?:"((?:[^"\\]|\\.)*)"|\[(\d+)\]|([^.[\]"]+))/gy;
  while (pattern.lastIndex < path.length) {
    const match = pattern.exec(path);
    if (!match) return undefined;
    const [, quoted, index, bare] = match;
    segments.push(index !== undefined ? Number(index) : (quoted?.replace(/\\(.)/g, '$1') ?? bare!));
  }
  return segments;
}

const printPath = (segments: readonly Segment[]): string =>
  segments
    .map((segment, at) =>
      typeof segment === 'number'
        ? `[${segment}]`
        : `${at > 0 ? '.' : ''}${/^[@\p{L}_][\p{L}\p{N}_-]*$/u.test(segment) ? segment : JSON.stringify(segment)}`,
    )
    .join('');
