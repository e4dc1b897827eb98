import { joinTexts, plain, type Text, Traced } from '../text/traced.ts';

/** Noncharacters: Unicode keeps them for the inner use of programs. Templates must not have them. */
const [opening, closing] = ['\ufdd0', '\ufdd1'];
const mark = new RegExp(`${opening}(\\d+)${closing}`);

/** Whether a template has characters that are used as marks. */
export const hasMarks = (template: string): boolean =>
  template.includes(opening) || template.includes(closing);

/** Puts values into the view of a template, and takes texts out of what it wrote. */
export interface Marks {
  /** A text, or data with texts in it, as the template is given it. */
  readonly put: (value: unknown) => unknown;
  /** A text that the template wrote. */
  readonly take: (written: string) => Text;
  /** Data as it was before `put`. */
  readonly data: (put: unknown) => unknown;
}

/** Plain strings go in and come out as they are. */
export const noMarks: Marks = { put: value => value, take: written => written, data: value => value };

/**
 * Marks for traced texts: the template is given a mark for each text, and writes it in the place of the text.
 * `literal` traces the words of the template.
 */
export function traceMarks(literal: (words: string) => Text): Marks {
  const texts: Text[] = [];
  const origins = new Map<unknown, unknown>();
  const put = (value: unknown): unknown => {
    if (typeof value === 'string' || value instanceof Traced)
      return plain(value) === '' ? '' : `${opening}${texts.push(value) - 1}${closing}`;
    if (typeof value !== 'object' || value === null) return value;
    const given = Array.isArray(value)
      ? value.map(put)
      : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one)]));
    origins.set(given, value);
    return given;
  };
  const take = (written: string): Text =>
    joinTexts(
      written
        .split(mark)
        .map((part, index) => (index % 2 === 1 && texts[Number(part)]) || (part === '' ? '' : literal(part))),
    );
  const data = (given: unknown): unknown =>
    typeof given === 'string' ? take(given) : (origins.get(given) ?? given);
  return { put, take, data };
}
