import { maskSecrets } from '../secrets.ts';

/** A name longer than this is cut in messages: it must not fill a log or a terminal. */
const longest = 200;

/**
 * The words of a finding as every report shows them: without secrets, and with endless names cut in their middle. In
 * a message whatever stands between backquotes is a name, blanks or not; a hint may hold code to be copied there.
 */
export const shownMessage = (text: string): string =>
  cutWords(maskSecrets(text).replace(/`[^`\n]+`/g, name => `\`${cut(name.slice(1, -1))}\``));

/** A hint as every report shows it: without secrets, and with endless names cut in their middle. */
export const shownHint = (text: string): string => cutWords(maskSecrets(text));

const cutWords = (text: string): string => (text.length > longest ? text.replace(/[^\s`]+/g, cut) : text);

/** Both ends say most about a path; characters of two halves stay whole. */
function cut(name: string): string {
  if (name.length <= longest) return name;
  const start = name.slice(0, 120).replace(/[\ud800-\udbff]$/, '');
  const end = name.slice(-60).replace(/^[\udc00-\udfff]/, '');
  return `${start}…${end}`;
}
