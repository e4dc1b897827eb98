import { columnsOf } from './style.ts';

/** Lines of at most `width` characters, broken at blanks; a longer word has a line of its own. */
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

/** The same for the lines of a text; what does not fit goes on below with `indent`. */
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
