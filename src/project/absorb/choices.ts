import type { Hunk } from './hunks.ts';
import type { Candidate, Trial, Workshop } from './trial.ts';

/** A change of the sources that gives the edited text, with its compile. */
export interface Fit {
  readonly candidate: Candidate;
  readonly trial: Trial;
}

/** One of the places that a hunk may go to. */
export interface Choice {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line of the source there, or the one before it. */
  readonly beside: string;
}

/**
 * Who decides when a hunk fits in two places: the number of the chosen one, `undefined` for none of them. Where nobody
 * is there to decide, such a hunk is refused (`certain`), or goes to the likeliest place.
 */
export type Decide =
  | ((hunk: Hunk, file: string, choices: readonly Choice[]) => Promise<number | undefined>)
  | 'certain'
  | 'likeliest';

/** Further places that are tried after one that fits. */
const mostFurther = 16;

/**
 * All changes that fit and that say something else than the others: blank lines do not count. Nothing is changed
 * afterwards.
 */
export async function otherFits(
  first: Fit,
  candidates: readonly Candidate[],
  shop: Workshop,
  tryOne: (
    candidate: Candidate,
  ) => Promise<{ readonly trial: Trial; readonly takeBack: () => void } | undefined>,
): Promise<Fit[]> {
  const fits = [first];
  const said = new Set<string>();
  const applied = shop.apply(first.candidate);
  if (!applied) return fits;
  said.add(whatSourcesSay(shop));
  applied.takeBack();
  let tried = 0;
  for (const candidate of candidates) {
    if (candidate === first.candidate) continue;
    const back = shop.apply(candidate);
    if (!back) continue;
    const key = whatSourcesSay(shop);
    back.takeBack();
    if (said.has(key)) continue;
    said.add(key);
    if (++tried > mostFurther) break;
    const fit = await tryOne(candidate);
    if (!fit) continue;
    fit.takeBack();
    if (fits.every(one => isElsewhere(one.candidate, candidate))) fits.push({ candidate, trial: fit.trial });
  }
  return fits;
}

/** The changed sources without blank lines, quotes and commas: another layout is no other place. */
const whatSourcesSay = (shop: Workshop): string =>
  JSON.stringify(
    shop.changed.map(({ path, after = '' }) => [
      path,
      after
        .split('\n')
        .map(line => line.replace(/["',]/g, '').trim())
        .filter(Boolean),
    ]),
  );

function isElsewhere(one: Candidate, other: Candidate): boolean {
  const [here, there] = [one.edits[0], other.edits[0]];
  return here !== undefined && there !== undefined && (here.file !== there.file || here.at !== there.at);
}

/** What a person is shown of a fit. */
export function choiceOf({ candidate }: Fit, shop: Workshop): Choice {
  const { file, at, remove } = candidate.edits[0]!;
  const lines = shop.linesOf(file) ?? [];
  const beside = remove > 0 ? lines[at] : (lines.slice(0, at).findLast(line => line.trim() !== '') ?? '');
  return { file, line: at + 1, beside: (beside ?? '').trim() };
}
