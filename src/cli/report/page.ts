import { wrapWords } from '../../text/wrap.ts';

const fence = /^(`{3,})(\w*)(?: file=(\S+))?\s*$/;

/**
 * The Markdown of a page as lines for a terminal: paragraphs wrapped, headings without signs, examples indented below the
 * name of their file, command lines behind a prompt. What stands in an example is never wrapped: people copy it.
 */
export function terminalPage(page: string, width: number): string {
  const lines: string[] = [];
  let closing: string | undefined;
  let prompt = '';
  for (const line of page.split('\n')) {
    const [, marks, language, file] = fence.exec(line) ?? [];
    if (closing !== undefined) {
      if (line.trimEnd() === closing) closing = undefined;
      else lines.push(line === '' ? '' : `    ${prompt}${line}`);
    } else if (marks !== undefined) {
      closing = marks;
      prompt = language === 'sh' ? '$ ' : '';
      if (lines.at(-1) !== '' && lines.at(-1)?.startsWith('    ')) lines.push('');
      if (file !== undefined) lines.push(`  ${file}:`);
    } else {
      lines.push(...wrapWords(line.replace(/^#+ (.*)$/, '$1:'), width));
    }
  }
  return lines
    .join('\n')
    .replace(/(^.+:\n)\n(?= {2})/gm, '$1')
    .trimEnd();
}
