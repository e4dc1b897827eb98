import { type Page, pages } from '../../generated/pages.ts';
import type { Entry as PublishedEntry } from '../../generated/types/report.ts';
import { findNode, parseNodePath, printNodePath } from '../../resolve/path.ts';
import type { Entry, Node, Program, ProvenanceStep, ResolvedBlock } from '../../resolve/program.ts';
import { suggest } from '../../text/similar.ts';
import { type Span, startOf } from '../../text/source.ts';
import { readableText } from '../../text/variables.ts';

/** The page of a diagnostic, by code (any case) or name. */
export function findPage(subject: string): Page | undefined {
  const code = subject.toUpperCase();
  if (Object.hasOwn(pages, code)) return pages[code];
  return Object.values(pages).find(({ name }) => name === subject);
}

/** The code or name that a mistyped subject most likely means. */
export function suggestSubject(subject: string, rules: readonly string[]): string | undefined {
  const codes = Object.keys(pages);
  if (/^PRS/i.test(subject)) {
    // Similar codes are unrelated, so only a longer code is suggested.
    const longer = codes.filter(code => code.startsWith(subject.toUpperCase()));
    return longer.length === 1 ? longer[0] : undefined;
  }
  return suggest(subject, [...rules, ...Object.values(pages).map(({ name }) => name)]);
}

/** One declaration that shaped a value, with the final value. */
export type Explained = Omit<PublishedEntry, 'value'> & { readonly value: unknown };

/**
 * Lists the declarations that shaped a value, the oldest first. `path` is dotted, with quoted segments where needed and
 * `[n]` for list items: `standards.code[0]`, `shortcuts."/test"`. `undefined` if there is no such value.
 */
export function explainValue(path: string, program: Program): readonly Explained[] | undefined {
  const parsed = parseNodePath(path);
  const found = parsed && findNode(program, parsed);
  return found?.steps.map(step => ({
    path: printNodePath(parsed!),
    value: 'entries' in found ? found.entries.map(entryValue) : plain(found),
    ...entryAt(step, step.span),
  }));
}

/** The fields of an entry for a declaration, and the place of a value in it. */
export const entryAt = ({ operation, layer }: ProvenanceStep, span: Span) => ({
  operation,
  ...startOf(span),
  ...(layer.registry !== undefined && { registry: layer.registry }),
  ...(layer.version !== undefined && { version: layer.version }),
});

/** The existing path that a mistyped path most likely means. */
export function suggestPath(path: string, program: Program): string | undefined {
  const parsed = parseNodePath(path);
  if (!parsed) return undefined;
  // The longest existing prefix is kept, and the next segment is compared with its siblings.
  let known = parsed.length - 1;
  while (known > 0 && !findNode(program, parsed.slice(0, known))) known--;
  const wrong = parsed[known];
  if (typeof wrong !== 'string') return undefined;
  const parent = known === 0 ? undefined : findNode(program, parsed.slice(0, known));
  const meant = suggest(wrong, known === 0 ? program.blocks.keys() : namesIn(parent));
  if (meant === undefined) return undefined;
  const corrected = [...parsed.slice(0, known), meant];
  const whole = [...corrected, ...parsed.slice(known + 1)];
  return printNodePath(findNode(program, whole) ? whole : corrected);
}

function namesIn(value: Node | ResolvedBlock | undefined): Iterable<string> {
  if (!value) return [];
  if ('entries' in value) return value.entries.flatMap(entry => (entry.kind === 'field' ? [entry.key] : []));
  return value.kind === 'object' ? value.fields.keys() : [];
}

const entryValue = (entry: Entry): unknown =>
  entry.kind === 'field' ? entriesObject([[entry.key, plain(entry.node)]]) : plain(entry.node);

function plain(node: Node): unknown {
  if (node.kind === 'scalar') return typeof node.value === 'string' ? readableText(node.value) : node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return entriesObject([...node.fields].map(([key, value]) => [key, plain(value)]));
}

/** An object without a prototype, so that any key can be used. */
const entriesObject = (entries: readonly (readonly [string, unknown])[]): object => {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) object[key] = value;
  return object;
};
