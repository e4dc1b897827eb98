import { badType, typeOutsideParams, unknownEscape, variableForm } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { insertionFix } from '../text/diagnostics/fixes.ts';
import type { Span } from '../text/source.ts';
import { isVariableName } from '../text/variables.ts';
import type { Identifier, StringValue, TypeExpression, Value, Variable } from './ast.ts';
import { spanOf, type Token } from './lexer.ts';
import { readString, readText } from './literals.ts';
import type { CallTree, JoinTree, ValueTree } from './tree.ts';

/**
 * Constructs `env("NAME")` and concatenations with `+`; reports other operands and keeps their source as
 * text.
 */
export function joinedOf(tree: CallTree | JoinTree, report: Report, key: string | undefined): Value {
  const trees: (Token | CallTree)[] = [];
  let rest: Token | CallTree | JoinTree = tree;
  for (; 'kind' in rest && rest.kind === 'join'; rest = rest.left) trees.unshift(rest.right);
  trees.unshift(rest);
  const parts = trees.map(part => ('type' in part ? stringOf(part, report) : callOf(part, report, key)));
  const span = { ...parts[0]!.span, end: parts.at(-1)!.span.end };
  const [only] = parts;
  if (parts.length === 1 && only!.kind === 'string') return only as StringValue;
  return { kind: 'env', parts, span };
}

function callOf(tree: CallTree, report: Report, key = tree.name.text): Variable | StringValue {
  const span = join(tree.name, tree.close);
  const written: StringValue = {
    kind: 'string',
    value: span.source.text.slice(span.start, span.end),
    quote: 'bare',
    span,
  };
  if (tree.name.text !== 'env') {
    report(typeOutsideParams({ key }, { span: spanOf(tree.name) }));
    return written;
  }
  const { values } = tree;
  const texts = values.flatMap(value => ('type' in value && value.type === 'string' ? [value] : []));
  const [name, fallback] = texts.map(text => stringOf(text, report).value);
  if (texts.length !== values.length || texts.length > 2 || name === undefined) {
    report(variableForm({ problem: 'takes a name and, if wanted, a default, both in quotes' }, { span }));
    return written;
  }
  if (!isVariableName(name)) {
    const problem = `names \`${name}\`, which is no name of a variable`;
    report(variableForm({ problem }, { span: spanOf(texts[0]!) }));
    return written;
  }
  return { kind: 'variable', name, ...(fallback !== undefined && { fallback }), span };
}

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Converts a token to a string, number, `true`, `false`, `null` or bare word. */
export function scalarOf(token: Token, report: Report): Value {
  if (token.type === 'string' || token.type === 'text') return stringOf(token, report);
  const span = spanOf(token);
  if (token.text === 'true' || token.text === 'false')
    return { kind: 'boolean', value: token.text === 'true', span };
  if (token.text === 'null') return { kind: 'null', span };
  const number = numberPattern.test(token.text) ? Number(token.text) : Number.NaN;
  if (Number.isFinite(number)) return { kind: 'number', value: number, raw: token.text, span };
  return { kind: 'string', value: token.text, quote: 'bare', span };
}

/** Converts a token to a string without its quotes; reports unknown escapes. */
export function stringOf(token: Token, report: Report): StringValue {
  const span = spanOf(token);
  if (token.type === 'text') {
    const { value, contentStart } = readText(token.text);
    return { kind: 'string', value, quote: 'text', contentStart: token.start + contentStart, span };
  }
  const { value, bad } = readString(token.text);
  bad.forEach(({ at, text }) => {
    const start = token.start + at;
    const place = { source: token.source, start, end: start + text.length };
    const fixes = [insertionFix('Write a backslash', token.source, start, '\\')];
    report(unknownEscape({ escape: text }, { span: place, fixes }));
  });
  return { kind: 'string', value, quote: token.text.charCodeAt(0) === 34 ? 'double' : 'single', span };
}

/** The names of types in `@params`. */
export const typeNames: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'range', 'enum']);

/**
 * Reads the type of a parameter. Returns `undefined` and reports when the type does not exist or lacks its bounds
 * or options.
 */
export function readType(tree: Token | CallTree, report: Report): TypeExpression | undefined {
  const called = 'kind' in tree;
  const token = called ? tree.name : tree;
  const span = join(token, called ? tree.close : token);
  const wrong = (problem: string) => {
    report(badType({ type: token.source.text.slice(span.start, span.end), problem }, { span }));
    return undefined;
  };
  switch (token.text) {
    case 'string':
    case 'number':
    case 'boolean':
      return called ? wrong('takes nothing in parentheses') : { name: token.text, span };
    case 'range': {
      if (!called || !tree.range) return wrong('needs its bounds');
      const [low, high] = tree.range.text.split('..').map(Number) as [number, number];
      return low > high ? wrong('is empty: the smaller end comes first') : { name: 'range', low, high, span };
    }
    case 'enum': {
      const values = called ? tree.values : [];
      if (!values.every(value => 'type' in value)) return wrong('may hold texts only');
      if (values.length === 0) return wrong('needs its values');
      const options = values.map(value =>
        value.type === 'string' ? stringOf(value, report).value : value.text,
      );
      return { name: 'enum', options, span };
    }
  }
  return wrong('is no type');
}

/** Converts a token to a name. */
export const identifierOf = (token: Token): Identifier => ({ name: token.text, span: spanOf(token) });

/** The span from the start of a token to an offset. */
export const spanFrom = (token: Token, end: number): Span => ({
  source: token.source,
  start: token.start,
  end,
});

/** The span from `skip` characters after the start of one token to the end of another. */
export const join = (from: Token, to: Token, skip = 0): Span => ({
  source: from.source,
  start: from.start + skip,
  end: to.end,
});

/** The offset after a value. */
export const endOf = (tree: ValueTree): number =>
  'type' in tree ? tree.end : tree.kind === 'join' ? endOf(tree.right) : tree.close.end;
