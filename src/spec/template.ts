import type { Prose } from '../model/model.ts';
import type { Origin, Text } from '../model/origin.ts';
import { joinTexts, Traced } from '../text/traced.ts';

/** What a template names: a field of what it is given, `this`, or with `data` a fact about a loop such as `@last`. */
export interface FieldPath {
  readonly path: readonly string[];
  /** How many loops further out it is looked for: `../name`. */
  readonly up?: number;
  readonly data?: true;
}

/** What a helper of a template is given: a field, or a constant. */
export type Operand = FieldPath | { readonly value: string | number | boolean };

/**
 * A template as the interpreters read it: words that stand as they are, and what is done with fields. It is made of
 * the syntax tree of Handlebars, whose language it is (`template-syntax.ts`).
 */
export type TemplatePart =
  | string
  | { readonly do: 'show'; readonly of: Operand }
  | {
      readonly do: 'if';
      readonly of: Operand;
      readonly not?: true;
      readonly body: readonly TemplatePart[];
      readonly else?: readonly TemplatePart[];
    }
  | {
      readonly do: 'each';
      readonly of: Operand;
      readonly body: readonly TemplatePart[];
      readonly else?: readonly TemplatePart[];
    }
  | { readonly do: 'repeat'; readonly times: Operand; readonly body: readonly TemplatePart[] }
  | { readonly do: 'part'; readonly title: Operand; readonly body: readonly TemplatePart[] }
  | { readonly do: 'bullet'; readonly body: readonly TemplatePart[] }
  | { readonly do: 'fields'; readonly of: Operand };

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

/** Where a name is looked for: what the template was given, or the element of a loop. */
interface Scope {
  readonly view: unknown;
  readonly outer?: Scope;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Headings have six levels; what is repeated more often is a mistake, and could fill the memory. */
const mostRepeats = 100;

interface Rendering {
  readonly helpers: Helpers;
  readonly template: string;
}

/** Lays a view out. Values are texts, lists, plain data; what is absent is nothing. */
export function renderTemplate(
  parts: readonly TemplatePart[],
  view: Readonly<Record<string, unknown>>,
  helpers: Helpers,
  template: string,
): Text {
  return asOne(renderTexts(parts, view, helpers, template));
}

/** The same before it is put together: texts that stand one after the other, of which none is empty. */
export function renderTexts(
  parts: readonly TemplatePart[],
  view: Readonly<Record<string, unknown>>,
  helpers: Helpers,
  template: string,
): Text[] {
  return textsFor(parts, { view, data: { root: view } }, { helpers, template });
}

function textsFor(parts: readonly TemplatePart[], scope: Scope, made: Rendering): Text[] {
  const texts: Text[] = [];
  parts.forEach(part => {
    const text = renderPart(part, scope, made);
    // Most parts are about what is absent.
    if (text !== '') texts.push(text);
  });
  return texts;
}

/** A text that stays alone is itself, and nobody copies its characters. */
const asOne = (texts: readonly Text[]): Text => (texts.length === 1 ? texts[0]! : joinTexts(texts));

const render = (parts: readonly TemplatePart[], scope: Scope, made: Rendering): Text =>
  asOne(textsFor(parts, scope, made));

function renderPart(part: TemplatePart, scope: Scope, made: Rendering): Text {
  const { helpers, template } = made;
  if (typeof part === 'string') return helpers.literal?.(part, template) ?? part;
  switch (part.do) {
    case 'show':
      return textOf(valueAt(part.of, scope));
    case 'if': {
      const holds = isSomething(valueAt(part.of, scope)) !== (part.not === true);
      const body = holds ? part.body : part.else;
      return body ? render(body, scope, made) : '';
    }
    case 'each':
      return renderLoop(part, scope, made);
    case 'repeat': {
      const times = Math.min(Number(valueAt(part.times, scope)) || 0, mostRepeats);
      const body = render(part.body, scope, made);
      return joinTexts(Array.from({ length: Math.max(0, times) }, () => body));
    }
    case 'part':
      return helpers.part(textOf(valueAt(part.title, scope)), render(part.body, scope, made));
    case 'bullet':
      return helpers.bullet(render(part.body, scope, made));
    case 'fields':
      return helpers.fields(valueAt(part.of, scope));
  }
}

function renderLoop(
  { of, body, else: otherwise }: Extract<TemplatePart, { do: 'each' }>,
  outer: Scope,
  made: Rendering,
): Text {
  const value = valueAt(of, outer);
  const entries =
    typeof value === 'object' && value !== null && !(value instanceof Traced) ? Object.entries(value) : [];
  if (entries.length === 0) return render(otherwise ?? [], outer, made);
  return joinTexts(
    entries.map(([key, view], index) => {
      const data = { ...outer.data, key, index, first: index === 0, last: index === entries.length - 1 };
      return render(body, { view, outer, data }, made);
    }),
  );
}

function valueAt(operand: Operand, scope: Scope): unknown {
  if ('value' in operand) return operand.value;
  let from: Scope | undefined = scope;
  for (let up = operand.up ?? 0; up > 0; up--) from = from?.outer;
  let value: unknown = operand.data ? from?.data : from?.view;
  const { path } = operand;
  for (let at = 0; at < path.length; at++) {
    const name = path[at]!;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function isSomething(value: unknown): boolean {
  if (value instanceof Traced) return value.text !== '';
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function textOf(value: unknown): Text {
  if (value instanceof Traced) return value as Traced<Origin>;
  if (Array.isArray(value)) return joinTexts(value.map(textOf), ',');
  return value === undefined || value === null ? '' : String(value);
}

/** The names of the fields that a template mentions, sorted: they count as shown to the reader. */
export function usesOf(parts: readonly TemplatePart[]): string[] {
  const found = new Set<string>();
  const see = (operand: Operand): void => {
    if ('path' in operand && !operand.data && operand.path.length > 0) found.add(operand.path[0]!);
  };
  const visit = (all: readonly TemplatePart[]): void => {
    for (const part of all) {
      if (typeof part === 'string') continue;
      if ('of' in part) see(part.of);
      if ('times' in part) see(part.times);
      if ('title' in part) see(part.title);
      if ('body' in part) visit(part.body);
      if ('else' in part) visit(part.else ?? []);
    }
  };
  visit(parts);
  return [...found].sort();
}
