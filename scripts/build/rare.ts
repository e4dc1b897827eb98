/**
 * Takes the functions that few runs call out of a script, into a second one that is loaded when one of them is called. A
 * function costs every start, called or not: its text is read, its description comes back from the kept code, and an object
 * is made for it. Of the three thousand functions of a compile that is every third.
 */
import { type AnyNode, type Function as FunctionNode, type Identifier, type Node, parse } from 'acorn';
import { ancestor, full } from 'acorn-walk';

export interface Split {
  readonly often: string;
  /** A script whose value takes those names of the first that it needs, in an array, and gives its functions in another. */
  readonly rare: string;
}

/** A declaration at the top of the script. */
interface Declared {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The function that it declares. */
  readonly fn?: FunctionNode;
}

/** Where a name of the script is used. */
interface Use {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The declaration at the top in which it stands; none: a statement, such as the last one, which exports. */
  readonly within: Declared | undefined;
  readonly as: 'called' | 'changed' | 'value';
  /** Whether it stands in a function, so that loading the script does not evaluate it. */
  readonly isLater: boolean;
}

/**
 * Splits `text`: an expression, which is a function whose body declares the others. `isRare` says of one by its place in
 * `text` whether few runs call it. It stays where taking it out could change what the script does: where it is more than
 * called, because what stands for it is another value, and where it shares a variable with others that changes.
 * The first script gets the second by the name `second`.
 */
export function splitRare(
  text: string,
  isRare: (start: number, end: number) => boolean,
  second: (rare: string) => string,
): Split {
  const outer = functionIn(text);
  const declared = new Map(outer.body.body.flatMap(declarationsIn).map(one => [one.name, one]));
  const uses = usesIn(outer, declared);
  const rare = chooseRare(declared, uses, isRare);
  const everywhere = new Set([...declared.keys(), ...outer.params.flatMap(one => namesIn(one))]);
  for (const { name, fn } of rare.values()) {
    const bound = new Set(namesIn(fn!));
    const lost = namesIn(fn!, 'Identifier').find(
      one => !everywhere.has(one) && !(one in globalThis) && !bound.has(one),
    );
    if (lost !== undefined) throw new Error(`${name} would not know ${lost}`);
  }
  const numbers = new Map([...rare.keys()].map((name, at) => [name, at]));
  const isInRare = ({ within }: Use) => within !== undefined && rare.has(within.name);
  const given = [
    ...new Set(uses.filter(use => isInRare(use) && !rare.has(use.name)).map(({ name }) => name)),
  ];
  const functions = [...rare.values()].map(({ name, fn }) => {
    const own = text.slice(fn!.start, fn!.end);
    return fn!.type === 'FunctionDeclaration' ? own : `const ${name} = ${own};`;
  });
  const rareText = [
    `${text.slice(0, text.indexOf('=>'))}=> __given => {`,
    given.length > 0 ? `const ${given.map((name, at) => `${name} = __given[${at}]`).join(', ')};` : '',
    ...functions,
    `return [${[...rare.keys()].join(', ')}];`,
    '}',
  ].join('\n');

  const edits = uses
    .filter(use => rare.has(use.name) && !isInRare(use))
    .map(({ name, start, end, as }) => {
      // In brackets, because `new` takes the first call behind it for its own.
      const found = `(__rare(${numbers.get(name)}))`;
      return { start, end, text: as === 'called' ? found : `(...given) => ${found}(...given)` };
    });
  const statements = outer.body.body.map(statement => keptOf(text, statement, rare, edits));
  const often = [
    text.slice(0, outer.body.start + 1),
    'let __rares, __isWhole = false;',
    'const __rare = at => {',
    // Names would be given before they have their values.
    `if (!__isWhole) throw new Error('A rare function is called while the script is loaded');`,
    `return (__rares ??= require(${JSON.stringify(second(rareText))})([${given.join(', ')}]))[at];`,
    '};',
    ...statements.slice(0, -1),
    '__isWhole = true;',
    ...statements.slice(-1),
    text.slice(outer.body.end - 1),
  ].join('\n');
  return { often, rare: rareText };
}

function functionIn(text: string) {
  const [statement] = parse(text, { ecmaVersion: 2022, sourceType: 'script' }).body;
  const found = statement?.type === 'ExpressionStatement' ? statement.expression : undefined;
  if (found?.type !== 'ArrowFunctionExpression' || found.body.type !== 'BlockStatement')
    throw new Error('The script is no function with a body');
  return { ...found, body: found.body };
}

const isFunction = ({ type }: Node): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

function declarationsIn(node: AnyNode): Declared[] {
  const { start, end } = node;
  if (node.type === 'FunctionDeclaration') return [{ name: node.id!.name, start, end, fn: node }];
  if (node.type === 'ClassDeclaration') return [{ name: node.id!.name, start, end }];
  if (node.type !== 'VariableDeclaration') return [];
  return node.declarations.flatMap(({ id, init, start, end }) => {
    const fn = init && isFunction(init) ? (init as FunctionNode) : undefined;
    return namesIn(id).map(name => ({ name, start, end, ...(fn && { fn }) }));
  });
}

/** Names in a node that are used, or bound. */
function namesIn(node: Node, as: 'Identifier' | 'VariablePattern' = 'VariablePattern'): string[] {
  // A name alone is a pattern, too.
  if (node.type === 'Identifier') return [(node as Identifier).name];
  const names: string[] = [];
  full(node, (one, _, type) => {
    if (type === as) names.push((one as Identifier).name);
  });
  return names;
}

function usesIn(outer: Node, declared: ReadonlyMap<string, Declared>): Use[] {
  const uses: Use[] = [];
  const places = [...declared.values()].sort((a, b) => a.start - b.start);
  const note = (node: Identifier, path: readonly Node[], isPattern: boolean) => {
    const own = declared.get(node.name);
    if (!own) return;
    const { start, end } = node;
    const before = places.findLast(place => place.start <= start);
    const within = before && end <= before.end ? before : undefined;
    if (isPattern && isDeclared(node, path)) {
      if (start < own.start || end > own.end) throw new Error(`${node.name} is two things`);
      return;
    }
    const parent = path.at(-2) as AnyNode | undefined;
    const isChanged = isPattern || parent?.type === 'UpdateExpression';
    const isCalled =
      (parent?.type === 'CallExpression' && parent.callee === node) ||
      (parent?.type === 'MemberExpression' && parent.object === node);
    const as = isChanged ? 'changed' : isCalled ? 'called' : 'value';
    uses.push({ name: node.name, start, end, within, as, isLater: path.filter(isFunction).length > 1 });
  };
  ancestor(outer, {
    Identifier: (node, _, path) => note(node, path, false),
    ...{ VariablePattern: (node: Identifier, _: unknown, path: Node[]) => note(node, path, true) },
  });
  return uses;
}

/** Whether a name in a pattern is declared by it, and not only assigned. */
function isDeclared(node: Identifier, path: readonly Node[]): boolean {
  const owner = path
    .slice(0, -1)
    .findLast(({ type }) => !/Pattern|Property|RestElement/.test(type)) as AnyNode;
  return (
    isFunction(owner) || /^(?:VariableDeclarator|Class\w+|CatchClause)$/.test(owner.type) || owner === node
  );
}

function chooseRare(
  declared: ReadonlyMap<string, Declared>,
  uses: readonly Use[],
  isRare: (start: number, end: number) => boolean,
): ReadonlyMap<string, Declared> {
  const chosen = new Map(
    [...declared].filter(([, { fn }]) => fn && isRare(fn.start, fn.end) && !asksWhoCalls(fn)),
  );
  const changing = new Set(uses.filter(({ as }) => as === 'changed').map(({ name }) => name));
  for (const name of changing) chosen.delete(name);
  for (const { name, within } of uses) if (within && changing.has(name)) chosen.delete(within.name);
  // One that stays may be what keeps others.
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    for (const { name, as, within, isLater } of uses) {
      // What stands in no declaration exports, function by function, to chunks that only call them.
      const isFine = isLater && (as === 'called' || within === undefined);
      if (!isFine && !(within && chosen.has(within.name))) chosen.delete(name);
    }
  }
  return chosen;
}

function asksWhoCalls(fn: FunctionNode): boolean {
  let found = false;
  full(fn, ({ type }) => {
    found ||= type === 'ThisExpression' || type === 'MetaProperty' || type === 'Super';
  });
  return found;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is left of a statement. */
function keptOf(
  text: string,
  node: AnyNode,
  rare: ReadonlyMap<string, Declared>,
  edits: readonly Edit[],
): string {
  if (node.type === 'FunctionDeclaration' && rare.has(node.id!.name)) return '';
  if (node.type !== 'VariableDeclaration') return edited(text, node, edits);
  const kept = node.declarations.filter(({ id }) => id.type !== 'Identifier' || !rare.has(id.name));
  return kept.length === 0 ? '' : `${node.kind} ${kept.map(one => edited(text, one, edits)).join(', ')};`;
}

function edited(text: string, { start, end }: Node, edits: readonly Edit[]): string {
  let made = '';
  let at = start;
  for (const edit of edits) {
    if (edit.start < at || edit.end > end) continue;
    made += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return made + text.slice(at, end);
}
