import handlebars from 'handlebars/runtime.js';
import type { Prose, Text } from '../model/model.ts';
import { inOrder } from '../text/in-order.ts';
import { joinTexts, plainText, Traced } from '../text/traced.ts';

/** Layout functions a template may call; they know the convention. */
export interface Helpers {
  /** A subsection below the section of the template. */
  readonly part: (title: Text, body: Text) => Text;
  readonly bullet: (body: Text) => Text;
  /** A list of names and values. */
  readonly fields: (data: unknown) => Text;
  /** Laid-out content of an item that is made of prose. */
  readonly prose: (content: readonly Prose[]) => Text;
  /** Where texts are traced: gives the template's own words their origin. */
  readonly literal?: ((words: string, template: string) => Text) | undefined;
}

type View = Readonly<Record<string, unknown>>;

/** A template of Handlebars that was compiled. */
export type Compiled = HandlebarsTemplateDelegate<unknown>;

/**
 * Top-level statements of a template that are compiled together. A labelled part below the content is a section of its
 * own, by its field, because such parts follow the order of the source.
 */
export interface TemplateSection<T = Compiled> {
  readonly field?: string;
  readonly code: T;
}

/** A template; `uses` lists the top-level and item fields it mentions. */
export interface Template {
  /** Which one it is: `body:skill`, or the place in a configuration. */
  readonly name: string;
  readonly uses: readonly string[];
  readonly sections: readonly TemplateSection[];
}

/** A template as the build leaves it in `src/generated`. */
export interface PrecompiledTemplate {
  readonly uses: readonly string[];
  readonly sections: readonly TemplateSection<object>[];
}

/** Makes a template of what `Handlebars.precompile` gave. */
export const loadTemplate = (name: string, { uses, sections }: PrecompiledTemplate): Template => ({
  name,
  uses,
  sections: sections.map(({ code, ...section }) => ({ ...section, code: runtime.template(code) })),
});

/** The types of the package leave the exports of this module out. */
const runtime = (handlebars as unknown as typeof import('handlebars')).create();

/** Renders a template with texts and plain data. Labelled parts below the content follow the fields in `order`. */
export function renderTemplate(
  template: Template,
  view: View,
  helpers: Helpers,
  order: readonly string[] = [],
): Text {
  const { literal } = helpers;
  const marks = literal ? traceMarks(words => literal(words, template.name)) : noMarks;
  const options = { ...noPrototypes, helpers: calledHelpers(helpers, marks) };
  const given = marks.put(view);
  const sections = inOrder(template.sections, ({ field }) => field, order);
  return marks.take(sections.map(({ code }) => code(given, options)).join('')) as Text;
}

/** A view is data: nothing is read but what it has itself. */
const noPrototypes = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };

/** Headings have six levels; what is repeated more often is a mistake, and could fill the memory. */
const mostRepeats = 100;

type Block = { readonly fn?: (view: unknown) => string };

function calledHelpers(
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

/** Noncharacters: Unicode keeps them for the inner use of programs. Templates must not have them. */
const [opening, closing] = ['\ufdd0', '\ufdd1'];
const mark = new RegExp(`${opening}(\\d+)${closing}`);

/** Whether a template has characters that are used as marks. */
export const hasMarks = (template: string): boolean =>
  template.includes(opening) || template.includes(closing);

/** Puts values into the view of a template, and takes texts out of what it wrote. */
interface Marks {
  /** A text, or data with texts in it, as the template is given it. */
  readonly put: (value: unknown) => unknown;
  /** A text that the template wrote. */
  readonly take: (written: string) => Text;
  /** Data as it was before `put`. */
  readonly data: (put: unknown) => unknown;
}

/** Plain strings go in and come out as they are. */
const noMarks: Marks = { put: value => value, take: written => written, data: value => value };

/** Marks for traced texts: the template is given a mark for each. `literal` traces the words of the template. */
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
