import { closesFence, openingFence } from '../../text/fences.ts';
import { wrapWords } from '../../text/wrap.ts';

/** The info string of a fence: a language, and the file with this content. */
const info = /^`*(\w*)(?: file=(\S+))?\s*$/;

/**
 * The Markdown of a page as text for a terminal: wrapped paragraphs, headings without `#`, examples indented
 * below their file name, command lines with a prompt. Examples are not wrapped, so that they can be copied.
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
