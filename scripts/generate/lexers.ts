/** src/generated/lexers.ts: the tokens of src/syntax/lexicon.ts, by the characters that they begin with. */
import { type Lexicon, makeLexicons } from '../../src/syntax/lexicon.ts';
import type { Generated } from '../generate.ts';
import { beginsWith } from './first-characters.ts';

/** Characters by their codes, and one for all that are not ASCII. */
const codes = Array.from({ length: 128 }, (_, code) => code);

const firstChoice = 48;

export async function generate(): Promise<Generated[]> {
  const text = [
    '/** A token; without an expression it is the one character that it begins with. */',
    'export interface Rule {',
    '  readonly type: string;',
    '  readonly expression?: RegExp;',
    '  readonly push?: string;',
    '  readonly pop?: number;',
    '  readonly next?: string;',
    '}',
    '',
    '/** By state the tokens that can begin with each of the ASCII characters, and with others: places in `choices`. */',
    'export type States = Readonly<',
    '  Record<string, { readonly starts: string; readonly choices: readonly (readonly Rule[])[] }>',
    '>;',
    '',
    '/** The character of `starts` that stands for the first of the choices. */',
    `export const firstChoice = ${firstChoice};`,
    '',
    ...Object.entries(makeLexicons()).map(([name, lexicon]) => printLexer(name, lexicon)),
  ].join('\n');
  return [{ path: 'src/generated/lexers.ts', text }];
}

/** A function that makes the states; expressions and rules that several states have are made once. */
function printLexer(name: string, lexicon: Lexicon): string {
  const constants = new Map<string, string>();
  const constant = (kind: string, text: string) => {
    const known = constants.get(text) ?? `${kind}${constants.size}`;
    constants.set(text, known);
    return known;
  };
  const states = Object.entries(lexicon).map(([state, rules]) => {
    const choices = new Map<string, number>();
    const starts = [...codes, undefined].map(code => {
      const fitting = Object.entries(rules).filter(([, rule]) => canBegin(rule, code));
      // Nothing else is tried behind a single character.
      const single = fitting.findIndex(([, rule]) => isCharacter(matchOf(rule)));
      const tried = single === -1 ? fitting : fitting.slice(0, single + 1);
      const choice = `[${tried.map(([type, rule]) => constant('rule', printRule(type, rule, constant))).join(', ')}]`;
      const place = choices.get(choice) ?? choices.size;
      choices.set(choice, place);
      return String.fromCharCode(firstChoice + place);
    });
    return `    ${state}: { starts: ${JSON.stringify(starts.join(''))}, choices: [${[...choices.keys()].join(', ')}] },`;
  });
  const lines = [...constants].map(
    ([text, id]) => `  const ${id}${id.startsWith('rule') ? ': Rule' : ''} = ${text};`,
  );
  return `export const ${name} = (): States => {\n${lines.join('\n')}\n  return {\n${states.join('\n')}\n  };\n};\n`;
}

type Listed = Lexicon[string][string];

const optionsOf = (rule: Listed) =>
  typeof rule === 'string' || rule instanceof RegExp ? { match: rule } : rule;
const matchOf = (rule: Listed) => optionsOf(rule).match;
const isCharacter = (match: string | RegExp): boolean => typeof match === 'string' && match.length === 1;

function canBegin(rule: Listed, code: number | undefined): boolean {
  const match = matchOf(rule);
  if (typeof match === 'string') return match.charCodeAt(0) === code;
  return code === undefined || beginsWith(match, String.fromCharCode(code));
}

function printRule(type: string, rule: Listed, constant: (kind: string, text: string) => string): string {
  const { match, ...moves } = optionsOf(rule);
  const expression = typeof match === 'string' ? new RegExp(match.replace(/[^\w"]/g, '\\$&')) : match;
  const sticky = new RegExp(expression.source, `${expression.flags}y`);
  const found = isCharacter(match) ? '' : `, expression: ${constant('expression', String(sticky))}`;
  const moving = Object.entries(moves).map(([move, value]) => `, ${move}: ${JSON.stringify(value)}`);
  return `{ type: ${JSON.stringify(type)}${found}${moving.join('')} }`;
}
