import { type Document, isMap, isSeq, parseDocument, stringify } from 'yaml';
import { type FrontMatterLines, findFrontMatter } from '../../text/front-matter-lines.ts';
import type { Change, Key } from './changes.ts';

/** A Markdown source with other front matter; comments and layout of what stays are kept. */
export function withFrontMatter(text: string, changes: readonly Change[]): string | undefined {
  const front = findFrontMatter(text);
  const document: Document = parseDocument(front ? text.slice(front.start, front.end) : '');
  if (front && !isWritable(document)) return withFrontLines(text, front, changes);
  if (document.errors.length > 0 || (document.contents && !isMap(document.contents))) return undefined;
  // Beside fields that come only, the others stay as they are written, with their quotes and escapes.
  const isNew = ({ path, value }: Change) => value !== undefined && !document.has(path[0]);
  const isEach = new Set(changes.map(({ path }) => path[0])).size === changes.length;
  if (front && isMap(document.contents) && !document.contents.flow && isEach && changes.every(isNew))
    return withFrontLines(text, front, changes);
  for (const { path, value, isNew } of changes) {
    const parents = path.map((_, length) =>
      length === 0 ? document.contents : document.getIn(path.slice(0, length)),
    );
    const holds = (parent: unknown, key: Key) =>
      parent == null || isMap(parent) || (isSeq(parent) && typeof key === 'number');
    if (!path.every((key, at) => holds(parents[at], key))) return undefined;
    const parent = parents.at(-1);
    if (value === undefined) {
      // Of a field without a value nothing can be taken away.
      if (parent == null || !document.deleteIn(path)) return undefined;
    } else if (isNew && isSeq(parent))
      parent.items.splice(Number(path.at(-1)), 0, document.createNode(value));
    else document.setIn(path, document.createNode(value));
  }
  const said = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  if (said.trim() === '{}') return undefined;
  return front ? text.slice(0, front.start) + said + text.slice(front.end) : `---\n${said}---\n\n${text}`;
}

/** `globs: *.ts` is an alias to YAML, without what it stands for, and a text to the tools. */
function isWritable(document: Document): boolean {
  try {
    return document.errors.length === 0 && document.toString() !== '';
  } catch {
    return false;
  }
}

/** The same where front matter is no valid YAML: lines of whole fields come, change or go, all others stay. */
function withFrontLines(
  text: string,
  { start, end }: FrontMatterLines,
  changes: readonly Change[],
): string | undefined {
  const lines = text
    .slice(start, end)
    .replace(/\r?\n$/, '')
    .split('\n');
  for (const { path, value } of changes) {
    const [key, ...rest] = path;
    const at = lines.findIndex(line => line.startsWith(`${key}:`));
    if (at === -1 && value === undefined) return undefined;
    // What is new is written as a whole, such as what a rule says for one tool.
    if (at === -1) {
      const inner = rest.reduceRight<unknown>((part, name) => ({ [name]: part }), value);
      lines.push(
        ...stringify({ [key!]: inner }, { lineWidth: 0 })
          .trimEnd()
          .split('\n'),
      );
      continue;
    }
    if (rest.length > 0 || typeof value === 'object') return undefined;
    let behind = at + 1;
    while (/^(?:\s|-\s)/.test(lines[behind] ?? '')) behind++;
    const said =
      value === undefined
        ? []
        : stringify({ [key!]: value }, { lineWidth: 0 })
            .trimEnd()
            .split('\n');
    lines.splice(at, behind - at, ...said);
  }
  return `${text.slice(0, start)}${lines.join('\n')}\n${text.slice(end)}`;
}
