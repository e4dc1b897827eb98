import type { Limit } from '../generated/types/target.ts';

const encoder = new TextEncoder();
/** A common estimate for English prose and code, without a tokenizer. */
const charactersPerToken = 4;

/** Size in the unit of the vendor. Tokens are estimated. */
export function sizeOf(text: string, unit: Limit['unit']): number {
  if (unit === 'bytes') return encoder.encode(text).length;
  if (unit === 'lines') return text.split('\n').length - 1;
  let characters = text.length;
  // A character outside the basic plane is two code units.
  for (const _pair of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) characters--;
  return unit === 'tokens' ? tokensOf(characters) : characters;
}

/** Estimated tokens of so many characters. */
export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken);

/** The beginning of a text that has at most `max` of the unit; no character is split. */
export function beginningOf(text: string, max: number, unit: Limit['unit']): string {
  if (max <= 0) return '';
  if (unit === 'lines') return text.split('\n').slice(0, max).join('\n');
  if (unit === 'bytes') return text.slice(0, encoder.encodeInto(text, new Uint8Array(max)).read);
  return [...text].slice(0, unit === 'tokens' ? max * charactersPerToken : max).join('');
}

/** A limit as it is in this project: an option of the tool may replace its number. */
export function withOption(limit: Limit, options?: ReadonlyMap<string, unknown>): Limit {
  const max = limit.option === undefined ? undefined : options?.get(limit.option);
  return typeof max === 'number' ? { ...limit, max } : limit;
}
