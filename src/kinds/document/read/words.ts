import { words as data } from '../../../generated/import.ts';

interface Vote {
  readonly block: string;
  readonly weight: number;
}

/** The weight of a word inside a heading relative to the whole heading. */
const containedShare = 0.85;

let prepared: ReturnType<typeof prepare> | undefined;

/** The words of `conventions/import.yaml` by which import classifies sections, prepared on first use. */
export function importWords(): ReturnType<typeof prepare> {
  prepared ??= prepare();
  return prepared;
}

function prepare() {
  const headings = new Map<string, Vote[]>();
  const phrases: (Vote & { text: string })[] = [];
  const parts: (Vote & { text: string })[] = [];
  for (const { block, weight, equals = [], contains = [], within = [] } of data.headings) {
    for (const text of within) parts.push({ text, block, weight });
    for (const text of equals) headings.set(text, [...(headings.get(text) ?? []), { block, weight }]);
    for (const text of contains) phrases.push({ text: ` ${text} `, block, weight: weight * containedShare });
  }
  return {
    data,
    /** Whole headings. */
    headings,
    /** Words in headings. */
    phrases,
    /** Parts of headings, for languages with compound words. */
    parts,
    openings: data.openings.flatMap(({ block, weight, match }) =>
      match.map(expression => ({ block, weight, match: new RegExp(expression, 'u') })),
    ),
    forbids: data.forbids.map(expression => new RegExp(expression, 'u')),
    asks: new Set(data.asks.trim().split(/\s+/)),
    programs: new Set(data.programs.trim().split(/\s+/)),
    shells: new Set(data.shells),
    stack: new Set(data.stack),
    /** Headings below which slash commands are commands to import. */
    commands: new Set(data.commands),
  };
}

/** Normalizes a heading: numbering, punctuation and markup are removed. */
export function plainHeading(title: string): string {
  return title
    .toLowerCase()
    .replace(/['’`*_]/g, '')
    .replace(/\s&\s/g, ' and ')
    .replace(/^[\s\d.()#:>-]+(?=\p{L})/u, '')
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}

/** The votes of a heading, the best one for each block. */
export function headingVotes(title: string): ReadonlyMap<string, number> {
  const { headings, phrases, parts } = importWords();
  const plain = plainHeading(title);
  const votes = new Map<string, number>();
  const add = ({ block, weight }: Vote) => votes.set(block, Math.max(weight, votes.get(block) ?? 0));
  for (const vote of headings.get(plain) ?? []) add(vote);
  if (votes.size > 0) return votes;
  const padded = ` ${plain} `;
  for (const { text, block, weight } of phrases) {
    // A heading that begins with the words counts as much as the words alone.
    if (padded.startsWith(text)) add({ block, weight: weight / containedShare });
    else if (padded.includes(text)) add({ block, weight });
  }
  for (const vote of parts) if (plain.includes(vote.text)) add(vote);
  return votes;
}

/** The vote of the beginning of a text: the first matching expression wins. */
export function openingVote(text: string): Vote | undefined {
  const start = openingOf(text);
  return importWords().openings.find(opening => opening.match.test(start));
}

/**
 * The first line of a text in lower case, without markup and leading punctuation, as the expressions match
 * it.
 */
export function openingOf(text: string): string {
  return text
    .trimStart()
    .slice(0, 300)
    .split('\n', 1)[0]!
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(
      /^(?:\/\/|[#>*_\s\p{Extended_Pictographic}]|\ufe0f|(?:important|note|critical|mandatory|warning|tip)\s*:|\[!\w+\])+/u,
      '',
    )
    .trim();
}
