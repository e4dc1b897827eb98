import { headingIsComment, wordsApart } from '../../generated/diagnostics.ts';
import type { ArrayValue, Declaration, Value } from '../../syntax/ast.ts';
import { bodyOf, stringsOf, valuesIn } from '../../syntax/walk.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { replacementFix } from '../../text/diagnostics/fixes.ts';
import type { Source } from '../../text/source.ts';
import { sourceUnits } from '../documents.ts';
import type { Rule } from '../rule.ts';

/** Reports prose that is parsed as something else, so that the assistant does not get it as written. */
export const lostWords: Rule = {
  name: 'lost-words',
  severity: 'warning',
  help: 'Put sentences of a list into quotes, and headings into a text. Words without quotes are separate items, and lines with `#` are comments.',
  check: ({ program, report }) => {
    for (const { document, layer } of sourceUnits(program)) {
      if (layer.remote) continue;
      for (const declaration of document.declarations) {
        for (const value of valuesIn(declaration))
          if (value.kind === 'array' && value.items.length > 1) checkWords(value, document.source, report);
        if (bodyOf(declaration)) checkHeadings(declaration, document.source, report);
      }
    }
  },
};

/** Reports bare words separated only by blanks, once for each sequence. */
function checkWords({ items }: ArrayValue, source: Source, report: Report): void {
  let row: Value[] = [];
  const finish = () => {
    if (row.length > 1) {
      const span = { source, start: row[0]!.span.start, end: row.at(-1)!.span.end };
      const words = source.text.slice(span.start, span.end).replace(/\s+/g, ' ');
      const apart = row.map(item => source.text.slice(item.span.start, item.span.end)).join(', ');
      const fixes = [
        replacementFix('Make it one item', span, JSON.stringify(words)),
        replacementFix('Put commas between the items', span, apart),
      ];
      report(wordsApart({ words, count: row.length }, { span, fixes }));
    }
    row = [];
  };
  for (const item of items) {
    const last = row.at(-1);
    const between = last ? source.text.slice(last.span.end, item.span.start) : '';
    const isBare = item.kind === 'string' && item.quote === 'bare';
    if (!isBare || !/^[ \t]*$/.test(between)) finish();
    if (isBare) row.push(item);
  }
  finish();
}

const heading = /^[ \t]*(#{2,6}[ \t]+[^\s#=*~_-][^\r\n]*?)[ \t]*$/gm;

/** Reports comments that look like Markdown headings, outside of texts. */
function checkHeadings(declaration: Declaration, source: Source, report: Report): void {
  const { start: from, end: to } = declaration.span;
  const found = [...source.text.slice(from, to).matchAll(heading)];
  if (found.length === 0) return;
  const texts = stringsOf(declaration).filter(({ quote }) => quote === 'text');
  for (const { index, 0: line, 1: words = '' } of found) {
    const start = from + index + line.indexOf('#');
    if (texts.some(({ span }) => span.start < start && start < span.end)) continue;
    const shown = words.length > 60 ? `${words.slice(0, 59)}…` : words;
    const marks = { source, start, end: start + words.search(/[^#]/) };
    const fixes = [replacementFix('Make it a comment', marks, '#')];
    const span = { source, start, end: start + words.length };
    report(headingIsComment({ heading: shown }, { span, fixes }));
  }
}
