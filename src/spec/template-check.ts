import type { Expression, Path, Program, Statement } from './template-tree.ts';

/** The helpers that templates may call; any other name is an error when the template is read. */
export const templateHelpers = ['if', 'unless', 'each', 'repeat', 'part', 'bullet', 'fields'] as const;

/** A construct that templates must not have. */
export class TemplateProblem extends Error {}

/** The deepest nesting of blocks. Templates come from repositories that nobody has to trust. */
const deepestBlock = 20;
/** Loops in loops multiply what they write. */
const deepestLoop = 2;

/** A node of Handlebars' parser before it was checked. */
interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } };
}
interface Call extends Node {
  readonly path: Path;
  readonly params: readonly Node[];
  readonly hash?: unknown;
  readonly program?: Body;
  readonly inverse?: Body;
}
interface Body {
  readonly body: readonly Node[];
  readonly blockParams?: readonly string[];
}

/** How deep a node lies. */
interface Depth {
  readonly blocks: number;
  readonly loops: number;
}

/**
 * The tree of Handlebars' parser as a template may be: fields, constants, and the helpers of templates alone. Comments,
 * empty texts and positions are left out. Throws a `TemplateProblem`.
 */
export function checkTemplate(tree: unknown): Program {
  return checkBody(tree as Body, { blocks: 0, loops: 0 });
}

const checkBody = ({ body }: Body, depth: Depth): Program => ({
  body: body.filter(node => !isEmpty(node)).map(node => checkStatement(node, depth)),
});

/** Whether a node writes nothing. */
export const isEmpty = (node: { readonly type: string }): boolean =>
  node.type === 'CommentStatement' ||
  (node.type === 'ContentStatement' && (node as unknown as { value: string }).value === '');

function checkStatement(node: Node, depth: Depth): Statement {
  switch (node.type) {
    case 'ContentStatement':
      return { type: node.type, value: (node as Node & { value: string }).value };
    case 'MustacheStatement':
      return checkMustache(node as Call);
    case 'BlockStatement':
      return checkBlock(node as Call, depth);
    default:
      throw unknownNode(node);
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

const unknownNode = (node: Node): TemplateProblem =>
  problem(node, `${constructs[node.type] ?? 'this'} has no meaning in these templates`);

const isHelper = (name: string): boolean => (templateHelpers as readonly string[]).includes(name);

function checkMustache(call: Call): Statement {
  const { original: name } = call.path;
  const path = checkPath(call.path);
  if (call.params.length === 0 && !call.hash && !isHelper(name))
    return { type: 'MustacheStatement', path, params: [] };
  const params = checkParams(call);
  if ((name === 'fields' && params.length === 1) || (name === 'repeat' && params.length === 2))
    return { type: 'MustacheStatement', path, params };
  if (name === 'fields') throw problem(call, '"fields" takes one value');
  throw problem(call, `{{${name}}} has to be a block: {{#${name} …}} … {{/${name}}}`);
}

function checkBlock(call: Call, outer: Depth): Statement {
  const { original: name } = call.path;
  const path = checkPath(call.path);
  const params = checkParams(call);
  const isLoop = name === 'each' || name === 'repeat';
  const depth = { blocks: outer.blocks + 1, loops: outer.loops + (isLoop ? 1 : 0) };
  if (depth.blocks > deepestBlock) throw problem(call, `blocks are nested more than ${deepestBlock} deep`);
  if (depth.loops > deepestLoop)
    throw problem(call, `"each" and "repeat" are nested more than ${deepestLoop} deep`);
  if (name === 'fields') throw problem(call, '{{fields …}} is no block');
  if (name === 'bullet' && params.length > 0) throw problem(call, '{{#bullet}} takes nothing');
  if (name !== 'bullet' && params.length !== 1) throw problem(call, `"${name}" takes one value`);
  if (call.inverse && !['if', 'unless', 'each'].includes(name))
    throw problem(call, `{{#${name}}} has no {{else}}`);
  const inner = (body: Body): Program => {
    if (body.blockParams) throw problem(call, 'a name behind "as" has no meaning in these templates');
    return checkBody(body, depth);
  };
  const program = call.program ? inner(call.program) : { body: [] };
  const inverse = call.inverse && inner(call.inverse);
  return { type: 'BlockStatement', path, params, program, ...(inverse && { inverse }) };
}

function checkParams(call: Call): Expression[] {
  const { original: name } = call.path;
  if (!isHelper(name))
    throw problem(call, `there is no helper "${name}"; the helpers are ${templateHelpers.join(', ')}`);
  if (call.hash) throw problem(call, `"${name}" takes no named values (…=…)`);
  return call.params.map(checkExpression);
}

function checkExpression(node: Node): Expression {
  switch (node.type) {
    case 'PathExpression':
      return checkPath(node as Path);
    case 'StringLiteral':
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return { type: node.type, value: (node as Node & { value: string | number | boolean }).value };
    default:
      throw unknownNode(node);
  }
}

function checkPath(node: Path): Path {
  if (node.type !== 'PathExpression') throw unknownNode(node);
  const { type, original, parts, depth, data } = node;
  return { type, original, parts, depth, data };
}

const problem = ({ loc }: Node, title: string): TemplateProblem =>
  new TemplateProblem(loc && loc.start.line > 1 ? `line ${loc.start.line}: ${title}` : title);

/**
 * What is wrong with a template, from the error that reading it throws: the words of Handlebars name its options and
 * the states of its parser.
 */
export function templateProblem(error: unknown): string {
  if (error instanceof TemplateProblem) return error.message;
  // The parser and the compiler of Handlebars call themselves for what is nested.
  if (error instanceof RangeError) return `blocks are nested more than ${deepestBlock} deep`;
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
