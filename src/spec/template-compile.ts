/** Parses and checks Handlebars templates, which may come from untrusted repositories. */
import { hasMarks, type TemplateSection } from './template.ts';
import { belowContent, fieldsIn, labelledField, type Program } from './template-tree.ts';

/** The helpers that templates may call; any other name is an error. */
const templateHelpers = ['if', 'unless', 'each', 'repeat', 'part', 'bullet', 'fields'];

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
    ...Object.fromEntries(templateHelpers.map(name => [name, true])),
  } as Record<string, boolean> & CompileOptions['knownHelpers'],
};

/** Handlebars takes seconds for thousands of nested blocks. */
const maxTags = 500;
const deepestBlock = 20;
/** Nested loops multiply the size of the output. */
const maxLoopDepth = 2;

class TemplateProblem extends Error {}

/** A parsed and checked template, with its sections before compilation. */
export interface ReadTemplate {
  readonly tree: Program;
  readonly uses: readonly string[];
  readonly sections: readonly TemplateSection<hbs.AST.Program>[];
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
  return { tree, uses: fieldsIn(tree), sections: sectionsOf(parsed, tree) };
}

/** Consecutive statements form one section, except for labelled parts below the content. */
function sectionsOf(parsed: hbs.AST.Program, tree: Program): TemplateSection<hbs.AST.Program>[] {
  const below = belowContent(tree);
  const sections: { field?: string; body: hbs.AST.Statement[] }[] = [];
  const body = parsed.body.filter(node => !isEmpty(node));
  for (const [at, node] of body.entries()) {
    const field = at >= below ? labelledField(tree.body[at]!) : undefined;
    const last = sections.at(-1);
    if (field !== undefined) sections.push({ field, body: [node] });
    else if (last && last.field === undefined) last.body.push(node);
    else sections.push({ body: [node] });
  }
  return sections.map(({ body, ...section }) => ({ ...section, code: { ...parsed, body } }));
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
    if (node.type === 'MustacheStatement') checkMustache(node as hbs.AST.MustacheStatement);
    else if (node.type === 'BlockStatement') checkBlock(node as hbs.AST.BlockStatement, depth);
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

function checkMustache(call: hbs.AST.MustacheStatement): void {
  const name = nameOf(call);
  if (call.params.length === 0 && !call.hash && !templateHelpers.includes(name)) return;
  checkParams(call);
  if (name === 'fields' && call.params.length !== 1) throw problem(call, '"fields" takes one value');
  if (name !== 'fields' && !(name === 'repeat' && call.params.length === 2))
    throw problem(call, `{{${name}}} has to be a block: {{#${name} …}} … {{/${name}}}`);
}

function checkBlock(call: hbs.AST.BlockStatement, outer: Depth): void {
  const name = nameOf(call);
  checkParams(call);
  const isLoop = name === 'each' || name === 'repeat';
  const depth = { blocks: outer.blocks + 1, loops: outer.loops + (isLoop ? 1 : 0) };
  if (depth.blocks > deepestBlock) throw problem(call, `blocks are nested more than ${deepestBlock} deep`);
  if (depth.loops > maxLoopDepth)
    throw problem(call, `"each" and "repeat" are nested more than ${maxLoopDepth} deep`);
  if (name === 'fields') throw problem(call, '{{fields …}} is no block');
  if (name === 'bullet' && call.params.length > 0) throw problem(call, '{{#bullet}} takes nothing');
  if (name !== 'bullet' && call.params.length !== 1) throw problem(call, `"${name}" takes one value`);
  if (call.inverse && !['if', 'unless', 'each'].includes(name))
    throw problem(call, `{{#${name}}} has no {{else}}`);
  for (const body of [call.program, call.inverse] as (hbs.AST.Program | undefined)[]) {
    if (body?.blockParams) throw problem(call, 'a name behind "as" has no meaning in these templates');
    if (body) checkBody(body, depth);
  }
}

function nameOf({ path }: Call): string {
  if (path.type !== 'PathExpression') throw unknownNode(path);
  return (path as hbs.AST.PathExpression).original;
}

const valueTypes = ['PathExpression', 'StringLiteral', 'NumberLiteral', 'BooleanLiteral'];

function checkParams(call: Call): void {
  const name = nameOf(call);
  if (!templateHelpers.includes(name))
    throw problem(call, `there is no helper "${name}"; the helpers are ${templateHelpers.join(', ')}`);
  if (call.hash) throw problem(call, `"${name}" takes no named values (…=…)`);
  const wrong = call.params.find(({ type }) => !valueTypes.includes(type));
  if (wrong) throw unknownNode(wrong);
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
