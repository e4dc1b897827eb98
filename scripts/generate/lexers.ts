/** src/generated/lexers.ts: the lexers of src/syntax/lexicon.ts, as moo compiles them. */
import { makeLexers } from '../../src/syntax/lexicon.ts';
import type { Generated } from '../generate.ts';

/** What moo keeps of a state and of a rule; its types leave that out. */
interface State {
  readonly regexp: RegExp;
  readonly groups: readonly Rule[];
  readonly fast: Readonly<Record<number, Rule>>;
  readonly error: Rule;
}

type Rule = Readonly<Record<string, unknown>>;

export async function generate(): Promise<Generated[]> {
  const functions = Object.entries(makeLexers()).map(([name, lexer]) => {
    const { states, startState } = lexer as unknown as {
      states: Readonly<Record<string, State>>;
      startState: string;
    };
    if (startState !== 'main') throw new Error(`The ${name} lexer starts in ${startState}, not in main`);
    const fields = Object.entries(states).map(([state, compiled]) => `  ${state}: ${printState(compiled)},`);
    return `export const ${name} = (): LexerStates => ({\n${fields.join('\n')}\n});\n`;
  });
  const text = [
    'const plain = {',
    ...Object.entries(plain).map(([option, value]) => `  ${option}: ${JSON.stringify(value)},`),
    '};',
    '',
    'interface Rule {',
    '  readonly [option: string]: string | number | boolean | null;',
    '}',
    '',
    'const rule = (defaultType: string, options: Rule = {}): Rule => ({ ...plain, defaultType, ...options });',
    '',
    'export type LexerStates = Readonly<',
    '  Record<string, { regexp: RegExp; groups: readonly Rule[]; fast: Readonly<Record<number, Rule>>; error: Rule }>',
    '>;',
    '',
    ...functions,
  ].join('\n');
  return [{ path: 'src/generated/lexers.ts', text }];
}

const printState = ({ regexp, groups, fast, error }: State): string =>
  `{ regexp: ${regexp}, groups: [${groups.map(printRule).join(', ')}], fast: { __proto__: null, ${Object.entries(
    fast,
  )
    .map(([code, rule]) => `${code}: ${printRule(rule)}`)
    .join(', ')} } as never, error: ${printRule(error)} }`;

/** The options of moo as they are for a rule that sets none. */
const plain = {
  defaultType: '',
  lineBreaks: false,
  pop: false,
  next: null,
  push: null,
  error: false,
  fallback: false,
  value: null,
  type: null,
  shouldThrow: false,
};

/** Everything but what the expression was made of. Rules that call functions are not used, and could not be printed. */
function printRule({ match: _, defaultType, ...options }: Rule): string {
  const set = Object.entries(options).filter(([name, value]) => {
    if (typeof value === 'function') throw new Error(`${defaultType}: ${name} is a function`);
    if (!Object.hasOwn(plain, name)) throw new Error(`${defaultType}: moo has a new option ${name}`);
    return value !== plain[name as keyof typeof plain];
  });
  const more = set.length === 0 ? '' : `, ${JSON.stringify(Object.fromEntries(set))}`;
  return `rule(${JSON.stringify(defaultType)}${more})`;
}
