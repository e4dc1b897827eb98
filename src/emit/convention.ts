import type { OutputConvention } from '../generated/types/config.ts';
import { isDataObject } from '../model/data.ts';
import type { Data, ListItem, Prose } from '../model/model.ts';
import type { Helpers, Template } from '../spec/spec.ts';
import { isAscii } from '../text/ascii.ts';
import { nestHeadings } from '../text/headings.ts';
import { wordsOf } from '../text/title.ts';

/** The start and end templates of a convention, compiled. */
export interface ConventionTemplates {
  readonly section: { readonly start: Template; readonly end?: Template };
  readonly subsection: { readonly start: Template; readonly end?: Template };
}

/** Lays out sections, lists and code the way one convention wants it. */
export interface Layouter {
  /** Whether a section is only a heading: then headings in its text must be deeper. */
  readonly headings: boolean;
  section(level: number, title: string, content: string): string;
  prose(content: readonly Prose[], level: number): string;
  helpers(level: number): Helpers;
  document(content: string): string;
}

const noHelpers: Helpers = { part: () => '', bullet: () => '', fields: () => '', prose: () => '' };

/** Section level of a document: below the first heading. */
export const sectionLevel = 2;

export function createLayouter(convention: OutputConvention, templates: ConventionTemplates): Layouter {
  const headings = !convention.section.end;
  const marker = { dash: '-', asterisk: '*', bullet: '•', numbered: '1.' }[convention.listStyle ?? 'dash'];
  const numbered = convention.listStyle === 'numbered';
  const indent = convention.section.indent ?? '  ';
  const fence = convention.codeBlockDelimiter ?? '```';

  function section(level: number, title: string, content: string): string {
    const top = level <= sectionLevel;
    const renderer = (!top && convention.subsection) || convention.section;
    const parts = !top && convention.subsection ? templates.subsection : templates.section;
    const body = headings ? nestHeadings(content, level + 1) : content;
    const name = transform(title, renderer.nameTransform ?? 'kebab-case');
    const view = { name, level, content: body };
    const start = parts.start.render(view, noHelpers);
    const end = parts.end?.render(view, noHelpers) ?? '';
    const inner = parts.start.uses.includes('content') ? [start] : [start, body];
    // Tags hug their content; a heading is followed by an empty line, as Markdown formatters write it.
    return end === ''
      ? inner.filter(text => text !== '').join('\n\n')
      : [...inner, end].filter(text => text !== '').join('\n');
  }

  function list(items: readonly ListItem[], depth: number): string {
    const lines: string[] = [];
    const pad = (numbered ? '   ' : indent).repeat(depth);
    items.forEach((item, index) => {
      const mark = numbered ? `${index + 1}.` : marker;
      const inner = pad + ' '.repeat(mark.length + 1);
      const text = [item.label === undefined ? '' : `${item.label}:`, item.text ?? '']
        .filter(part => part !== '')
        .join(' ');
      lines.push(`${pad}${mark} ${text.replace(/\n(?!\n|$)/g, `\n${inner}`)}`.trimEnd());
      if (item.items && item.items.length > 0) lines.push(list(item.items, depth + 1));
    });
    return lines.join('\n');
  }

  function code(language: string, text: string): string {
    // The fence must be longer than any run of its own character inside the text.
    const own = fence[0]!;
    let longest = 0;
    for (const run of text.match(own === '~' ? /~+/g : /`+/g) ?? []) longest = Math.max(longest, run.length);
    const mark = /^(`+|~+)$/.test(fence) && longest >= fence.length ? own.repeat(longest + 1) : fence;
    return `${mark}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${mark}`;
  }

  function prose(content: readonly Prose[], level: number): string {
    return content
      .map(part => {
        if (part.kind === 'text') return part.text.replace(/^\n+|\s+$/g, '');
        if (part.kind === 'list') return list(part.items, 0);
        if (part.kind === 'code') return code(part.language, part.text);
        return section(level + 1, part.title ?? part.key, prose(part.content, level + 1));
      })
      .filter(text => text !== '')
      .join('\n\n');
  }

  return {
    headings,
    section,
    prose,
    helpers: level => ({
      part: (title, body) => `${section(level + 1, title, tidy(body))}\n\n`,
      bullet: body => list([{ text: tidy(body).replace(/\n+/g, ' ') }], 0),
      fields: data => list(dataItems(data as Data), 0),
      prose: content => prose(content, level),
    }),
    document: content =>
      convention.rootWrapper
        ? `${convention.rootWrapper.start}\n${content}\n${convention.rootWrapper.end}`
        : content,
  };
}

/** Blank lines at the ends go, and no template leaves more than one empty line behind an absent part. */
export const tidy = (text: string): string => text.replace(/^\s*\n|\s+$/g, '');

function dataItems(data: Data): ListItem[] {
  if (Array.isArray(data)) return data.flatMap(dataItems);
  if (!isDataObject(data)) return [{ text: String(data) }];
  return Object.entries(data).map(([key, value]) => {
    if (Array.isArray(value) && value.every(item => typeof item !== 'object'))
      return { label: key, text: value.join(', ') };
    if (typeof value === 'object' && value !== null) return { label: key, items: dataItems(value) };
    return { label: key, text: String(value) };
  });
}

function transform(name: string, how: 'kebab-case' | 'camelCase' | 'PascalCase' | 'none'): string {
  if (how === 'none') return name;
  const words = wordsOf(name.replace(isAscii(name) ? /[^\w\s-]+/g : /[^\p{L}\p{N}\s_-]+/gu, ' ')).map(word =>
    word.toLowerCase(),
  );
  if (how === 'kebab-case') return words.join('-');
  const capital = words.map(word => word[0]!.toUpperCase() + word.slice(1));
  if (how === 'camelCase' && capital.length > 0) capital[0] = words[0]!;
  return capital.join('');
}
