import type { OutputConvention } from '../../generated/types/config.ts';
import { keyOrigins, type ListItem, type Origin, type Prose, type Text } from '../../model/model.ts';
import { type Helpers, renderTemplate, type Template } from '../../spec/template.ts';
import { builtinTemplate } from '../../spec/templates.ts';
import { fenceAround } from '../../text/fences.ts';
import { nestHeadings } from '../../text/headings.ts';
import { wordsOf } from '../../text/title.ts';
import {
  joinTexts,
  plainText,
  removeText,
  replaceText,
  replaceWords,
  Traced,
  traced,
  trimBlankLines,
} from '../../text/traced.ts';
import type { ConventionTemplates, EmitSettings, TargetRequest } from '../request.ts';

/** Gives literal text of templates and conventions its origin, when texts are traced. */
export type Literal = (words: string, by: string) => Text;

export interface Layouter {
  /** Whether sections are headings, so that headings in their text must be deeper. */
  readonly headings: boolean;
  section(level: number, title: Text, content: Text): Text;
  prose(content: readonly Prose[], level: number): Text;
  helpers(level: number): Helpers;
  document(content: Text): Text;
}

const nothing = () => '';

/** The helpers of templates that show single values only. */
export const noLayout: Helpers = { part: nothing, bullet: nothing, fields: nothing, prose: nothing };

/** Section level of a document: below the main heading. */
export const sectionLevel = 2;

export const joinFilled = (texts: readonly Text[], separator: string): Text =>
  joinTexts(
    texts.filter(text => plainText(text) !== ''),
    separator,
  );

/** The level of the heading that a template wrote, which may differ from that of the section. */
const depthOf = (start: Text, level: number): number =>
  /^#{1,6}(?= )/.exec(plainText(start))?.[0].length ?? level;

function listLine(start: string, { label, text = '' }: ListItem, inner: string): Text {
  const named = label === undefined ? [] : [joinTexts([label, ':'])];
  const words = joinFilled([...named, text], ' ');
  return removeText(joinTexts([start, replaceText(words, innerLine, () => `\n${inner}`)]), /\s+$/);
}

/** A code block with the delimiter of a convention. */
function codeBlock(fence: string, language: string, text: Text): Text {
  const inside = plainText(text);
  // A delimiter of a convention may be something other than a Markdown fence.
  const mark = /^(`+|~+)$/.test(fence) ? fenceAround(inside, fence) : fence;
  return joinTexts([`${mark}${language}\n`, text, `${inside.endsWith('\n') ? '' : '\n'}${mark}`]);
}

/** Creates the layout functions of a convention. */
function createLayouter(
  convention: OutputConvention,
  templates: ConventionTemplates,
  settings: EmitSettings,
): Layouter {
  const literal = settings.trace ? literalFor(settings) : undefined;
  const headings = !convention.section.end;
  const marker = { dash: '-', asterisk: '*', bullet: '•', numbered: '1.' }[convention.listStyle ?? 'dash'];
  const numbered = convention.listStyle === 'numbered';
  const fence = convention.codeBlockDelimiter ?? '```';
  const bare: Helpers = { ...noLayout, literal };

  const rendererAt = (level: number) => (level > sectionLevel && convention.subsection) || convention.section;

  /**
   * A heading does not enclose its content. Indentation, if configured, applies to the text but not to
   * sections: deeper levels would turn into code blocks.
   */
  function below(level: number, content: Text): Text {
    const { end, indent = '' } = rendererAt(level);
    return end || level < sectionLevel ? content : indented(content, indent);
  }

  function section(level: number, title: Text, content: Text): Text {
    const { nameTransform: how = 'kebab-case', end: hasEnd, indent = '  ' } = rendererAt(level);
    const parts = level > sectionLevel ? templates.subsection : templates.section;
    const name = how === 'none' ? title : replaceWords(title, inCase(plainText(title), how));
    const opened = renderTemplate(parts.start, { name, level, content: '' }, bare);
    const nested = headings ? nestHeadings(content, depthOf(opened, level) + 1) : content;
    // Content between a start and an end is indented as a whole.
    const view = { name, level, content: hasEnd ? indented(nested, indent) : nested };
    const holdsBody = parts.start.uses.includes('content');
    const end = parts.end ? renderTemplate(parts.end, view, bare) : '';
    const inner = holdsBody ? [renderTemplate(parts.start, view, bare)] : [opened, view.content];
    // Tags are written without blank lines inside; a heading is followed by an empty line, as Markdown
    // formatters write it.
    return plainText(end) === '' ? joinFilled(inner, '\n\n') : joinFilled([...inner, end], '\n');
  }

  function list(items: readonly ListItem[], pad = ''): Text {
    const lines: Text[] = [];
    items.forEach((item, index) => {
      const mark = numbered ? `${index + 1}.` : marker;
      // In Markdown, content belongs to a list item if it is indented to the first word of the item.
      const inner = pad + ' '.repeat(mark.length + 1);
      lines.push(listLine(`${pad}${mark} `, item, inner));
      if (item.items && item.items.length > 0) lines.push(list(item.items, inner));
    });
    return joinTexts(lines, '\n');
  }

  function prosePart(part: Prose, level: number): Text {
    if (part.kind === 'group')
      return section(level + 1, part.title ?? part.key, prose(part.content, level + 1));
    return below(level, wordsOfPart(part));
  }

  function wordsOfPart(part: Exclude<Prose, { kind: 'group' }>): Text {
    if (part.kind === 'text') return trimBlankLines(part.text);
    return part.kind === 'list' ? list(part.items) : codeBlock(fence, part.language, part.text);
  }

  const prose = (content: readonly Prose[], level: number): Text =>
    joinFilled(
      content.map(part => prosePart(part, level)),
      '\n\n',
    );

  return {
    headings,
    section,
    prose,
    helpers: level => ({
      part: (title, body) =>
        joinTexts([section(level + 1, title, below(level + 1, trimBlankLines(body))), '\n\n']),
      bullet: body => below(level, list([{ text: replaceText(trimBlankLines(body), /\n+/g, () => ' ') }])),
      fields: data => below(level, list(dataItems(data))),
      prose: content => prose(content, level),
      literal,
    }),
    document: content => {
      const { rootWrapper: root } = convention;
      if (!root) return content;
      const words = (text: string) => literalFor(settings)(text, `convention:${convention.name}:rootWrapper`);
      const gap = plainText(content).endsWith('\n') ? '' : '\n';
      return joinTexts([words(root.start), '\n', content, gap, words(root.end), '\n']);
    },
  };
}

const indented = (text: Text, by: string): Text =>
  by === '' ? text : replaceText(text, /^(?=[^\n])/gm, () => by);

/** A line break inside a list item. */
const innerLine = /\n(?!\n|$)/g;

/** Converts names and values to list items; values are texts, lists and objects of them. */
function dataItems(data: unknown): ListItem[] {
  if (Array.isArray(data)) return data.flatMap(dataItems);
  if (isTextual(data)) return [{ text: textOf(data) }];
  const names = (data as { [keyOrigins]?: ReadonlyMap<string, Origin> })[keyOrigins];
  return Object.entries(data as object).map(([key, value]) => {
    const origin = names?.get(key);
    const label: Text = origin ? traced(key, origin) : key;
    if (Array.isArray(value) && value.every(isTextual))
      return { label, text: joinTexts(value.map(textOf), ', ') };
    return isTextual(value) ? { label, text: textOf(value) } : { label, items: dataItems(value) };
  });
}

const isTextual = (data: unknown): boolean =>
  typeof data !== 'object' || data === null || data instanceof Traced;

const textOf = (data: unknown): Text => (data instanceof Traced ? (data as Traced<Origin>) : String(data));

function inCase(name: string, how: 'kebab-case' | 'camelCase' | 'PascalCase'): string {
  const words = wordsOf(name.replace(/[^\p{L}\p{N}\s_-]+/gu, ' ')).map(word => word.toLowerCase());
  if (how === 'kebab-case') return words.join('-');
  const capital = words.map(word => word[0]!.toUpperCase() + word.slice(1));
  if (how === 'camelCase' && capital.length > 0) capital[0] = words[0]!;
  return capital.join('');
}

/** The template of a body: one of `conventions/bodies/`, or one inside the spec. */
export function bodyTemplate(
  request: TargetRequest,
  place: string | undefined,
  name: string,
): Template | undefined {
  if (!name.includes('{{')) return builtinTemplate(`body:${name}`);
  const { loaded, spec } = request;
  return loaded.templates.get(`body:${place}`) ?? builtinTemplate(`spec:${spec.id}:body:${place}`);
}

/**
 * The layouter of a convention: from the configuration, else a built-in one. A convention with invalid
 * templates was reported and left out; the default that replaces it here is never written.
 */
export function makeLayouter(name: string, settings: EmitSettings): Layouter {
  const custom = settings.customConventions.get(name);
  if (custom) return createLayouter(custom.convention, custom.templates, settings);
  const { conventions } = settings.conventions;
  const known = Object.hasOwn(conventions, name) ? name : 'markdown';
  const convention = conventions[known]!;
  const part = (of: 'section' | 'subsection') => {
    const own = convention[of] ? of : 'section';
    const end = builtinTemplate(`convention:${known}:${own}:end`);
    return { start: builtinTemplate(`convention:${known}:${own}:start`)!, ...(end && { end }) };
  };
  return createLayouter(convention, { section: part('section'), subsection: part('subsection') }, settings);
}

export const literalFor = ({ trace }: Pick<EmitSettings, 'trace'>): Literal =>
  trace ? (words, by) => traced(words, { kind: 'layout', by: fileOfTemplate(by) }) : words => words;

/** The place in a spec that literal text comes from. */
export const specPlace = ({ loaded, spec }: TargetRequest, place: string): string =>
  `${loaded.file ?? `targets/${spec.id}.yaml`}: ${place}`;

/** The file of a built-in template; other templates are identified by their names. */
function fileOfTemplate(name: string): string {
  const [kind, first, ...rest] = name.split(':') as [string, ...string[]];
  if (kind === 'section') return `conventions/sections/${first}.hbs`;
  if (kind === 'body') return `conventions/bodies/${first}.hbs`;
  if (kind === 'convention') return `conventions/${first}.yaml: ${rest.join('.')}`;
  if (kind === 'spec') return `targets/${first}.yaml: ${rest.join('.')}`;
  return name;
}
