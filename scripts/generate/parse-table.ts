/**
 * src/generated/parse-table.ts: what a parser that looks one token ahead does in each of its states (an LR(1) table of
 * the rules of src/syntax/grammar.ne). Where one token does not decide, the table says nothing and nearley is asked.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Generated } from '../generate.ts';

type Matcher = { readonly type: string } | { readonly types: readonly string[] };
type Symbol = string | Matcher;

interface Rule {
  readonly name: string;
  readonly symbols: readonly Symbol[];
  readonly postprocess?: { readonly name: string };
}

/** A rule, how much of it is read, and the token that follows all of it. */
interface Item {
  readonly rule: number;
  readonly dot: number;
  readonly next: string;
}

/** Which state each token or rule leads to, and which rule each token ends. */
interface State {
  readonly shifts: Map<string, number>;
  readonly gotos: Map<string, number>;
  readonly reductions: Map<string, number>;
  /** Tokens that may do more than one of these. */
  readonly doubtful: Set<string>;
}

interface Printed {
  readonly actions: number | Readonly<Record<string, number>>;
  readonly gotos: Readonly<Record<string, number>>;
}

/** Stands for what follows the last token. */
const end = '';
/** Stands for every token that a state says nothing about. */
const otherwise = '*';

export async function generate(root: string): Promise<Generated[]> {
  const grammar = await import(pathToFileURL(join(root, 'src/generated/grammar.ts')).href);
  const { ParserRules, ParserStart } = grammar.default() as { ParserRules: Rule[]; ParserStart: string };
  const rows = shortened(merged(statesOf(ParserRules, ParserStart)).map(printed), ParserRules);
  const tree = Object.entries(await import(pathToFileURL(join(root, 'src/syntax/tree.ts')).href));
  const madeBy = ({ postprocess }: Rule): string => {
    if (!postprocess || postprocess.name === 'id') return postprocess?.name ?? 'undefined';
    return `tree.${tree.find(([, value]) => value === postprocess)![0]}`;
  };
  const names = [...new Set(ParserRules.map(({ name }) => name))];
  const types = [...new Set(rows.flatMap(({ actions }) => Object.keys(actions)))]
    .filter(type => type !== otherwise)
    .sort();
  const actionRows = rows.map(({ actions }) =>
    [otherwise, ...types].map(type =>
      typeof actions === 'number' ? actions : (actions[type] ?? actions[otherwise] ?? 0),
    ),
  );
  const gotoRows = rows.map(({ gotos }) => names.map(name => gotos[name] ?? 0));
  const text = [
    "import type { TokenType } from '../syntax/lexer.ts';",
    "import * as tree from '../syntax/tree.ts';",
    '',
    'const id = ([only]: readonly unknown[]) => only;',
    '',
    '/** The name of the rules that a text is read by. */',
    `export const start = ${names.indexOf(ParserStart)};`,
    '/** Of each rule: the number of its name, how many symbols it has, and what makes its value of theirs. */',
    `export const names: readonly number[] = ${JSON.stringify(ParserRules.map(({ name }) => names.indexOf(name)))};`,
    `export const lengths: readonly number[] = ${JSON.stringify(ParserRules.map(({ symbols }) => symbols.length))};`,
    `export const makes: readonly (((values: never) => unknown) | undefined)[] = [${ParserRules.map(madeBy).join(', ')}];`,
    '/** The column of a token; those without one, and the end, have the first. */',
    `export const columns: Readonly<Partial<Record<TokenType, number>>> = ${JSON.stringify(numbered(types))};`,
    '/** By state and column: the state behind the token, a rule that ends there as ~index, or 0 for neither. */',
    ...printTable('action', firstShown + ParserRules.length, actionRows),
    '/** By state and rule that was read there: the state behind it. */',
    ...printTable('goto', firstShown, gotoRows),
    '',
  ].join('\n');
  return [{ path: 'src/generated/parse-table.ts', text }];
}

const numbered = (types: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(types.map((type, at) => [type, at + 1]));

/**
 * A table as texts, which cost a run nothing before it looks into them: of each state the row, which several may share, and
 * the rows one after the other, with `shift` added to what stands in them.
 */
function printTable(name: string, shift: number, rows: readonly (readonly number[])[]): string[] {
  const known = new Map<string, number>();
  const rowOf = rows.map(row => {
    const text = row.map(value => character(value + shift)).join('');
    return known.get(text) ?? known.set(text, known.size).get(text)!;
  });
  return [
    `export const ${name}s = {`,
    `  width: ${rows[0]!.length},`,
    `  shift: ${shift},`,
    `  first: ${firstShown},`,
    `  rows: ${JSON.stringify(rowOf.map(row => character(row + firstShown)).join(''))},`,
    `  cells: ${JSON.stringify([...known.keys()].join(''))},`,
    '};',
  ];
}

/** The first character that can be shown. */
const firstShown = 32;

/** V8 holds a text in one byte for each character as long as none of them is beyond these. */
function character(code: number): string {
  if (code < 0 || code > 255) throw new Error(`The table has ${code}, which is no byte`);
  return String.fromCharCode(code);
}

const typesOf = (matcher: Matcher): readonly string[] =>
  'types' in matcher ? matcher.types : [matcher.type];

/** All states that a parser can be in; the first is the one that it starts in. */
function statesOf(rules: readonly Rule[], start: string): State[] {
  const firsts = firstsOf(rules);
  const known = new Map<string, number>();
  const waiting: Item[][] = [];
  const states: State[] = [];
  const stateFor = (kernel: readonly Item[]): number => {
    const items = closure(kernel, rules, firsts);
    const key = items
      .map(({ rule, dot, next }) => `${rule}.${dot}.${next}`)
      .sort()
      .join(' ');
    return known.get(key) ?? known.set(key, waiting.push(items) - 1).get(key)!;
  };
  const starts = rules.flatMap((rule, at) => (rule.name === start ? [{ rule: at, dot: 0, next: end }] : []));
  stateFor(starts);
  for (const items of waiting) {
    const moves = new Map<string, Item[]>();
    const state: State = { shifts: new Map(), gotos: new Map(), reductions: new Map(), doubtful: new Set() };
    const { doubtful } = state;
    for (const item of items) {
      const symbol = rules[item.rule]!.symbols[item.dot];
      if (symbol === undefined) {
        if (state.reductions.has(item.next)) doubtful.add(item.next);
        state.reductions.set(item.next, item.rule);
        continue;
      }
      for (const name of typeof symbol === 'string' ? [`<${symbol}`] : typesOf(symbol)) {
        const moved = moves.get(name) ?? [];
        moves.set(name, [...moved, { ...item, dot: item.dot + 1 }]);
      }
    }
    for (const [name, kernel] of moves) {
      if (name.startsWith('<')) state.gotos.set(name.slice(1), stateFor(kernel));
      else if (state.reductions.has(name)) doubtful.add(name);
      else state.shifts.set(name, stateFor(kernel));
    }
    for (const token of doubtful) state.reductions.delete(token);
    states.push(state);
  }
  return states;
}

/** Tokens that what a rule stands for can begin with; no rule stands for nothing. */
function firstsOf(rules: readonly Rule[]): ReadonlyMap<string, ReadonlySet<string>> {
  const firsts = new Map(rules.map(({ name }) => [name, new Set<string>()]));
  for (let before = -1, size = 0; size !== before; ) {
    before = size;
    for (const { name, symbols } of rules) {
      const [first] = symbols as [Symbol];
      for (const type of typeof first === 'string' ? firsts.get(first)! : typesOf(first))
        firsts.get(name)!.add(type);
    }
    size = [...firsts.values()].reduce((sum, types) => sum + types.size, 0);
  }
  return firsts;
}

/** Items with those of every rule that may begin where they stand. */
function closure(
  kernel: readonly Item[],
  rules: readonly Rule[],
  firsts: ReadonlyMap<string, ReadonlySet<string>>,
): Item[] {
  const items = new Map<string, Item>();
  const add = (item: Item) => items.set(`${item.rule}.${item.dot}.${item.next}`, item);
  kernel.forEach(add);
  // A map visits what is added to it on the way.
  for (const { rule, dot, next } of items.values()) {
    const symbol = rules[rule]!.symbols[dot];
    if (typeof symbol !== 'string') continue;
    const after = rules[rule]!.symbols[dot + 1];
    const follows =
      after === undefined ? [next] : typeof after === 'string' ? firsts.get(after)! : typesOf(after);
    rules.forEach(({ name }, at) => {
      if (name === symbol) for (const type of follows) add({ rule: at, dot: 0, next: type });
    });
  }
  return [...items.values()];
}

/** States that do the same are one: canonical tables of LR(1) hold each many times. */
function merged(states: readonly State[]): State[] {
  let classes = states.map(() => 0);
  for (let count = 1, before = 0; count !== before; ) {
    before = count;
    const numbers = new Map<string, number>();
    const at = (to: number) => classes[to]!;
    classes = states.map((state, index) => {
      const key = JSON.stringify([classes[index], printed(renumbered(state, at))]);
      return numbers.get(key) ?? numbers.set(key, numbers.size).get(key)!;
    });
    count = numbers.size;
  }
  const firsts = [...new Set(classes)].map(one => classes.indexOf(one));
  return firsts.map(first => renumbered(states[first]!, to => classes[to]!));
}

const renumbered = ({ shifts, gotos, ...rest }: State, number: (to: number) => number): State => ({
  ...rest,
  shifts: new Map([...shifts].map(([type, to]) => [type, number(to)])),
  gotos: new Map([...gotos].map(([name, to]) => [name, number(to)])),
});

/**
 * Where one rule may end, that is what a state does for every token that it has no other plan for: where the token is
 * wrong, a later state will see it. 0 stands for what one token does not decide.
 */
function printed({ shifts, gotos, reductions, doubtful }: State): Printed {
  const rules = new Set(reductions.values());
  const [only] = rules;
  if (rules.size > 1) throw new Error(`One state of the grammar may end ${rules.size} rules`);
  const sorted = (entries: Iterable<readonly [string, number]>) =>
    Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  const row = { ...sorted(shifts), ...sorted([...doubtful].map(type => [type, 0])) };
  if (only === undefined) return { actions: row, gotos: sorted(gotos) };
  const isCertain = Object.keys(row).length === 0;
  return { actions: isCertain ? ~only : { ...row, [otherwise]: ~only }, gotos: sorted(gotos) };
}

/** What only is what it consists of, and can be nothing else, is taken as that at once. */
function shortened(rows: readonly Printed[], rules: readonly Rule[]): Printed[] {
  const behind = (from: Printed, to: number): number => {
    const action = rows[to]?.actions;
    const rule = typeof action === 'number' ? rules[~action]! : undefined;
    const next =
      rule?.symbols.length === 1 && rule.postprocess?.name === 'id' ? from.gotos[rule.name] : undefined;
    return next === undefined ? to : behind(from, next);
  };
  const through = (from: Printed, states: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(states).map(([name, to]) => [name, to > 0 ? behind(from, to) : to]));
  return rows.map(row => ({
    actions: typeof row.actions === 'number' ? row.actions : through(row, row.actions),
    gotos: through(row, row.gotos),
  }));
}
