import { perObject } from '../text/memo.ts';
import type { TemplatePart } from './template.ts';

/** A part that is there when a field is, and that begins with words. */
type Labelled = Extract<TemplatePart, { do: 'if' }>;

/**
 * The parts of a template with those below the content, each of which has words and a field, in the order of some names;
 * what is not named keeps its place. The same parts where nothing moves.
 */
export function inOrder(parts: readonly TemplatePart[], names: readonly string[]): readonly TemplatePart[] {
  const own = labelledBelowContent(parts).filter(part => names.includes(fieldOf(part)));
  if (own.length < 2) return parts;
  const rank = (part: Labelled) => names.indexOf(fieldOf(part));
  const sorted = [...own].sort((one, other) => rank(one) - rank(other));
  if (sorted.every((part, at) => part === own[at])) return parts;
  return parts.map(part => {
    const at = own.indexOf(part as Labelled);
    return at === -1 ? part : sorted[at]!;
  });
}

/** The names of the fields whose parts a text has below the content, in its order, as far as their first words tell. */
export function orderIn(parts: readonly TemplatePart[], text: string): string[] {
  const found = labelledBelowContent(parts).flatMap(part => {
    const at = text.indexOf(`\n${String(part.body[0]).trim()}`);
    return at === -1 ? [] : [{ field: fieldOf(part), at }];
  });
  return found.sort((one, other) => one.at - other.at).map(({ field }) => field);
}

const labelledBelowContent = perObject((parts: readonly TemplatePart[]): readonly Labelled[] => {
  const content = parts.findIndex(
    part => typeof part === 'object' && part.do === 'show' && nameIn(part.of) === 'content',
  );
  return parts.flatMap((part, at) => {
    const isBelow =
      content !== -1 && at > content && typeof part === 'object' && part.do === 'if' && !part.else;
    return isBelow && typeof part.body[0] === 'string' && part.body[0].trim() !== '' ? [part] : [];
  });
});

const fieldOf = ({ of }: Labelled): string => nameIn(of);

/** Asked of a template for each item. */
const nameIn = perObject((of: Labelled['of']): string => ('value' in of ? '' : of.path.join('.')));
