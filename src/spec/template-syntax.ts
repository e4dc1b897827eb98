import type { FieldPath, Operand, TemplatePart } from './template.ts';

/** The helpers that templates may call; any other name is an error when the template is read. */
export const templateHelpers = ['if', 'unless', 'each', 'repeat', 'part', 'bullet', 'fields'] as const;

/** What a template uses that is no part of the language of our templates. */
export class TemplateProblem extends Error {}

/** As much of the syntax tree of Handlebars as is read. */
interface AstNode {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } };
}
interface Program {
  readonly body: readonly AstNode[];
  readonly blockParams?: readonly string[];
}
interface PathNode extends AstNode {
  readonly original: string;
  readonly parts: readonly string[];
  readonly depth: number;
  readonly data: boolean;
}
interface Call extends AstNode {
  readonly path: PathNode;
  readonly params: readonly AstNode[];
  readonly hash?: unknown;
  readonly program?: Program;
  readonly inverse?: Program;
}

const isHelper = (name: string): boolean => (templateHelpers as readonly string[]).includes(name);

/** The tree that Handlebars' own parser gives, as the parts of a template. Throws a `TemplateProblem`. */
export function readTemplate(tree: unknown): TemplatePart[] {
  return (tree as Program).body.flatMap(node => readNode(node));
}

function readNode(node: AstNode): TemplatePart[] {
  switch (node.type) {
    case 'CommentStatement':
      return [];
    case 'ContentStatement': {
      const { value } = node as AstNode & { value: string };
      return value === '' ? [] : [value];
    }
    case 'MustacheStatement':
      return [readCall(node as Call)];
    case 'BlockStatement':
      return [readBlock(node as Call)];
    default:
      throw problem(node, `${constructs[node.type] ?? 'this'} has no meaning in these templates`);
  }
}

const constructs: Readonly<Record<string, string>> = {
  PartialStatement: 'a partial ({{> …}})',
  PartialBlockStatement: 'a partial ({{#> …}})',
  Decorator: 'a decorator ({{* …}})',
  DecoratorBlock: 'a decorator ({{#* …}})',
  SubExpression: 'a call in parentheses',
  NullLiteral: 'null',
  UndefinedLiteral: 'undefined',
};

function readCall(call: Call): TemplatePart {
  const { original: name } = call.path;
  if (call.params.length === 0 && !call.hash && !isHelper(name))
    return { do: 'show', of: readOperand(call.path) };
  const params = readParams(call);
  if (name === 'fields') return { do: 'fields', of: only(call, params) };
  if (name === 'repeat' && params.length === 2)
    return { do: 'repeat', times: params[1]!, body: [{ do: 'show', of: params[0]! }] };
  throw problem(call, `{{${name}}} has to be a block: {{#${name} …}} … {{/${name}}}`);
}

function readBlock(call: Call): TemplatePart {
  const { original: name } = call.path;
  const params = readParams(call);
  const body = readBody(call, call.program);
  const otherwise = call.inverse && readBody(call, call.inverse);
  const rest = { body, ...(otherwise && { else: otherwise }) };
  switch (name) {
    case 'if':
      return { do: 'if', of: only(call, params), ...rest };
    case 'unless':
      return { do: 'if', of: only(call, params), not: true, ...rest };
    case 'each':
      return { do: 'each', of: only(call, params), ...rest };
  }
  if (otherwise) throw problem(call, `{{#${name}}} has no {{else}}`);
  switch (name) {
    case 'repeat':
      return { do: 'repeat', times: only(call, params), body };
    case 'part':
      return { do: 'part', title: only(call, params), body };
    case 'bullet':
      if (params.length > 0) throw problem(call, '{{#bullet}} takes nothing');
      return { do: 'bullet', body };
    default:
      throw problem(call, '{{fields …}} is no block');
  }
}

function readParams(call: Call): Operand[] {
  const { original: name } = call.path;
  if (!isHelper(name))
    throw problem(call, `there is no helper "${name}"; the helpers are ${templateHelpers.join(', ')}`);
  if (call.hash) throw problem(call, `"${name}" takes no named values (…=…)`);
  return call.params.map(readOperand);
}

function only(call: Call, params: readonly Operand[]): Operand {
  if (params.length !== 1) throw problem(call, `"${call.path.original}" takes one value`);
  return params[0]!;
}

function readBody(call: Call, program: Program | undefined): TemplatePart[] {
  if (program?.blockParams) throw problem(call, 'a name behind "as" has no meaning in these templates');
  return program ? readTemplate(program) : [];
}

function readOperand(node: AstNode): Operand {
  if (node.type === 'PathExpression') {
    const { parts, depth, data } = node as PathNode;
    const path: FieldPath = {
      path: parts,
      ...(depth > 0 && { up: depth }),
      ...(data && { data: true as const }),
    };
    return path;
  }
  const literals = ['StringLiteral', 'NumberLiteral', 'BooleanLiteral'];
  if (literals.includes(node.type))
    return { value: (node as AstNode & { value: string | number | boolean }).value };
  throw problem(node, `${constructs[node.type] ?? 'this'} has no meaning in these templates`);
}

const problem = ({ loc }: AstNode, title: string): TemplateProblem =>
  new TemplateProblem(loc && loc.start.line > 1 ? `line ${loc.start.line}: ${title}` : title);

/**
 * What is wrong with a template, from the error that reading it throws: the words of Handlebars name its options and
 * the states of its parser.
 */
export function templateProblem(error: unknown): string {
  if (error instanceof TemplateProblem) return error.message;
  const [first = '', ...rest] = String((error as Error).message).split('\n');
  const mismatch = /^(\S+) doesn't match (\S+)/.exec(first);
  if (mismatch) return `{{#${mismatch[1]}}} is closed by {{/${mismatch[2]}}}`;
  const line = /^Parse error on line (\d+)/.exec(first)?.[1];
  if (line === undefined) return first;
  const got = rest.at(-1)?.match(/got '([^']+)'/)?.[1];
  const found =
    got === 'EOF' ? 'it ends before a {{#…}} or a {{…}} is closed' : 'a {{…}} is not written as it must be';
  return `line ${line}: ${found}`;
}
