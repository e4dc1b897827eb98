import handlebars from 'handlebars/runtime.js';
import type { Prose, Text } from '../model/model.ts';
import { joinTexts, plainText, Traced } from '../text/traced.ts';

/** Layout functions that a template may call, implemented for a convention. */
export interface Helpers {
  /** A subsection below the section of the template. */
  readonly part: (title: Text, body: Text) => Text;
  readonly bullet: (body: Text) => Text;
  /** A list of names and values. */
  readonly fields: (data: unknown) => Text;
  /** Renders the prose of an item. */
  readonly prose: (content: readonly Prose[]) => Text;
  /** Set when texts are traced: gives the literal words of the template their origin. */
  readonly literal?: ((words: string, template: string) => Text) | undefined;
}

type View = Readonly<Record<string, unknown>>;

/** A template. `uses` lists the top-level and item fields that it uses. */
export interface Template {
  /** Its key, such as `body:skill`, or its place in a configuration. */
  readonly name: string;
  readonly uses: readonly string[];
  readonly code: HandlebarsTemplateDelegate<unknown>;
}

/** A precompiled template in `src/generated`. */
export interface PrecompiledTemplate {
  readonly uses: readonly string[];
  readonly code: object;
}

/** Creates a template from the output of `Handlebars.precompile`. */
export const loadTemplate = (name: string, { uses, code }: PrecompiledTemplate): Template => ({
  name,
  uses,
  code: runtime.template(code),
});

/** The types of the package omit the exports of this module. */
const runtime = (handlebars as unknown as typeof import('handlebars')).create();

/** Renders a template. The view contains texts and plain data. */
export function renderTemplate({ name, code }: Template, view: View, helpers: Helpers): Text {
  const { literal } = helpers;
  const marks = literal ? traceMarks(words => literal(words, name)) : noMarks;
  const options = { ...noPrototypes, helpers: helperNames(helpers, marks) };
  return marks.take(code(marks.put(view), options));
}

/** The view is data: inherited properties are never read. */
const noPrototypes = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };

/** Headings have six levels. A larger number is a mistake and could exhaust memory. */
const mostRepeats = 100;

type Block = { readonly fn?: (view: unknown) => string };

function helperNames(
  helpers: Helpers,
  { put, take, data }: Marks,
): Record<string, (...given: never[]) => unknown> {
  const text = (value: unknown): Text => take(written(value)) as Text;
  return {
    part(this: unknown, title: unknown, { fn }: Required<Block>) {
      return put(helpers.part(text(title), text(fn(this))));
    },
    bullet(this: unknown, { fn }: Required<Block>) {
      return put(helpers.bullet(text(fn(this))));
    },
    fields: (given: unknown) => put(helpers.fields(data(given))),
    // `{{#repeat 2}}…{{/repeat}}`, or `{{repeat "=" 2}}`.
    repeat(this: unknown, ...given: unknown[]) {
      const { fn } = given.pop() as Block;
      const times = Math.min(Number(given.pop()) || 0, mostRepeats);
      return (fn ? fn(this) : written(given[0])).repeat(Math.max(0, times));
    },
  };
}

const written = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** Noncharacters, which Unicode reserves for internal use. Templates must not contain them. */
const [opening, closing] = ['\ufdd0', '\ufdd1'];
const mark = new RegExp(`${opening}(\\d+)${closing}`);

/** Whether a template contains the characters that are used as marks. */
export const hasMarks = (template: string): boolean =>
  template.includes(opening) || template.includes(closing);

/** Encodes values for the view of a template, and decodes texts in its output. */
interface Marks {
  /** Encodes a text, or data with texts in it. */
  readonly put: (value: unknown) => unknown;
  /** Decodes the output of a template. */
  readonly take: (written: string) => Text;
  /** Restores data that `put` encoded. */
  readonly data: (put: unknown) => unknown;
}

/** Plain strings are passed through. */
const noMarks: Marks = { put: value => value, take: written => written, data: value => value };

/** For traced texts: the template gets a mark for each text. `literal` traces the words of the template. */
function traceMarks(literal: (words: string) => Text): Marks {
  const texts: Text[] = [];
  const origins = new Map<unknown, unknown>();
  const put = (value: unknown): unknown => {
    if (typeof value === 'string' || value instanceof Traced)
      return plainText(value) === '' ? '' : `${opening}${texts.push(value) - 1}${closing}`;
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
