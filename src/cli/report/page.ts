import { closesFence, openingFence } from '../../text/fences.ts';
import { wrapWords } from '../../text/wrap.ts';

/** What stands behind the mark of a fence: a language, and the file of which it is the content. */
const info = /^`*(\w*)(?: file=(\S+))?\s*$/;

/**
 * The Markdown of a page as lines for a terminal: paragraphs wrapped, headings without signs, examples indented below the
 * name of their file, command lines behind a prompt. What stands in an example is never wrapped: people copy it.
 */
export function terminalPage(page: string, width: number): string {
  const lines: string[] = [];
  let open: string | undefined;
  let prompt = '';
  for (const line of page.split('\n')) {
    const mark = openingFence(line);
    if (open !== undefined) {
      if (closesFence(line, open)) open = undefined;
      else lines.push(line === '' ? '' : `    ${prompt}${line}`);
    } else if (mark !== undefined) {
      const [, language, file] = info.exec(line) ?? [];
      open = mark;
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
