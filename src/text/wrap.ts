import { columnsOf } from './style.ts';

/** Breaks a text at blanks into lines of at most `width` characters. A longer word gets a line of its own. */
export function wrapWords(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )(?=[^ ])/)) {
    if (line !== '' && columnsOf(line) + columnsOf(word.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}

/** Wraps each line of a text; continuation lines start with `indent`. */
export function wrapLines(text: string, width: number, indent: string): string {
  return text
    .split('\n')
    .map(line => {
      const [first = '', ...rest] = wrapWords(line, width);
      const lines =
        rest.length > 0 ? wrapWords(line.slice(first.length).trimStart(), width - indent.length) : [];
      return [first, ...lines.map(more => indent + more)].join('\n');
    })
    .join('\n');
}
