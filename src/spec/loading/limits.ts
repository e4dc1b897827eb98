import type { Limit, TargetSpec } from '../../generated/types/target.ts';

/** A loaded file, or what a limit leaves of it, in the order in which the tool loads it. */
export interface LoadedPart {
  readonly path: string;
  readonly text: string;
  /** The file whose `@` line imported it. */
  readonly importedBy?: string;
  /** The folder of a nested main file that is only loaded after a file of that folder was read. */
  readonly onReadOf?: string;
}

/** The first text of a chain that a limit cuts. */
interface Cut {
  readonly path: string;
  readonly line: number;
  readonly limit: Limit;
}

/** The texts that a tool loads, in order, with the limit that applies and what it cuts. */
export interface Loaded {
  readonly parts: readonly LoadedPart[];
  readonly size?: number;
  readonly limit?: Limit;
  readonly cut?: Cut;
}

/** Cuts each text at the limit per file. */
export function cutFiles(parts: readonly LoadedPart[], limit: Limit | undefined): Loaded {
  if (!limit) return { parts };
  let cut: Cut | undefined;
  const { max, unit } = limit;
  const kept = parts.map(part => {
    if (sizeOf(part.text, unit) <= max) return part;
    const text = firstOf(part.text, max, unit);
    cut ??= { path: part.path, line: text.split('\n').length, limit };
    return { ...part, text };
  });
  return { parts: kept, limit, ...(cut && { cut }) };
}

/** The limit for the sum of all main files beyond which the tool cuts, as the options set it. */
export const chainLimit = (spec: TargetSpec, options?: ReadonlyMap<string, unknown>): Limit | undefined =>
  mainLimit(spec, options, ({ scope, then }) => scope === 'total' && then !== 'advice');

/** The limit for each main file beyond which the tool cuts its end. */
export const fileLimit = (spec: TargetSpec, options?: ReadonlyMap<string, unknown>): Limit | undefined =>
  mainLimit(spec, options, ({ scope, then }) => scope !== 'total' && then === 'cut');

function mainLimit(
  { files, limits }: TargetSpec,
  options: ReadonlyMap<string, unknown> | undefined,
  isWanted: (limit: Limit) => boolean,
): Limit | undefined {
  const limit = limits?.find(one => {
    const main = files[one.file];
    return main && 'of' in main && main.of === 'instructions' && one.field === undefined && isWanted(one);
  });
  return limit && withOption(limit, options);
}

/** Cuts a chain of files where their sum reaches the limit. */
export function cutChain(parts: readonly LoadedPart[], limit: Limit | undefined): Loaded {
  if (!limit) return { parts };
  const size = parts.reduce((sum, { text }) => sum + sizeOf(text, limit.unit), 0);
  if (limit.then !== 'cut' || size <= limit.max) return { parts, size, limit };
  let left = limit.max;
  const kept: LoadedPart[] = [];
  let cut: Cut | undefined;
  for (const part of parts) {
    const own = sizeOf(part.text, limit.unit);
    if (own > left) {
      const text = firstOf(part.text, left, limit.unit);
      cut ??= { path: part.path, line: text.split('\n').length, limit };
      if (text !== '') kept.push({ ...part, text });
      left = 0;
      continue;
    }
    left -= own;
    kept.push(part);
  }
  return { parts: kept, size, limit, ...(cut && { cut }) };
}

const encoder = new TextEncoder();
/** A common estimate for English prose and code, without a tokenizer. */
const charactersPerToken = 4;

/** Size of a text in the unit of the vendor. Tokens are estimated. */
export function sizeOf(text: string, unit: Limit['unit']): number {
  if (unit === 'bytes') return encoder.encode(text).length;
  if (unit === 'lines') return text.split('\n').length - 1;
  let characters = text.length;
  // A character outside the basic multilingual plane is two code units.
  for (const _pair of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) characters--;
  return unit === 'tokens' ? tokensOf(characters) : characters;
}

export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken);

/** The longest prefix of a text with at most `max` units; characters are not split. */
function firstOf(text: string, max: number, unit: Limit['unit']): string {
  if (max <= 0) return '';
  if (unit === 'lines') return text.split('\n').slice(0, max).join('\n');
  if (unit === 'bytes') return text.slice(0, encoder.encodeInto(text, new Uint8Array(max)).read);
  return [...text].slice(0, unit === 'tokens' ? max * charactersPerToken : max).join('');
}

/** A limit in this project: an option of the tool may replace its number. */
export function withOption(limit: Limit, options?: ReadonlyMap<string, unknown>): Limit {
  const max = limit.option === undefined ? undefined : options?.get(limit.option);
  return typeof max === 'number' ? { ...limit, max } : limit;
}
