import { type Edited, editsLeft, plannedLines } from './edited.ts';
import { type Hunk, hunkKey } from './hunks.ts';
import { isSwap, type Swap, swapped, swapsIn, wholeHunk } from './moves.ts';
import { spansIn } from './nodes.ts';
import { halfMoved, takenApart } from './reasons.ts';
import { tryOut } from './try-out.ts';
import { absorbed, type Done, surroundingsOf, type Work } from './work.ts';

/**
 * What was moved comes home as a whole: with one half of it the sources would have a text twice, or no more. Says
 * whether halves came home that are refused now.
 */
export function refuseHalfMoves(left: readonly Hunk[], file: Edited, done: readonly Done[]): boolean {
  const wordsOf = (lines: readonly string[]) => lines.map(line => line.trim()).filter(Boolean);
  const [came, went] = [
    left.flatMap(({ added }) => wordsOf(added)),
    left.flatMap(({ removed }) => wordsOf(removed)),
  ];
  const isHalf = ({ removed, added }: Hunk) =>
    wordsOf(removed).some(line => came.includes(line) && !wordsOf(added).includes(line)) ||
    wordsOf(added).some(line => went.includes(line) && !wordsOf(removed).includes(line));
  const halves = done.filter(one => one.file === file.path && isHalf(one));
  for (const half of halves) file.refused.set(half.key, { hunk: half, reason: halfMoved });
  return halves.length > 0;
}

/** How much of the sources is more than text: fields, lists and objects, and the places where texts have a parameter. */
export interface Structure {
  readonly nodes: number;
  readonly parameters: number;
}

/** The structure of the sources as they are in memory, where a file is edited by moving a part of it; else nothing. */
export function structureFor(file: Edited, { shop, trial }: Work): Structure | undefined {
  if (!isSwap(file.base, file.disk)) return undefined;
  let [nodes, parameters] = [0, 0];
  for (const name of trial.compiled.sources) {
    const text = shop.linesOf(name)?.join('\n');
    if (text === undefined) continue;
    parameters += text.split('{{').length - 1;
    if (name.endsWith('.prs')) nodes += spansIn({ name, text }, structured).length;
  }
  return { nodes, parameters };
}

const structured: ReadonlySet<unknown> = new Set(['field', 'array', 'object']);

/**
 * Whether a part that was moved came home in two halves by which the sources lost more than text: fields that became lines
 * of a text, or parameters that became their values. All of it is refused then. A list item may be one in another list.
 */
export async function refuseTakenApart(
  before: Structure,
  base: readonly string[],
  file: Edited,
  work: Work,
): Promise<boolean> {
  if (!work.done.some(one => one.file === file.path)) return false;
  const now = structureFor({ ...file, base: [...base] }, work)!;
  const [{ first, second }] = swapsIn(wholeHunk(base, file.disk)) as [Swap];
  const size = ({ start, end }: Swap['first']) => end - start;
  const { start, end } = size(first) < size(second) ? first : second;
  const isList = base.slice(start, end).every(line => /^\s*(?:$|[-*+] |\d+\. )/.test(line));
  if (now.parameters >= before.parameters && (isList || now.nodes >= before.nodes)) return false;
  for (const hunk of await editsLeft({ ...file, base: [...base] }))
    file.refused.set(hunkKey(base, hunk), { hunk, reason: takenApart });
  return true;
}

/** An edit that only moved a part of a file: the sources have the same parts in another order then. */
export async function bringMoveHome(file: Edited, work: Work): Promise<boolean> {
  const whole = wholeHunk(file.base, file.disk);
  const swaps = swapsIn(whole);
  const planned = plannedLines(work.trial.entries.get(file.path));
  if (swaps.length === 0 || planned?.join('\n') !== file.base.join('\n')) return false;
  const around = await surroundingsOf(file, planned, work);
  const project = await work.shop.project();
  const { reordered } = await import('./section-order.ts');
  for (const swap of swaps.slice(0, mostSwaps)) {
    const inOrder = project ? await reordered(swap, around, project) : [];
    for (const candidate of [...(await swapped(swap, around)), ...inOrder]) {
      const took = await tryOut(candidate, file.disk.join('\n'), whole, file, work);
      if (typeof took !== 'object' || !('trial' in took)) continue;
      work.trial = took.trial;
      const to = candidate.edits.map(({ file: path, at }) => ({ file: path, line: at + 1 }));
      for (const hunk of await editsLeft(file)) work.done.push(absorbed(hunk, file, to));
      file.base = [...file.disk];
      return true;
    }
  }
  return false;
}

const mostSwaps = 4;
