import type { Document } from 'yaml';
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
    const [start, end] = error.pos;
    const problem: SyntaxProblem = {
      ...describe(error.code, error.message),
      start,
      end: Math.min(Math.max(end, start + 1), text.length),
    };
    const line = text.lastIndexOf('\n', problem.start - 1);
    if (!found.has(line)) found.set(line, problem);
  }
  return [...found.values()];
}

/** Messages for common errors; for other errors, the message of the parser as a clause. */
function describe(code: string, message: string): { title: string; advice: string } {
  const own = `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/[.:\s]+$/, '');
  const say = (title: string, advice: string) => ({ title, advice });
  switch (code) {
    case 'TAB_AS_INDENT':
      return say('a tab is used for indentation', 'Indent with spaces: YAML takes no tabs there.');
    case 'BAD_INDENT':
      return own.startsWith('flow')
        ? say('a bracket is never closed', 'Close every `[` with `]` and every `{` with `}`.')
        : say(
            'the indentation does not fit the lines above',
            'Give all keys of one object, and all items of one list, the same number of spaces.',
          );
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return say(
        'keys, values and indentation do not fit together here',
        'Write `key: value` with a colon and a space, give all keys of one object the same number of spaces, and put a value with a colon in quotes.',
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
        ? say('a quote is never closed', 'Close every quote on its line.')
        : say(own, 'Close every quote and bracket, and write a space after each colon.');
    case 'MULTIPLE_DOCS':
      return say('it holds several documents', 'Remove the `---` line and what does not belong here.');
    default:
      return say(own, 'Check quotes, brackets, colons and indentation at this place.');
  }
}
