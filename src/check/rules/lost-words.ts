import { replacing } from '../../diagnostics/fixes.ts';
import { headingIsComment, wordsApart } from '../../generated/diagnostics.ts';
import type { ArrayValue, Body, Value } from '../../syntax/ast.ts';
import type { Source } from '../../text/source.ts';
import { bodyOf, sourceUnits } from '../documents.ts';
import type { Rule, RuleContext } from '../rule.ts';

/**
 * Reports prose that the language reads as something else, so that an assistant does not get it as it was written.
 */
export const lostWords: Rule = {
  name: 'lost-words',
  severity: 'warning',
  help: 'A sentence in a list has quotes, and a heading stands in a text: words without quotes are items, lines with `#` are comments.',
  check: ({ program, report }) => {
    for (const { document, layer } of sourceUnits(program)) {
      if (layer.remote) continue;
      for (const declaration of document.declarations) {
        const body = bodyOf(declaration);
        const values = body ? valuesIn(body) : [];
        if (declaration.kind === 'override' && declaration.value) values.push(declaration.value);
        for (const value of values) checkLists(value, document.source, report);
        if (body && document.source.text.includes('##')) checkHeadings(body, document.source, report);
      }
    }
  },
};

function valuesIn({ items }: Body): Value[] {
  return items.flatMap(item =>
    (item.kind === 'field' || item.kind === 'item' || item.kind === 'text') && item.value ? [item.value] : [],
  );
}

function checkLists(value: Value, source: Source, report: RuleContext['report']): void {
  if (value.kind === 'array') {
    if (value.items.length > 1) checkWords(value, source, report);
    for (const item of value.items) checkLists(item, source, report);
  } else if (value.kind === 'object')
    for (const { value: inner } of value.fields) if (inner) checkLists(inner, source, report);
}

/** Bare words in a row with nothing but blanks between them: one finding for each row. */
function checkWords({ items }: ArrayValue, source: Source, report: RuleContext['report']): void {
  let row: Value[] = [];
  const finish = () => {
    if (row.length > 1) {
      const span = { source, start: row[0]!.span.start, end: row.at(-1)!.span.end };
      const words = source.text.slice(span.start, span.end).replace(/\s+/g, ' ');
      const apart = row.map(item => source.text.slice(item.span.start, item.span.end)).join(', ');
      const fixes = [
        replacing('Make it one item', span, JSON.stringify(words)),
        replacing('Put commas between the items', span, apart),
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

/** Comments of two and more `#` with a blank and a word behind them, outside of every text. */
function checkHeadings(body: Body, source: Source, report: RuleContext['report']): void {
  const texts: Value[] = valuesIn(body).flatMap(stringsIn);
  const { text } = source;
  const heading = /^[ \t]*(#{2,6}[ \t]+[^\s#=*~_-][^\r\n]*?)[ \t]*$/gm;
  heading.lastIndex = body.span.start;
  for (let match = heading.exec(text); match && match.index < body.span.end; match = heading.exec(text)) {
    const start = match.index + match[0].indexOf('#');
    if (texts.some(({ span }) => span.start < start && start < span.end)) continue;
    const span = { source, start, end: start + match[1]!.length };
    const shown = match[1]!.length > 60 ? `${match[1]!.slice(0, 59)}…` : match[1]!;
    const marks = { source, start, end: start + match[1]!.search(/[^#]/) };
    const fixes = [replacing('Make it a comment', marks, '#')];
    report(headingIsComment({ heading: shown }, { span, fixes }));
  }
}

function stringsIn(value: Value): Value[] {
  if (value.kind === 'string') return value.quote === 'text' ? [value] : [];
  if (value.kind === 'array') return value.items.flatMap(stringsIn);
  if (value.kind !== 'object') return [];
  return value.fields.flatMap(({ value: inner }) => (inner ? stringsIn(inner) : []));
}
