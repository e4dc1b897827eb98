/** src/generated/lexers.ts: the tokens of src/syntax/lexicon.ts, as moo compiles them, by the characters that they begin with. */
import type { Lexer } from 'moo';
import { makeLexers } from '../../src/syntax/lexicon.ts';
import type { Generated } from '../generate.ts';
import { beginsWith } from './first-characters.ts';

/** Codes of characters; `undefined` stands for all that are not ASCII. */
const codes = [...Array(128).keys(), undefined];

const firstChoice = 48;

/** What moo keeps of a rule; its types leave that out. */
interface Rule {
  readonly defaultType: string;
  /** Texts and expressions, of which the first that matches counts. */
  readonly match: readonly (string | RegExp)[];
  readonly push: string | null;
  readonly pop: number | false;
  readonly next: string | null;
}

/** What moo keeps of a state: rules for single characters, by their codes, which it looks for first; and the others in order. */
interface State {
  readonly fast: Readonly<Record<number, Rule>>;
  readonly groups: readonly Rule[];
}

export async function generate(): Promise<Generated[]> {
  const text = [
    '/** A token; without a literal and an expression it is the one character that it begins with. */',
    'export interface Rule {',
    '  readonly type: string;',
    '  /** What it begins with, whatever follows; without an expression it is that. */',
    '  readonly literal?: string;',
    '  readonly expression?: RegExp;',
    '  readonly push?: string;',
    '  readonly pop?: number;',
    '  readonly next?: string;',
    '}',
    '',
    'export interface State {',
    '  /** The tokens that can begin with each of the ASCII characters, and with others: places in `choices`. */',
    '  readonly starts: string;',
    '  readonly choices: readonly (readonly Rule[])[];',
    '  /** Whether a blank changes nothing. */',
    '  readonly skipsBlanks: boolean;',
    '}',
    '',
    'export type States = Readonly<Record<string, State>>;',
    '',
    '/** The character of `starts` that stands for the first of the choices. */',
    `export const firstChoice = ${firstChoice};`,
    '',
    ...Object.entries(makeLexers()).map(([name, lexer]) => printLexer(name, lexer)),
  ].join('\n');
  return [{ path: 'src/generated/lexers.ts', text }];
}

/** A function that makes the states; expressions and rules that several states have are made once. */
function printLexer(name: string, lexer: Lexer): string {
  const { states: compiled, startState } = lexer as unknown as {
    states: Readonly<Record<string, State>>;
    startState: string;
  };
  if (startState !== 'main') throw new Error(`The ${name} lexer starts in ${startState}, not in main`);
  const constants = new Map<string, string>();
  const constant = (kind: string, text: string) => {
    const known = constants.get(text) ?? `${kind}${constants.size}`;
    constants.set(text, known);
    return known;
  };
  const states = Object.entries(compiled).map(([state, { fast, groups }]) => {
    const choices = new Map<string, number>();
    const starts = codes.map(code => {
      const single = code === undefined ? undefined : fast[code];
      const fitting = single
        ? [printRule({ ...single, match: [] }, constant)]
        : untilCertain(groups.filter(rule => canBegin(rule, code))).map(rule => printRule(rule, constant));
      const choice = `[${fitting.map(rule => constant('rule', rule)).join(', ')}]`;
      const place = choices.get(choice) ?? choices.size;
      choices.set(choice, place);
      return String.fromCharCode(firstChoice + place);
    });
    const blank = groups.find(({ defaultType }) => defaultType === 'space');
    const skipsBlanks = !(blank?.push || blank?.pop || blank?.next);
    return `    ${state}: { starts: ${JSON.stringify(starts.join(''))}, skipsBlanks: ${skipsBlanks}, choices: [${[...choices.keys()].join(', ')}] },`;
  });
  const lines = [...constants].map(
    ([text, id]) => `  const ${id}${id.startsWith('rule') ? ': Rule' : ''} = ${text};`,
  );
  return `export const ${name} = (): States => {\n${lines.join('\n')}\n  return {\n${states.join('\n')}\n  };\n};\n`;
}

/** Nothing is tried behind a rule for one character. */
function untilCertain(rules: readonly Rule[]): readonly Rule[] {
  const at = rules.findIndex(isCharacter);
  return at === -1 ? rules : rules.slice(0, at + 1);
}

const isCharacter = ({ match }: Rule): boolean =>
  match.every(one => typeof one === 'string' && one.length === 1);

const canBegin = ({ match }: Rule, code: number | undefined): boolean =>
  match.some(one => {
    if (typeof one === 'string') return one.charCodeAt(0) === code;
    return code === undefined || beginsWith(one, String.fromCharCode(code));
  });

/** The letters that a rule is, or that stand in front of what must not follow: most words need no expression to be told apart. */
function literalStart({ match: [one, ...others] }: Rule): string | undefined {
  if (others.length > 0) return undefined;
  return one instanceof RegExp ? /^(@?[a-z]+)\(\?!/.exec(one.source)?.[1] : one;
}

/** Without an expression a rule is the one character that it was found by. */
function printRule(rule: Rule, constant: (kind: string, text: string) => string): string {
  const { defaultType, match, push, pop, next } = rule;
  const parts = match.map(one => (typeof one === 'string' ? one.replace(/[^\w"]/g, '\\$&') : one.source));
  const flags = match.some(one => one instanceof RegExp && one.unicode) ? 'uy' : 'y';
  const isOne = isCharacter(rule);
  const start = isOne ? undefined : literalStart(rule);
  const literal = start === undefined ? '' : `, literal: ${JSON.stringify(start)}`;
  const expression =
    isOne || start === match[0]
      ? ''
      : `, expression: ${constant('expression', String(new RegExp(parts.join('|'), flags)))}`;
  const moves = Object.entries({ push, pop, next }).filter(([, value]) => value);
  const moving = moves.map(([move, value]) => `, ${move}: ${JSON.stringify(value)}`);
  return `{ type: ${JSON.stringify(defaultType)}${literal}${expression}${moving.join('')} }`;
}
