import { badType } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { replacementFix } from '../text/diagnostics/fixes.ts';
import type { Span } from '../text/source.ts';
import type { TypeExpression, TypeName } from './ast.ts';
import type { Token } from './lexer.ts';
import type { CallTree } from './tree.ts';

/** The names of types in `@params`. */
export const typeNames: ReadonlySet<string> = new Set<TypeName>([
  'string',
  'number',
  'boolean',
  'range',
  'enum',
]);

/**
 * Reads the type of a parameter; `text` unquotes a string token. Returns `undefined` and reports when the
 * type does not exist or lacks its bounds or options.
 */
export function readType(
  tree: Token | CallTree,
  text: (token: Token) => string,
  report: Report,
): TypeExpression | undefined {
  const called = 'kind' in tree;
  const token = called ? tree.name : tree;
  const span: Span = { source: token.source, start: token.start, end: called ? tree.close.end : token.end };
  const wrong = (problem: string, hint: string, better?: string) => {
    const fixes = better === undefined ? [] : [replacementFix(`Write \`${better}\``, span, better)];
    report(badType({ type: token.source.text.slice(span.start, span.end), problem }, { span, hint, fixes }));
    return undefined;
  };
  switch (token.text) {
    case 'string':
    case 'number':
    case 'boolean':
      if (called) return wrong('takes nothing in parentheses', `Write \`${token.text}\` alone.`, token.text);
      return { name: token.text, span };
    case 'range': {
      const bounds = called ? tree.range?.text.split('..').map(Number) : undefined;
      if (!bounds) return wrong('needs its bounds', 'Write both ends with two dots between: `range(1..5)`.');
      const [low, high] = bounds as [number, number];
      if (low > high)
        return wrong(
          'is empty',
          `Write the smaller end first: \`range(${high}..${low})\`.`,
          `range(${high}..${low})`,
        );
      return { name: 'range', low, high, span };
    }
    case 'enum': {
      const values = called ? tree.values : [];
      const options: string[] = [];
      for (const value of values) {
        if (!('type' in value))
          return wrong('may hold texts only', 'Write its values as texts: `enum("a", "b")`.');
        options.push(value.type === 'string' ? text(value) : value.text);
      }
      if (options.length === 0) return wrong('needs its values', 'List what is allowed: `enum("a", "b")`.');
      return { name: 'enum', options, span };
    }
  }
  return wrong(
    'is no type',
    'Types are `string`, `number`, `boolean`, `range(1..5)` and `enum("a", "b")`; a default alone needs quotes.',
  );
}
