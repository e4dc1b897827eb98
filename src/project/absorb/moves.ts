import { type EditedFile, editsLeft } from './edited-file.ts';
import { type Hunk, hunkKey, type Swap, swapsIn, wholeHunk } from './hunks.ts';
import { nodesOf } from './prs-source.ts';
import { flattenedReason, halfMovedReason } from './reasons.ts';
import type { Run } from './run.ts';

/** How many fields, lists, objects and parameters the sources have. */
interface Structure {
  readonly nodes: number;
  readonly parameters: number;
}

const structuredKinds = new Set(['field', 'array', 'object']);

export function sourceStructure({ workspace, trial }: Run): Structure {
  let [nodes, parameters] = [0, 0];
  for (const name of trial.compiled.sources) {
    const text = workspace.linesOf(name)?.join('\n') ?? '';
    parameters += text.split('{{').length - 1;
    if (name.endsWith('.prs'))
      nodes += nodesOf({ name, text }).filter(({ kind }) => structuredKinds.has(kind)).length;
  }
  return { nodes, parameters };
}

/** Refuses the applied edits that moved a part of a file badly; says whether there are any. */
export async function refusedMoves(
  file: EditedFile,
  base: readonly string[],
  before: Structure | undefined,
  run: Run,
): Promise<boolean> {
  const applied = run.applied.filter(one => one.file === file.path);
  if (applied.length === 0) return false;
  const halves = halfMoves(await editsLeft(file), applied);
  for (const half of halves) file.refused.set(half.key, { hunk: half, reason: halfMovedReason });
  return halves.length > 0 || (before !== undefined && refuseFlattened(file, base, before, run));
}

/** Applied edits of which a line is in a refused one, too: the sources would have the line twice, or not at all. */
function halfMoves<T extends Hunk>(left: readonly Hunk[], applied: readonly T[]): T[] {
  const wordsOf = (lines: readonly string[]) => lines.map(line => line.trim()).filter(Boolean);
  const came = new Set(left.flatMap(({ added }) => wordsOf(added)));
  const went = new Set(left.flatMap(({ removed }) => wordsOf(removed)));
  return applied.filter(({ removed, added }) => {
    const [gone, come] = [wordsOf(removed), wordsOf(added)];
    return (
      gone.some(line => came.has(line) && !come.includes(line)) ||
      come.some(line => went.has(line) && !gone.includes(line))
    );
  });
}

/** Refuses a move by which fields or parameters of the sources became plain text. A list item may go to another list. */
async function refuseFlattened(
  file: EditedFile,
  base: readonly string[],
  before: Structure,
  run: Run,
): Promise<boolean> {
  const [swap] = swapsIn(wholeHunk(base, file.disk));
  if (!swap) return false;
  const now = sourceStructure(run);
  const size = ({ start, end }: Swap['first']) => end - start;
  const { start, end } = size(swap.first) < size(swap.second) ? swap.first : swap.second;
  const isList = base.slice(start, end).every(line => /^\s*(?:$|[-*+] |\d+\. )/.test(line));
  if (now.parameters >= before.parameters && (isList || now.nodes >= before.nodes)) return false;
  for (const hunk of await editsLeft({ ...file, base: [...base] }))
    file.refused.set(hunkKey(base, hunk), { hunk, reason: flattenedReason });
  return true;
}
