import type { RootContent } from 'mdast';
import { conventions } from '../../../generated/conventions.ts';
import { classify } from './classify.ts';
import { lastLine, type Markdown, type MarkdownSection, readSections, sliceLines } from './markdown.ts';
import { introductionBias, nodesOf, splitUntitled, type TextUnit, unitOfSection } from './units.ts';
import type { ImportVocabulary } from './words.ts';

/** A document cut into units so that sections keep their order and subsections. */
interface PlacedUnits {
  /** The lines up to the main heading; absent when there is none, or when the compiler writes it again. */
  readonly title?: string;
  readonly units: readonly TextUnit[];
}

/** Blocks that accept any text. A section whose best block would change the order stays in one of them. */
const open = ['context', 'standards', 'knowledge'];

const order = (conventions.catalogue.lists.standard ?? []).filter(key => key !== '*');

/** Cuts a document at its top-level sections; each of them stays whole. */
export function readUnitsInPlace(markdown: Markdown, words: ImportVocabulary): PlacedUnits {
  const sections = readSections(markdown);
  const top = titleOf(sections);
  if (!top) return { units: sections.flatMap(section => unitsOf(section, words)) };
  const loose = top.own.length > 0 ? splitUntitled(top.own, words, introductionBias) : [];
  const units = [...loose, ...top.children.flatMap(child => unitsOf(child, words))];
  const written = top.title === conventions.catalogue.heading && sections.length === 1;
  return { units, ...(!written && { title: sliceLines(markdown, 1, lastLine(top.heading!)) }) };
}

/** The heading that contains the whole document; only comments may precede it. */
function titleOf(sections: readonly MarkdownSection[]): MarkdownSection | undefined {
  const last = sections.at(-1);
  if (
    last?.depth !== 1 ||
    last.title === '' ||
    last.children.length + last.own.length === 0 ||
    sections.length > 2
  )
    return undefined;
  const isComment = (node: RootContent) => node.type === 'html' && node.value.startsWith('<!--');
  return sections.length === 1 || sections[0]!.own.every(isComment) ? last : undefined;
}

function unitsOf(section: MarkdownSection, words: ImportVocabulary): TextUnit[] {
  if (!section.heading) return splitUntitled(section.own, words);
  return [unitOfSection(section, classify(section.title, nodesOf(section), words))];
}

/**
 * Assigns a block to each unit so that the sections of the compiled document are in the order of the units.
 * As many units as possible, the most certain first, get the block that fits them best. `wanted` is a block
 * that takes precedence over that.
 */
export function assignBlocksInOrder<U extends TextUnit>(
  units: readonly U[],
  wanted: (unit: U) => string | undefined,
): readonly U[] {
  const choices = units.map(unit => choicesFor(unit, wanted(unit)));
  // best[unit][block]: the best total for all units up to this one, and the previous choice that leads to it.
  const best: { readonly worth: number; readonly before: number }[][] = [];
  for (const [index, options] of choices.entries()) {
    best.push(
      options.map(({ place, worth }) => {
        let chosen = { worth: index === 0 ? worth : Number.NEGATIVE_INFINITY, before: -1 };
        for (const [at, before] of (choices[index - 1] ?? []).entries()) {
          if (before.place > place) continue;
          // Prefers keeping neighbours in the same block when nothing else decides.
          const sum = best[index - 1]![at]!.worth + worth + (before.place === place ? 0.001 : 0);
          if (sum > chosen.worth) chosen = { worth: sum, before: at };
        }
        return chosen;
      }),
    );
  }
  const blocks: string[] = [];
  let at = indexOfBest(best.at(-1) ?? []);
  for (let index = units.length - 1; index >= 0; index--) {
    blocks[index] = choices[index]![at]!.block;
    at = best[index]![at]!.before;
  }
  return units.map((unit, index) =>
    unit.block === blocks[index] ? unit : { ...unit, block: blocks[index]! },
  );
}

function choicesFor({ block, confidence }: TextUnit, wanted: string | undefined) {
  const known = order.includes(block) ? [block] : [];
  return [...new Set([...known, ...(wanted === undefined ? [] : [wanted]), ...open])].map(name => ({
    block: name,
    place: order.indexOf(name),
    worth: (name === block ? Math.max(confidence, 0.05) : 0) + (name === wanted ? 2 : 0),
  }));
}

const indexOfBest = (worths: readonly { readonly worth: number }[]): number =>
  worths.reduce((best, { worth }, index) => (worth > (worths[best]?.worth ?? -1) ? index : best), 0);
