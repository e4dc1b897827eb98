import { type Document, isMap, isSeq, parseDocument, stringify } from 'yaml';
import { type FrontMatterLines, findFrontMatter } from '../../text/front-matter.ts';
import type { Change, Key } from './fields.ts';

/** A Markdown source with changed front matter; comments and layout of other fields are kept. */
export function changeFrontMatter(text: string, changes: readonly Change[]): string | undefined {
  const front = findFrontMatter(text);
  const document: Document = parseDocument(front ? text.slice(front.start, front.end) : '');
  if (front && !isWritable(document)) return changeFrontLines(text, front, changes);
  const { contents } = document;
  if (document.errors.length > 0 || (contents && !isMap(contents))) return undefined;
  const isNew = ({ path, value }: Change) => value !== undefined && !document.has(path[0]);
  const isEach = new Set(changes.map(({ path }) => path[0])).size === changes.length;
  // If fields are only added, the others keep their quotes and escapes.
  if (front && isMap(contents) && !contents.flow && isEach && changes.every(isNew))
    return changeFrontLines(text, front, changes);
  for (const change of changes) if (!changeDocument(document, change)) return undefined;
  const said = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  if (said.trim() === '{}') return undefined;
  return front ? text.slice(0, front.start) + said + text.slice(front.end) : `---\n${said}---\n\n${text}`;
}

/** Changes a value; returns whether that is possible. */
function changeDocument(document: Document, { path, value, isNew }: Change): boolean {
  const parents = path.map((_, at) => (at === 0 ? document.contents : document.getIn(path.slice(0, at))));
  const holds = (parent: unknown, key: Key) =>
    parent == null || isMap(parent) || (isSeq(parent) && typeof key === 'number');
  if (!path.every((key, at) => holds(parents[at], key))) return false;
  const parent = parents.at(-1);
  if (value === undefined) return parent != null && document.deleteIn(path);
  if (isNew && isSeq(parent)) parent.items.splice(Number(path.at(-1)), 0, document.createNode(value));
  else document.setIn(path, document.createNode(value));
  return true;
}

/** In YAML, `globs: *.ts` is an alias without an anchor; tools read it as text. */
function isWritable(document: Document): boolean {
  try {
    return document.errors.length === 0 && document.toString() !== '';
  } catch {
    return false;
  }
}

/** Changes whole fields by their lines, which need not be valid YAML. */
function changeFrontLines(
  text: string,
  { start, end }: FrontMatterLines,
  changes: readonly Change[],
): string | undefined {
  const lines = text.slice(start, end).trimEnd().split('\n');
  const print = (data: unknown) => stringify(data, { lineWidth: 0 }).trimEnd().split('\n');
  for (const { path, value } of changes) {
    const [key, ...rest] = path;
    const at = lines.findIndex(line => line.startsWith(`${key}:`));
    if (at === -1) {
      if (value === undefined) return undefined;
      lines.push(...print(path.reduceRight<unknown>((part, name) => ({ [name]: part }), value)));
      continue;
    }
    if (rest.length > 0 || typeof value === 'object') return undefined;
    let next = at + 1;
    while (/^(?:\s|-\s)/.test(lines[next] ?? '')) next++;
    lines.splice(at, next - at, ...(value === undefined ? [] : print({ [key!]: value })));
  }
  return `${text.slice(0, start)}${lines.join('\n')}\n${text.slice(end)}`;
}
