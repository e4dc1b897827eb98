import { type Document, isCollection, isNode, isScalar, visit, type YAMLError } from 'yaml';
import { conflictAdvice, conflictMark } from './conflict.ts';

/** An error of the parser in plain words, with its offsets in the text. */
interface SyntaxProblem {
  readonly title: string;
  readonly advice: string;
  readonly start: number;
  readonly end: number;
}

/** The most problems that are reported of a file. */
export const maxProblems = 50;

/** The errors of the parser, one for each line: the parser reports further errors after a wrong token. */
export function syntaxProblems(document: Document.Parsed, text: string): SyntaxProblem[] {
  const mark = document.errors.length > 0 ? conflictMark(text) : undefined;
  if (mark) return [{ title: 'it has the markers of a merge conflict', advice: conflictAdvice, ...mark }];
  const found = new Map<number, SyntaxProblem>();
  for (const error of document.errors.slice(0, maxProblems)) {
    const start = openPlace(document, error) ?? error.pos[0];
    const end = start < error.pos[0] ? start + 1 : Math.max(error.pos[1], start + 1);
    const problem = layoutProblem(error, text) ?? {
      ...describe(error.code, error.message),
      start,
      end: Math.min(end, text.length),
    };
    const line = text.lastIndexOf('\n', problem.start - 1);
    if (!found.has(line)) found.set(line, problem);
  }
  return [...found.values()];
}

const layoutCodes: readonly string[] = [
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
  'MISSING_CHAR',
  'UNEXPECTED_TOKEN',
];

/**
 * Wrong indentation, and a value with a colon, which the parser reports as an incomplete key: it takes the line for
 * a part of the value above.
 */
function layoutProblem(error: YAMLError, text: string): SyntaxProblem | undefined {
  if (!layoutCodes.includes(error.code)) return undefined;
  const lines = text.split('\n');
  const index = text.slice(0, error.pos[0]).split('\n').length - 1;
  const line = lines[index]!;
  const wrong = [index, index + 1].find(at => isMisplaced(lines, at));
  if (wrong !== undefined) {
    const start = lines.slice(0, wrong).join('\n').length + (wrong > 0 ? 1 : 0);
    const lead = indentOf(lines[wrong]!);
    return { title: misfit, advice: fits, start: start + lead, end: start + lines[wrong]!.trimEnd().length };
  }
  if (
    error.code !== 'BLOCK_AS_IMPLICIT_KEY' ||
    !/^\s*(?:- +)*[^\s"'[{|>&*!#:]+:\s+[^\s"'[{|>&*!#].*:(?:\s|$)/.test(line)
  )
    return undefined;
  return {
    title: 'this value has a colon and a space',
    advice: 'Put the whole value in quotes: `key: "one: two"`.',
    start: error.pos[0],
    end:
      index === 0
        ? line.trimEnd().length
        : lines.slice(0, index).join('\n').length + 1 + line.trimEnd().length,
  };
}

const indentOf = (line: string): number => /^ */.exec(line)![0].length;

const isEntry = (line: string): boolean => /^ *(?:-(?:\s|$)|[^\s:#"'[{]+:(?:\s|$))/.test(line);

/** Whether a key or an item starts at a column where the lines above it have no place for one. */
function isMisplaced(lines: readonly string[], index: number): boolean {
  const line = lines[index];
  if (line === undefined || !isEntry(line)) return false;
  const indent = indentOf(line);
  const above = lines.slice(0, index).filter(one => one.trim() !== '' && !one.trim().startsWith('#'));
  const before = above.at(-1);
  if (before === undefined || !isEntry(before)) return false;
  // A key with a value takes nothing below it.
  if (indent > indentOf(before)) return /^ *[^\s:#"'[{-][^\s:]*:\s+[^\s|>&#]/.test(before);
  return !above.some(one => indentOf(one) === indent || columnOf(one) === indent);
}

/** The column where the text of an item starts. */
const columnOf = (line: string): number => /^ *(?:- +)*/.exec(line)![0].length;

/**
 * The offset where an unclosed quote or bracket was opened. The parser reports where it noticed the error.
 */
function openPlace(document: Document.Parsed, error: YAMLError): number | undefined {
  const quote = error.code === 'MISSING_CHAR' && /quote/.test(error.message);
  const bracket = /^Flow /.test(error.message) && /end with a/.test(error.message);
  if (!quote && !bracket) return undefined;
  const at = error.pos[0];
  let found: number | undefined;
  visit(document, (_key, node) => {
    if (!isNode(node) || !node.range || node.range[0] >= at) return;
    const opens = isScalar(node)
      ? quote && node.type?.startsWith('QUOTE')
      : bracket && isCollection(node) && node.flow;
    if (opens && node.range[2] >= at - 1) found = node.range[0];
  });
  return found;
}

const misfit = 'the indentation does not fit the lines above';
const fits = 'Give all keys of one object, and all items of one list, the same number of spaces.';

/** Messages for common errors; for other errors, the message of the parser as a clause. */
function describe(code: string, message: string): { title: string; advice: string } {
  const own = `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/[.:\s]+$/, '');
  const say = (title: string, advice: string) => ({ title, advice });
  switch (code) {
    case 'TAB_AS_INDENT':
      return say('a tab is used for indentation', 'Indent with spaces: YAML takes no tabs there.');
    case 'BAD_INDENT':
      return own.startsWith('flow')
        ? say('this bracket is never closed', 'Close every `[` with `]` and every `{` with `}`.')
        : say(misfit, fits);
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return say(
        'a key ends without a colon, or a value goes on where a key is expected',
        'Write `key: value` with a colon and a space, and put values of several lines in quotes.',
      );
    case 'BAD_ALIAS':
      return say(own, 'A value that begins with `*` or `&` must be in quotes, such as "**/*.prs".');
    case 'BAD_SCALAR_START':
    case 'TAG_RESOLVE_FAILED':
      return say(
        own,
        'Put keys and values that begin with `@`, `` ` ``, `!` or `%` in quotes, such as "@company".',
      );
    case 'MISSING_CHAR':
      return own.includes('quote')
        ? say('this quote is never closed', 'Close it on the same line.')
        : say(own, 'Close every quote and bracket, and write a space after each colon.');
    case 'MULTIPLE_DOCS':
      return say('it holds several documents', 'Remove the `---` line and what does not belong here.');
    default:
      return say(own, 'Check quotes, brackets, colons and indentation at this place.');
  }
}
