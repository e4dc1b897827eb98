import type { ArrayValue, Field, StringValue, TypeExpression, Value, Variable } from './ast.ts';
import { textMark, writeString, writeText } from './literals.ts';
import {
  inBraces,
  inSourceOrder,
  isError,
  leadingLines,
  type PrintContext,
  sourceTextOf,
  trailingOf,
} from './print-notes.ts';

/** The maximum length of a line with an array or object of scalars. */
const width = 80;

/** `indent` is the indentation of the line where the field starts. */
export function printField(field: Field, indent: string, notes: PrintContext): string {
  const mark = field.replace ? '!' : field.optional ? '?' : '';
  const head = `${isIdentifier(field.key) ? field.key : writeString(field.key)}${mark}: `;
  if (!field.type)
    return (
      head + (field.value ? printValue(field.value, indent, indent.length + head.length, notes) : 'null')
    );
  const type = printType(field.type);
  if (!field.value) return head + type;
  return `${head}${type} = ${printValue(field.value, indent, indent.length + head.length + type.length + 3, notes)}`;
}

function printType({ name, options, low, high }: TypeExpression): string {
  if (name === 'range') return `range(${decimal(low ?? 0)}..${decimal(high ?? 0)})`;
  if (name === 'enum') return `enum(${(options ?? []).map(writeString).join(', ')})`;
  return name;
}

/** Bounds of types cannot have an exponent. */
const decimal = (bound: number): string => {
  const plain = String(bound);
  return plain.includes('e') ? bound.toFixed(20).replace(/\.?0+$/, '') : plain;
};

/** `column` is where the value starts, which decides how much fits on the line. */
export function printValue(value: Value, indent: string, column: number, notes: PrintContext): string {
  switch (value.kind) {
    case 'string':
      return value.quote === 'text' ? printText(value, `${indent}  `, indent) : printString(value);
    case 'number':
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value.raw) ? value.raw : String(value.value);
    case 'boolean':
      return String(value.value);
    case 'null':
      return 'null';
    case 'env':
      return value.parts
        .map(part => (part.kind === 'variable' ? printVariable(part) : writeString(part.value)))
        .join(' + ');
    case 'array': {
      const inner = `${indent}  `;
      const items = value.items.map(item => printValue(item, inner, inner.length, notes));
      const line = `[${items.join(', ')}]`;
      if (!hasTrivia(value, notes) && fits(items, line, column) && value.items.every(isScalar)) return line;
      const lines = value.items.flatMap((item, index) => {
        const comma = index < items.length - 1 ? ',' : '';
        return [
          ...leadingLines(item, notes, inner),
          `${inner}${items[index]}${comma}${trailingOf(item, notes)}`,
        ];
      });
      return inBraces('[', value, lines, indent, ']', notes);
    }
    case 'object': {
      const inner = `${indent}  `;
      const lines = inSourceOrder(value.fields, value.errors).flatMap(field => {
        const printed = isError(field) ? sourceTextOf(field) : printField(field, inner, notes);
        return [...leadingLines(field, notes, inner), `${inner}${printed}${trailingOf(field, notes)}`];
      });
      return inBraces('{', value, lines, indent, '}', notes);
    }
  }
}

const printVariable = ({ name, fallback }: Variable): string =>
  `env(${writeString(name)}${fallback === undefined ? '' : `, ${writeString(fallback)}`})`;

const hasTrivia = (value: ArrayValue, { trivia }: PrintContext): boolean =>
  trivia.opening.has(value) ||
  trivia.closing.has(value) ||
  value.items.some(item => trivia.leading.has(item) || trivia.trailing.has(item));

const isScalar = ({ kind }: Value) => kind !== 'array' && kind !== 'object';

const fits = (parts: readonly string[], line: string, column: number) =>
  column + line.length <= width && parts.every(part => !part.includes('\n'));

/**
 * Prints `"""…"""` when that preserves the value. Otherwise a parsed text is printed as its source, and a
 * built one as `"…"`.
 */
export function printText({ value, span }: StringValue, indent: string, closeIndent: string): string {
  const written = span.source.text.slice(span.start, span.end);
  return (
    writeText(value, indent, closeIndent) ?? (written.startsWith(textMark) ? written : writeString(value))
  );
}

/** A letter or `_`, then letters, digits, `_`, `-`. */
export const isIdentifier = (text: string) => /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(text);

/** Strings that are still strings without quotes. */
const bare = /^(?:[\p{L}_][\p{L}\p{M}\p{N}_.-]*|\.{1,2}\/[\p{L}\p{M}\p{N}_./-]+|\$\{[^{}\r\n]*\})$/u;
const reserved = new Set(['true', 'false', 'null', 'string', 'number', 'boolean', 'range', 'enum']);

function printString({ value, quote }: StringValue): string {
  return quote === 'bare' && bare.test(value) && !reserved.has(value) ? value : writeString(value);
}
