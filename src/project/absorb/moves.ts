import { type EditedFile, editsLeft } from './edited-file.ts';
import { type Hunk, hunkKey } from './hunks.ts';
import { isString, nodesOf, replaced } from './prs-source.ts';
import { flattenedReason, halfMovedReason } from './reasons.ts';
import type { Run } from './run.ts';

/** How many syntax nodes, comments and parameters the sources have. */
interface Structure {
  readonly nodes: number;
  readonly comments: number;
  readonly parameters: number;
}

/** Lines that one hunk removes and another one adds, and the sources before they move. */
export interface Move {
  readonly lines: readonly string[];
  readonly before: Structure;
  readonly hunks: readonly (readonly [string, Hunk])[];
}

const wordsOf = (lines: readonly string[]) => lines.map(line => line.trim()).filter(Boolean);

/** The move in an edited file; `undefined` where nothing moves. */
export async function moveIn(file: EditedFile, run: Run): Promise<Move | undefined> {
  const hunks = await editsLeft(file);
  const added = new Set(hunks.flatMap(hunk => wordsOf(hunk.added)));
  const lines = hunks.flatMap(hunk => wordsOf(hunk.removed)).filter(line => added.has(line));
  if (lines.length === 0) return undefined;
  const keyed = hunks.map(hunk => [hunkKey(file.base, hunk), hunk] as const);
  return { lines, before: structureOf(run), hunks: keyed };
}

const structuredKinds = new Set(['field', 'array', 'object', 'string']);

function structureOf({ workspace }: Run): Structure {
  const count = { nodes: 0, comments: 0, parameters: 0 };
  for (const name of workspace.trial.compiled.sources) {
    const text = workspace.textOf(name) ?? '';
    count.parameters += text.split('{{').length - 1;
    if (!name.endsWith('.prs')) continue;
    const nodes = nodesOf({ name, text });
    count.nodes += nodes.filter(({ kind }) => structuredKinds.has(kind)).length;
    const strings = nodes.filter(isString).sort((a, b) => b.span.start - a.span.start);
    const rest = strings.reduce((said, { span }) => replaced(said, span, ''), text);
    count.comments += rest.split('#').length - 1;
  }
  return count;
}

/** Refuses the applied edits that moved a part of a file badly; says whether there are any. */
export async function refuseMoves(file: EditedFile, move: Move | undefined, run: Run): Promise<boolean> {
  const applied = run.applied.filter(one => one.file === file.path);
  if (!move || applied.length === 0) return false;
  const halves = halfMoves(await editsLeft(file), applied);
  for (const half of halves) file.refused.set(half.key, { hunk: half, reason: halfMovedReason });
  if (halves.length > 0) return true;
  // What the sources are made of may have become plain text; a list item may go to another list.
  const now = structureOf(run);
  const { before } = move;
  const isList = move.lines.every(line => /^(?:[-*+]|\d+\.) /.test(line));
  const isFlat = now.comments < before.comments || now.parameters < before.parameters;
  if (!isFlat && (isList || now.nodes >= before.nodes)) return false;
  for (const [key, hunk] of move.hunks) file.refused.set(key, { hunk, reason: flattenedReason });
  return true;
}

/** Applied edits of which a line is in a refused one, too: the sources would have the line twice, or not at all. */
function halfMoves<T extends Hunk>(left: readonly Hunk[], applied: readonly T[]): T[] {
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
