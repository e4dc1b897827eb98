/**
 * Rewrites code so that arrays are read by number: loops over them, and patterns that take them apart. Such loops and
 * patterns ask an iterator, which makes an object for each step; an optimizer takes those away, but a short run ends before
 * its functions are optimized. What is an array is asked of the type checker.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import {
  type ArrayBindingPattern,
  type BindingElement,
  type ForOfStatement,
  type FunctionLikeDeclaration,
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isForOfStatement,
  isFunctionLikeDeclaration,
  isPropertyAccessExpression,
  isSpreadElement,
  isVariableDeclaration,
  isVariableDeclarationList,
  type Node,
  NodeFlags,
  type SourceFile,
  type VariableDeclaration,
} from 'typescript/unstable/ast';
import { API, type Checker, TypeFlags } from 'typescript/unstable/sync';

/** Gives the bundler the modules below `src/` of a project as they are rewritten; its `tsconfig.json` says what they mean. */
export function byIndex(root: string): Plugin {
  const texts = rewriteAll(root);
  return {
    name: 'by-index',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      });
    },
  };
}

/** The rewritten modules below `src/` by their absolute paths. */
export function rewriteAll(root: string): ReadonlyMap<string, string> {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProject: join(root, 'tsconfig.json') }).getProjects();
    const { program, checker } = project!;
    const paths = program.getSourceFileNames().filter(path => path.startsWith(join(root, 'src/')));
    return new Map(paths.map(path => [path, rewriteModule(program.getSourceFile(path)!, checker, path)]));
  } finally {
    api.close();
  }
}

function rewriteModule(file: SourceFile, checker: Checker, path: string): string {
  const text = readFileSync(path, 'utf8');
  if (file.text !== text) throw new Error(`${path} is another text for the type checker`);
  return new Rewriting(file, arraysIn(file, checker)).all();
}

/** Expressions and patterns of a module whose values are arrays; all are asked for at once, because each question goes to another process. */
function arraysIn(file: SourceFile, checker: Checker): ReadonlySet<Node> {
  const asked: Node[] = [];
  const visit = (node: Node): void => {
    if (isForOfStatement(node)) asked.push(node.expression);
    const listed = isForOfStatement(node) ? entriesOf(node) : isArrayBindingPattern(node) ? node : undefined;
    if (listed) asked.push(listed);
    node.forEachChild(visit);
  };
  visit(file);
  const types = checker.getTypeAtLocation(asked);
  const isArray = (at: number) => {
    const type = types[at];
    const isKnown = type && (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.Never)) === 0;
    return isKnown && checker.isArrayLikeType(type);
  };
  return new Set(asked.filter((_, at) => isArray(at)));
}

/** What a loop goes through with its numbers: `x` of `for (const [at, one] of x.entries())`. */
function entriesOf({ expression }: ForOfStatement): Node | undefined {
  if (!isCallExpression(expression) || expression.arguments.length > 0) return undefined;
  const called = expression.expression;
  const isEntries = isPropertyAccessExpression(called) && called.name.text === 'entries';
  return isEntries ? called.expression : undefined;
}

/** What the places of a pattern are called, where each has one and nothing else. */
function plainNames({ elements }: ArrayBindingPattern): Node[] | undefined {
  const names = elements.flatMap(element =>
    isBindingElement(element) && element.name && !element.initializer && !element.dotDotDotToken
      ? [element.name]
      : [],
  );
  return names.length === elements.length ? names : undefined;
}

const declared = (bound: readonly string[]): string => (bound.length > 0 ? `const ${bound.join(', ')};` : '');

/** A piece of the text, and what stands for it. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

class Rewriting {
  private names = 0;

  constructor(
    private readonly file: SourceFile,
    private readonly arrays: ReadonlySet<Node>,
  ) {}

  all(): string {
    return this.apply(0, this.file.text.length, this.inside(this.file));
  }

  /** A name that no source has. */
  private fresh(): string {
    return `$by${this.names++}`;
  }

  private textOf(node: Node): string {
    const own = this.editOf(node);
    return own ? own.text : this.apply(this.startOf(node), node.end, this.inside(node));
  }

  private startOf(node: Node): number {
    return node.getStart(this.file);
  }

  private apply(start: number, end: number, edits: readonly Edit[]): string {
    let [text, from] = ['', start];
    for (const edit of edits) {
      text += this.file.text.slice(from, edit.start) + edit.text;
      from = edit.end;
    }
    return text + this.file.text.slice(from, end);
  }

  /** Edits below a node, in their order. */
  private inside(node: Node): Edit[] {
    const edits: Edit[] = [];
    node.forEachChild(child => {
      const own = this.editOf(child);
      edits.push(...(own ? [own] : this.inside(child)));
    });
    return edits.sort((a, b) => a.start - b.start);
  }

  private editOf(node: Node): Edit | undefined {
    const text = isForOfStatement(node)
      ? this.loop(node)
      : isVariableDeclaration(node)
        ? this.declaration(node)
        : isFunctionLikeDeclaration(node)
          ? this.function(node)
          : undefined;
    return text === undefined ? undefined : { start: this.startOf(node), end: node.end, text };
  }

  private loop(node: ForOfStatement): string | undefined {
    const { initializer, expression, awaitModifier } = node;
    if (awaitModifier || !isVariableDeclarationList(initializer)) return undefined;
    if ((initializer.flags & NodeFlags.Const) === 0) return undefined;
    const name = initializer.declarations[0]!.name!;
    const [all, at] = [this.fresh(), this.fresh()];
    const overAll = (array: Node, bound: readonly string[]) =>
      `for (let ${at} = 0, ${all} = (${this.textOf(array)}); ${at} < ${all}.length; ${at}++) ${this.body(node, bound)}`;
    if (this.arrays.has(expression)) return overAll(expression, this.bind(name, `${all}[${at}]`));
    if (!isArrayBindingPattern(name) || !this.arrays.has(name)) return undefined;
    const listed = entriesOf(node);
    const names = listed && this.arrays.has(listed) ? plainNames(name) : undefined;
    if (names) {
      const values = [at, `${all}[${at}]`];
      return overAll(
        listed!,
        names.flatMap((one, index) => this.bind(one, values[index]!)),
      );
    }
    const one = this.fresh();
    return `for (const ${one} of ${this.textOf(expression)}) ${this.body(node, this.bind(name, one))}`;
  }

  /** The statement of a loop with declarations before it. */
  private body({ statement }: ForOfStatement, bound: readonly string[]): string {
    const text = this.textOf(statement);
    return `{ ${declared(bound)} ${isBlock(statement) ? text.slice(1) : `${text} }`}`;
  }

  private declaration({ name, initializer }: VariableDeclaration): string | undefined {
    if (!initializer || !isArrayBindingPattern(name) || !this.arrays.has(name)) return undefined;
    const values = isArrayLiteralExpression(initializer) ? initializer.elements : [];
    const names = values.some(isSpreadElement) ? undefined : plainNames(name);
    if (names && names.length === values.length)
      return names.flatMap((one, at) => this.bind(one, `(${this.textOf(values[at]!)})`)).join(', ');
    const from = this.fresh();
    return [`${from} = ${this.textOf(initializer)}`, ...this.bind(name, from)].join(', ');
  }

  /** A function whose parameters are patterns of arrays. */
  private function(node: FunctionLikeDeclaration): string | undefined {
    const { body, parameters } = node;
    const taken = parameters.filter(
      ({ name, initializer, dotDotDotToken }) =>
        !initializer && !dotDotDotToken && isArrayBindingPattern(name) && this.arrays.has(name),
    );
    if (!body || taken.length === 0 || parameters.some(({ initializer }) => initializer)) return undefined;
    const given = taken.map(({ name }) => ({ name: name!, as: this.fresh() }));
    const bound = given.flatMap(({ name, as }) => this.bind(name, as));
    const inner = this.textOf(body);
    const text = `{ ${declared(bound)} ${isBlock(body) ? inner.slice(1) : `return (${inner}); }`}`;
    const edits = [
      ...given.map(({ name, as }) => ({ start: this.startOf(name), end: name.end, text: as })),
      { start: this.startOf(body), end: body.end, text },
    ];
    return this.apply(this.startOf(node), node.end, edits);
  }

  /** Declarators that give `name`, which may be a pattern, the value of an expression. */
  private bind(name: Node, value: string): string[] {
    if (!isArrayBindingPattern(name) || !this.arrays.has(name)) return [`${this.textOf(name)} = ${value}`];
    if (/^\$by\d+$/.test(value)) return this.take(name, value);
    const from = this.fresh();
    return [`${from} = ${value}`, ...this.take(name, from)];
  }

  private take({ elements }: ArrayBindingPattern, from: string): string[] {
    return elements.flatMap((element, at) =>
      isBindingElement(element) && element.name ? this.element(element, element.name, from, at) : [],
    );
  }

  /** One place of a pattern; those without a name are left out. */
  private element(
    { initializer, dotDotDotToken }: BindingElement,
    name: Node,
    from: string,
    at: number,
  ): string[] {
    const value = dotDotDotToken ? `${from}.slice(${at})` : `${from}[${at}]`;
    if (!initializer) return this.bind(name, value);
    return this.bind(name, `${value} === void 0 ? ${this.textOf(initializer)} : ${value}`);
  }
}
