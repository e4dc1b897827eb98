import type { Hunk } from './hunks.ts';
import { type Attempt, type Fit, tryCandidate } from './try-candidate.ts';
import type { Candidate, Workspace } from './workspace.ts';

/** A place that a hunk may go to. */
export interface Choice {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The source line there, or the one before it. */
  readonly context: string;
}

/**
 * Who decides where a hunk goes that fits in several places: a function that returns the index of the chosen one, or
 * `undefined` for none; `likeliest` takes the first, and `certain` refuses such a hunk.
 */
export type Decide =
  | ((hunk: Hunk, file: string, choices: readonly Choice[]) => Promise<number | undefined>)
  | 'certain'
  | 'likeliest';

/** The place that counts for a hunk, which is applied; or why there is none. */
export async function choosePlace(
  first: Fit,
  candidates: readonly Candidate[],
  attempt: Attempt,
  workspace: Workspace,
  decide: Decide,
): Promise<Fit | string> {
  if (decide === 'likeliest') return first;
  first.undo();
  const fits = await otherFits(first, candidates, attempt, workspace);
  const choices = fits.map(fit => choiceOf(fit, workspace));
  const places = choices.map(({ file, line }) => `${file}:${line}`).join(' and ');
  if (fits.length > 1 && decide === 'certain')
    return `it fits at ${places}; \`prs absorb\` on a terminal asks`;
  const chosen =
    fits.length === 1 || decide === 'certain' ? 0 : await decide(attempt.hunk, attempt.file.path, choices);
  if (chosen === undefined) return `it fits at ${places}, and none of them was chosen`;
  workspace.apply(fits[chosen]!.candidate);
  return fits[chosen]!;
}

const maxTries = 16;

/** All fits at different places that change the sources in different ways; none is applied afterwards. */
async function otherFits(
  first: Fit,
  candidates: readonly Candidate[],
  attempt: Attempt,
  workspace: Workspace,
): Promise<Fit[]> {
  const fits = [first];
  const known = new Set<string>();
  let tries = 0;
  for (const candidate of [first.candidate, ...candidates]) {
    const applied = workspace.apply(candidate);
    if (!applied) continue;
    const key = bareSources(workspace);
    applied.undo();
    if (known.has(key)) continue;
    known.add(key);
    if (candidate === first.candidate) continue;
    if (++tries > maxTries) break;
    const fit = await tryCandidate(candidate, { ...attempt, output: undefined, isStrict: false }, workspace);
    if (!fit || !('undo' in fit)) continue;
    fit.undo();
    const [here] = fit.to;
    const isOther = ({ to: [first] }: Fit) => here?.file !== first?.file || here?.line !== first?.line;
    if (fits.every(isOther)) fits.push(fit);
  }
  return fits;
}

/** The changed sources without blank lines, quotes and commas: another layout is no other place. */
const bareSources = ({ changed }: Workspace): string =>
  JSON.stringify(
    changed.map(({ path, after = '' }) => [path, after.replace(/["',]|\s*\n\s*/g, ' ').split(/\s+/)]),
  );

function choiceOf({ candidate, to }: Fit, workspace: Workspace): Choice {
  const { file, line } = to[0]!;
  const lines = workspace.textOf(file)?.split('\n') ?? [];
  const isInsertion = (candidate.get(file) ?? '').split('\n').length > lines.length;
  const context = isInsertion ? lines.slice(0, line - 1).findLast(one => one.trim() !== '') : lines[line - 1];
  return { file, line, context: (context ?? '').trim() };
}
