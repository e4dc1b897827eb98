import { portableName } from '../resolve/catalogue.ts';
import { childrenOf } from '../resolve/draft.ts';
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
  const { fields, spanOf } = readSourceHead(span.source);
  const keyByStart = new Map([...fields.keys()].map(name => [spanOf([name]).start, name]));
  if (keyByStart.get(span.start) === 'name') keys.set('name', 'name');
  for (const [field, { steps }] of node.fields) {
    const place = steps[0]?.span;
    const written = place?.source === span.source ? keyByStart.get(place.start) : undefined;
    if (written !== undefined) keys.set(portableName(block, field), written);
  }
  const isWhole = isKept && isDeclaredOnlyIn(span.source.name, node);
  return isWhole ? { file, keys, head: headOf(span.source) } : { file, keys };
}

/** Whether all declarations of a value are in one file. */
export const isDeclaredOnlyIn = (name: string, node: Node): boolean =>
  node.steps.every(({ span }) => span.source.name === name) &&
  childrenOf(node).every(inner => isDeclaredOnlyIn(name, inner));

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
  const place = rulesFolder.test(path) ? path.replace(rulesFolder, '').replaceAll('/', '-') : path;
  const [last, folder = ''] = place.split('/').reverse();
  return last === 'SKILL.md' ? folder : last!.replace(/\.[^./]+$/, '');
}

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
