import { words as data } from '../../../generated/import.ts';
import type { ImportWords } from '../../../generated/types/import-words.ts';

/** The words of `conventions/import.yaml`, ready for lookups. */
export interface ImportVocabulary {
  readonly data: ImportWords;
  /** Whole headings and words in headings, with the block and the weight. */
  readonly headings: ReadonlyMap<string, readonly Vote[]>;
  readonly phrases: readonly (Vote & { readonly text: string })[];
  /** Parts of headings, in languages that join words. */
  readonly parts: readonly (Vote & { readonly text: string })[];
  readonly openings: readonly (Vote & { readonly match: RegExp })[];
  readonly forbids: readonly RegExp[];
  readonly asks: ReadonlySet<string>;
  readonly programs: ReadonlySet<string>;
  readonly shells: ReadonlySet<string>;
  readonly stack: ReadonlySet<string>;
  /** Headings under which slash commands are commands to keep. */
  readonly commands: ReadonlySet<string>;
}

/** One reason to choose a block. */
interface Vote {
  readonly block: string;
  readonly weight: number;
}

/** Words inside a heading say less than the whole of it. */
const containedShare = 0.85;

let prepared: ImportVocabulary | undefined;

/** The words by which import tells sections apart; prepared when they are first asked for. */
export function importWords(): ImportVocabulary {
  prepared ??= prepare(data);
  return prepared;
}

function prepare(data: ImportWords): ImportVocabulary {
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
    headings,
    phrases,
    parts,
    openings: data.openings.flatMap(({ block, weight, match }) =>
      match.map(expression => ({ block, weight, match: new RegExp(expression, 'u') })),
    ),
    forbids: data.forbids.map(expression => new RegExp(expression, 'u')),
    asks: new Set(data.asks.trim().split(/\s+/)),
    programs: new Set(data.programs.trim().split(/\s+/)),
    shells: new Set(data.shells),
    stack: new Set(data.stack),
    commands: new Set(data.commands),
  };
}

/** A heading as its plain words: numbering, signs and markup go. */
export function plainHeading(title: string): string {
  return title
    .toLowerCase()
    .replace(/['’`*_]/g, '')
    .replace(/\s&\s/g, ' and ')
    .replace(/^[\s\d.()#:>-]+(?=\p{L})/u, '')
    .replace(/[^\p{L}\p{N}+]+/gu, ' ')
    .trim();
}

/** What a heading says by itself, the best vote of each block. */
export function headingVotes(title: string, words: ImportVocabulary): ReadonlyMap<string, number> {
  const plain = plainHeading(title);
  const votes = new Map<string, number>();
  const add = ({ block, weight }: Vote) => votes.set(block, Math.max(weight, votes.get(block) ?? 0));
  for (const vote of words.headings.get(plain) ?? []) add(vote);
  if (votes.size > 0) return votes;
  const padded = ` ${plain} `;
  for (const { text, block, weight } of words.phrases) {
    // A heading that begins with the words says it as clearly as the words alone.
    if (padded.startsWith(text)) add({ block, weight: weight / containedShare });
    else if (padded.includes(text)) add({ block, weight });
  }
  for (const vote of words.parts) if (plain.includes(vote.text)) add(vote);
  return votes;
}

/** What the beginning of a text says: the first expression that matches. */
export function openingVote(text: string, words: ImportVocabulary): Vote | undefined {
  const start = openingOf(text);
  return words.openings.find(opening => opening.match.test(start));
}

/** The first line of a text in lower case, without markup and signs in front; expressions never see more. */
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
