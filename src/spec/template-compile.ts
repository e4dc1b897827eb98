/** Parses and checks Handlebars templates, which may come from untrusted repositories. */
import { hasMarks } from './template.ts';
import { fieldsIn, type Program } from './template-tree.ts';

interface Helper {
  /** The number of its values as a block, and without one; absent when it cannot be called so. */
  readonly block?: number;
  readonly inline?: number;
  readonly else?: boolean;
  readonly loop?: boolean;
}

/** The helpers that templates may call; any other name is an error. */
const helpers: ReadonlyMap<string, Helper> = new Map([
  ['if', { block: 1, else: true }],
  ['unless', { block: 1, else: true }],
  ['each', { block: 1, else: true, loop: true }],
  ['repeat', { block: 1, inline: 2, loop: true }],
  ['part', { block: 1 }],
  ['bullet', { block: 0 }],
  ['fields', { inline: 1 }],
]);

/**
 * Compiler options: no HTML escaping, and only the helpers of templates, without the built-in ones of
 * Handlebars.
 */
export const compileOptions = {
  noEscape: true,
  knownHelpersOnly: true,
  knownHelpers: {
    ...Object.fromEntries(
      ['helperMissing', 'blockHelperMissing', 'with', 'log', 'lookup'].map(name => [name, false]),
    ),
    ...Object.fromEntries([...helpers.keys()].map(name => [name, true])),
  } as Record<string, boolean> & CompileOptions['knownHelpers'],
};

/** Handlebars takes seconds for thousands of nested blocks. */
const maxTags = 500;
const deepestBlock = 20;
/** Nested loops multiply the size of the output. */
const maxLoopDepth = 2;

class TemplateProblem extends Error {}

/** A parsed and checked template: as Handlebars compiles it, and for reading. */
export interface ReadTemplate {
  readonly parsed: hbs.AST.Program;
  readonly tree: Program;
  readonly uses: readonly string[];
}

/**
 * Parses a template with the parser of Handlebars. Throws when it is invalid; `templateProblem` explains the
 * error.
 */
export function readTemplate(text: string, { parse }: Pick<typeof Handlebars, 'parse'>): ReadTemplate {
  if (hasMarks(text))
    throw new TemplateProblem('it has the character U+FDD0 or U+FDD1, which no text may have');
  if (text.split('{{').length > maxTags) throw new TemplateProblem(`it has more than ${maxTags} {{…}}`);
  const parsed = parse(text);
  checkBody(parsed, { blocks: 0, loops: 0 });
  const tree = withoutPositions(parsed) as Program;
  return { parsed, tree, uses: fieldsIn(tree) };
}

const isEmpty = (node: { readonly type: string; readonly value?: unknown }): boolean =>
  node.type === 'CommentStatement' || (node.type === 'ContentStatement' && node.value === '');

const treeKeys: ReadonlySet<string> = new Set([
  'type',
  'value',
  'body',
  'path',
  'params',
  'program',
  'inverse',
  'original',
  'parts',
  'depth',
  'data',
]);

/** Converts a checked tree to the form of `template-tree`, without positions, comments and empty texts. */
function withoutPositions(node: unknown): unknown {
  if (Array.isArray(node)) return node.filter(one => !isEmpty(one)).map(withoutPositions);
  if (typeof node !== 'object' || node === null) return node;
  const fields = Object.entries(node).filter(([key, value]) => treeKeys.has(key) && value !== undefined);
  const copy = Object.fromEntries(fields.map(([key, value]) => [key, withoutPositions(value)]));
  // The parser omits the body of `{{^if …}}`.
  return copy.type === 'BlockStatement' ? { program: { body: [] }, ...copy } : copy;
}

type Call = hbs.AST.BlockStatement | hbs.AST.MustacheStatement;

interface Depth {
  readonly blocks: number;
  readonly loops: number;
}

function checkBody({ body }: hbs.AST.Program, depth: Depth): void {
  for (const node of body) {
    if (node.type === 'MustacheStatement' || node.type === 'BlockStatement') checkCall(node as Call, depth);
    else if (node.type !== 'ContentStatement' && node.type !== 'CommentStatement') throw unknownNode(node);
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

const problem = ({ loc }: hbs.AST.Node, title: string): TemplateProblem =>
  new TemplateProblem(loc && loc.start.line > 1 ? `line ${loc.start.line}: ${title}` : title);

const unknownNode = (node: hbs.AST.Node): TemplateProblem =>
  problem(node, `${constructs[node.type] ?? 'this'} has no meaning in these templates`);

const valueTypes = ['PathExpression', 'StringLiteral', 'NumberLiteral', 'BooleanLiteral'];

function checkCall(call: Call, outer: Depth): void {
  if (call.path.type !== 'PathExpression') throw unknownNode(call.path);
  const { params, hash } = call;
  const name = (call.path as hbs.AST.PathExpression).original;
  const block = call.type === 'BlockStatement' ? (call as hbs.AST.BlockStatement) : undefined;
  const helper = helpers.get(name);
  const isField = !block && !helper && params.length === 0 && !hash;
  if (isField) return;
  if (!helper)
    throw problem(call, `there is no helper "${name}"; the helpers are ${[...helpers.keys()].join(', ')}`);
  if (hash) throw problem(call, `"${name}" takes no named values (…=…)`);
  const wrong = params.find(({ type }) => !valueTypes.includes(type));
  if (wrong) throw unknownNode(wrong);
  const count = block ? helper.block : helper.inline;
  if (count === undefined)
    throw problem(
      call,
      block ? `{{${name} …}} is no block` : `{{${name}}} has to be a block: {{#${name} …}} … {{/${name}}}`,
    );
  if (params.length !== count)
    throw problem(call, `"${name}" takes ${['no value', 'one value', 'two values'][count]}`);
  if (block) checkBlock(block, name, helper, outer);
}

function checkBlock(call: hbs.AST.BlockStatement, name: string, helper: Helper, outer: Depth): void {
  const depth = { blocks: outer.blocks + 1, loops: outer.loops + (helper.loop ? 1 : 0) };
  if (depth.blocks > deepestBlock) throw problem(call, `blocks are nested more than ${deepestBlock} deep`);
  if (depth.loops > maxLoopDepth)
    throw problem(call, `"each" and "repeat" are nested more than ${maxLoopDepth} deep`);
  if (call.inverse && !helper.else) throw problem(call, `{{#${name}}} has no {{else}}`);
  for (const body of [call.program, call.inverse] as (hbs.AST.Program | undefined)[]) {
    if (body?.blockParams) throw problem(call, 'a name behind "as" has no meaning in these templates');
    if (body) checkBody(body, depth);
  }
}

/** Explains an error in a template. The messages of Handlebars name the states of its parser. */
export function templateProblem(error: unknown): string {
  if (error instanceof TemplateProblem) return error.message;
  // The parser and the compiler of Handlebars recurse for nested blocks.
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
