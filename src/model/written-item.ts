import { portableName } from '../resolve/catalogue.ts';
import type { Node } from '../resolve/program.ts';
import { isMarkdownPath } from '../text/places.ts';
import { fileNameOf } from './names.ts';

/** What the Markdown file of an item says beside its fields. */
export interface WrittenItem {
  /** The name of the file, or of its folder for a skill: it is kept, because tools know an item by that too. */
  readonly file: string;
  /** Fields and the keys of the front matter that said them. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Where rules are found, `a/b.md` is `a-b`: see the folders that are searched. */
const rulesFolder = /^\.instr\/rules\//;

/** `undefined`: the item was written in another language, or under an alias. */
export function writtenItem(key: string, node: Node, block: string): WrittenItem | undefined {
  const span = node.steps[0]?.span;
  if (node.kind !== 'object' || !span || !isMarkdownPath(span.source.name)) return undefined;
  const file = nameOf(span.source.name);
  if (
    file === '' ||
    fileNameOf(file) !== file.replace(/-+$/, '') ||
    (block === 'agents' && key.includes('.'))
  )
    return undefined;
  const keys = new Map<string, string>();
  const said = keyAt(span.source.text, span.start, span.end);
  if (said === 'name') keys.set('name', said);
  for (const [field, value] of node.fields) {
    const place = value.steps[0]?.span;
    const written =
      place?.source === span.source ? keyAt(place.source.text, place.start, place.end) : undefined;
    if (written !== undefined) keys.set(portableName(block, field), written);
  }
  return { file, keys };
}

function nameOf(path: string): string {
  const parts = (rulesFolder.test(path) ? path.replace(rulesFolder, '').replaceAll('/', '-') : path).split(
    '/',
  );
  const last = parts.at(-1)!;
  return last === 'SKILL.md' ? (parts.at(-2) ?? '') : last.replace(/\.[^./]+$/, '');
}

/** The key of the front matter whose value stands at a place; `undefined` for the text below it. */
function keyAt(text: string, start: number, end: number): string | undefined {
  if (end >= text.length || start === 0) return undefined;
  const lineEnd = text.indexOf('\n', start);
  const lines = text.slice(0, lineEnd === -1 ? text.length : lineEnd).split('\n');
  for (const line of lines.reverse()) {
    const key = /^["']?([A-Za-z_$][\w.$-]*)["']?[ \t]*:/.exec(line)?.[1];
    if (key !== undefined) return key;
  }
  return undefined;
}
