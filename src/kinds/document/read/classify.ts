import type { RootContent } from 'mdast';
import { type Evidence, gatherEvidence, type Trait } from './evidence.ts';
import { plainHeading, votesOfHeading, type Words } from './words.ts';

/** The block a section belongs to, and how sure that is (0 to 1). */
export interface Verdict {
  readonly block: string;
  readonly confidence: number;
}

/** From this share of prohibitions on, a section is a list of them. */
const allForbid = 0.8;

/** How much the beginning of a section counts beside all of it. */
const openingShare = 0.6;

/**
 * Weighs the heading and what stands below it. `leaning` adds to a block that the place in the document suggests.
 */
export function classify(
  title: string,
  nodes: readonly RootContent[],
  words: Words,
  leaning: ReadonlyMap<string, number> = new Map(),
): Verdict {
  const evidence = gatherEvidence(nodes, words);
  const votes = new Map(leaning);
  const named = votesOfHeading(title, words);
  const namesCommands = named.has('shortcuts') || words.commands.has(plainHeading(title));
  for (const [block, weight] of named) add(votes, block, weight);
  for (const [block, weight] of votesOfContent(evidence, namesCommands, words)) add(votes, block, weight);
  for (const [block, weight] of evidence.openings) add(votes, block, weight * openingShare);
  return verdictOf(votes);
}

function add(votes: Map<string, number>, block: string, weight: number): void {
  votes.set(block, (votes.get(block) ?? 0) + weight);
}

function votesOfContent(
  { traits, total }: Evidence,
  namesCommands: boolean,
  { data: { weights } }: Words,
): Map<string, number> {
  const votes = new Map<string, number>();
  if (total === 0) return votes;
  const share = (trait: Trait) => (traits.get(trait) ?? 0) / total;
  const forbids = share('forbids');
  add(votes, 'standards', weights.asks * (share('asks') + (forbids < allForbid ? forbids : forbids * 0.5)));
  if (forbids >= allForbid) add(votes, 'restrictions', weights.forbids * forbids);
  add(
    votes,
    'knowledge',
    weights.runs * share('runs') + weights.links * share('links') + weights.shows * share('shows'),
  );
  add(
    votes,
    'context',
    weights.paths * share('paths') + weights.names * share('names') + weights.tells * share('tells'),
  );
  // Routes and the commands of the program itself look the same: only the heading says that these are for the agent.
  if (namesCommands) add(votes, 'shortcuts', weights.slashes * share('slashes'));
  else add(votes, 'context', weights.names * share('slashes'));
  return votes;
}

/** What nothing speaks for is kept as it is, as knowledge. */
function verdictOf(votes: ReadonlyMap<string, number>): Verdict {
  let best: Verdict = { block: 'knowledge', confidence: 0 };
  let second = 0;
  for (const [block, weight] of votes) {
    if (weight > best.confidence) {
      second = best.confidence;
      best = { block, confidence: weight };
    } else if (weight > second) second = weight;
  }
  if (best.confidence <= 0) return best;
  const lead = (best.confidence - second) / best.confidence;
  const confidence = Math.min(1, best.confidence) * (0.5 + lead / 2);
  return { block: best.block, confidence: Math.round(confidence * 100) / 100 };
}
