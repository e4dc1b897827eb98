import type { ArrayValue } from '../../syntax/ast.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { blankEndsOff, type Surroundings } from './candidates.ts';
import { changeTo } from './fields.ts';
import type { Hunk } from './hunks.ts';
import { offsetOf } from './nodes.ts';
import { inArray } from './source-values.ts';
import type { Candidate } from './trial.ts';

const itemWords = (line: string | undefined): string | undefined =>
  /^\s*[-*+] +(.*\S)\s*$/.exec(line ?? '')?.[1];

/** Ways to put list items that came beside the member of a list that the item before or behind them was made of. */
export async function addedMembers({ at, removed, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const values = blankEndsOff(added).map(itemWords);
  if (removed.length > 0 || values.length === 0 || values.some(value => value === undefined)) return [];
  const found: Candidate[] = [];
  for (const [place, isBefore] of [
    [at - 1, false],
    [at, true],
  ] as const) {
    const words = itemWords(around.lines[place]);
    if (words === undefined) continue;
    for (const { file, line, column = 1, registry } of await around.originsOf(place)) {
      const lines = file?.endsWith('.prs') && registry === undefined ? around.sourceLines(file) : undefined;
      if (!lines || line === undefined || lines.some(one => one.endsWith('\r'))) continue;
      const text = lines.join('\n');
      const offset = offsetOf(text, line - 1) + column - 1;
      const next = besideMember(text, offset, values as string[], isBefore);
      if (next !== undefined) found.push(await changeTo(new Map([[file!, next]]), around));
    }
  }
  return found;
}

/** A source with members beside the one that stands at a place of it. */
function besideMember(
  text: string,
  offset: number,
  values: readonly string[],
  isBefore: boolean,
): string | undefined {
  let said: string | undefined = text;
  for (const value of [...values].reverse()) {
    const list: Listed | undefined = said === undefined ? undefined : listAt(said, offset);
    if (!list) return undefined;
    const at = isBefore ? list.at : list.at + 1;
    said = inArray(said!, list.array, { path: [at], value, isNew: true });
  }
  return said;
}

interface Listed {
  readonly array: ArrayValue;
  /** Index of the member. */
  readonly at: number;
}

function listAt(text: string, offset: number): Listed | undefined {
  let found: Listed | undefined;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as ArrayValue;
    if (node.kind === 'array') {
      const at = node.items.findIndex(({ span }) => span.start <= offset && offset < span.end);
      // The innermost one is met last.
      if (at >= 0) found = { array: node, at };
    }
    for (const [key, part] of Object.entries(value)) if (!/[sS]pan$/.test(key)) visit(part);
  };
  visit(parseDocument({ name: '', text }, () => {}).declarations);
  return found;
}
