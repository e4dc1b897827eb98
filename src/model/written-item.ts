import { portableName } from '../resolve/catalogue.ts';
import { readSourceHead } from '../resolve/markdown.ts';
import type { Node } from '../resolve/program.ts';
import { isMarkdownPath } from '../text/places.ts';
import { isDeviceName } from '../text/portable-path.ts';
import type { Source } from '../text/source.ts';

/** Facts about the Markdown file of an item. */
export interface WrittenItem {
  /** The file name, or the folder name of a skill. It is preserved, because tools address an item by it. */
  readonly file: string;
  /** The front matter key of each field. */
  readonly keys: ReadonlyMap<string, string>;
  /** Its front matter without the keys of this compiler, for an item that is written unchanged. */
  readonly head?: string;
}

/** In the folder where rules are discovered, the name of `a/b.md` is `a-b`. */
const rulesFolder = /^\.instr\/rules\//;

/** Returns `undefined` for an item from a `.prs` file or with an alias. */
export function writtenItem(key: string, node: Node, block: string, isKept = false): WrittenItem | undefined {
  const span = node.steps[0]?.span;
  if (node.kind !== 'object' || !span || !isMarkdownPath(span.source.name)) return undefined;
  const file = nameOf(span.source.name);
  // An item with a file of its own choice does not need a valid file name.
  const isNamed =
    fileNameOf(file) === file.replace(/-+$/, '') &&
    !(block === 'agents' && key.includes('.') && key !== file);
  if (file === '' || !(isNamed || isKept)) return undefined;
  const keys = new Map<string, string>();
  if (keyAt(span.source.text, span.start, span.end) === 'name') keys.set('name', 'name');
  for (const [field, { steps }] of node.fields) {
    const place = steps[0]?.span;
    const written =
      place?.source === span.source ? keyAt(span.source.text, place.start, place.end) : undefined;
    if (written !== undefined) keys.set(portableName(block, field), written);
  }
  const isWhole = isKept && isDeclaredOnlyIn(span.source.name, node);
  return isWhole ? { file, keys, head: headOf(span.source) } : { file, keys };
}

/** Whether all declarations of a value are in one file. */
export function isDeclaredOnlyIn(name: string, node: Node): boolean {
  for (const { span } of node.steps) if (span.source.name !== name) return false;
  if (node.kind === 'scalar') return true;
  for (const inner of node.kind === 'list' ? node.items : node.fields.values())
    if (!isDeclaredOnlyIn(name, inner)) return false;
  return true;
}

/** The front matter between its fences, without the keys of this compiler. */
function headOf(source: Source): string {
  const { bodyStart } = readSourceHead(source);
  const lines = source.text.slice(0, bodyStart).replace(/\r\n/g, '\n').split('\n');
  return withoutOwnKeys(lines.slice(1, lines.at(-1) === '' ? -2 : -1).join('\n'));
}

/** Removes the keys for audience, activation and place of an entry from front matter. */
function withoutOwnKeys(head: string): string {
  const left = `${head}\n`.replace(ownKeys, '');
  return left.trim() === '' ? '' : left;
}

const ownKeys = /^(?:targets|except|into|activation|placement)[ \t]*:.*\n(?:(?:[ \t]+\S|-[ \t]).*\n)*/gm;

function nameOf(path: string): string {
  const parts = (rulesFolder.test(path) ? path.replace(rulesFolder, '').replaceAll('/', '-') : path).split(
    '/',
  );
  const last = parts.at(-1)!;
  return last === 'SKILL.md' ? (parts.at(-2) ?? '') : last.replace(/\.[^./]+$/, '');
}

/** The front matter key whose value is at a span; `undefined` for the text below the front matter. */
function keyAt(text: string, start: number, end: number): string | undefined {
  if (end >= text.length || start === 0) return undefined;
  let stop = text.indexOf('\n', start);
  if (stop === -1) stop = text.length;
  while (stop >= 0) {
    const before = stop === 0 ? -1 : text.lastIndexOf('\n', stop - 1);
    const key = keyLine.exec(text.slice(before + 1, stop))?.[1];
    if (key !== undefined) return key;
    stop = before;
  }
  return undefined;
}

const keyLine = /^["']?([A-Za-z_$][\w.$-]*)["']?[ \t]*:/;

/**
 * Converts a user-defined name to a file name that cannot leave its folder; empty when no characters remain.
 */
export function fileNameOf(name: string): string {
  const cleaned = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return isDeviceName(cleaned) ? `${cleaned.replace(/\..*$/, '')}-file` : cleaned.slice(0, 120);
}
