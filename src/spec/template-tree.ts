/** The subset of the Handlebars syntax tree that `checkTemplate` allows. */
export type Statement = Content | Mustache | Block;

interface Content {
  readonly type: 'ContentStatement';
  readonly value: string;
}

/** `{{field}}`, or a call of a helper without a block. */
export interface Mustache {
  readonly type: 'MustacheStatement';
  readonly path: Path;
  readonly params: readonly Expression[];
}

export interface Block {
  readonly type: 'BlockStatement';
  readonly path: Path;
  readonly params: readonly Expression[];
  readonly program: Program;
  readonly inverse?: Program;
}

export interface Program {
  readonly body: readonly Statement[];
}

/** A field of the view, `this`, or with `data` a fact about a loop such as `@last`. */
interface Path {
  readonly type: 'PathExpression';
  readonly original: string;
  readonly parts: readonly string[];
  /** The number of enclosing loops to go up: one for `../name`. */
  readonly depth: number;
  readonly data: boolean;
}

interface Literal {
  readonly type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral';
  readonly value: string | number | boolean;
}

export type Expression = Path | Literal;

/** The dotted name of the field that an expression reads; `this` for the element of a loop. */
export const fieldName = (of: Expression): string =>
  of.type === 'PathExpression' ? of.parts.join('.') || 'this' : '';

/** The field or constant that a block tests or iterates. */
export const subjectOf = ({ params }: Block): Expression => params[0]!;

/** Whether a part of a template depends on the presence of a field. */
export const isCondition = (part: Statement): part is Block =>
  part.type === 'BlockStatement' && (part.path.original === 'if' || part.path.original === 'unless');

/** Whether a statement prints a field. */
export const isField = (part: Statement): part is Mustache =>
  part.type === 'MustacheStatement' && part.params.length === 0;

/** The names of the fields that a template uses, sorted. */
export function fieldsIn({ body }: Program): string[] {
  const found = new Set<string>();
  const visit = (part: Statement): void => {
    if (part.type === 'ContentStatement') return;
    for (const of of isField(part) ? [part.path] : part.params)
      if (of.type === 'PathExpression' && !of.data && of.parts.length > 0) found.add(of.parts[0]!);
    if (part.type === 'MustacheStatement') return;
    part.program.body.forEach(visit);
    part.inverse?.body.forEach(visit);
  };
  body.forEach(visit);
  return [...found].sort();
}
