import { maskSecrets } from '../secrets.ts';

/** Longer names are cut in messages, so that they cannot flood a log or a terminal. */
const longest = 200;

/**
 * A message as every report shows it: secrets are masked and very long names are cut in the middle. In a
 * message all text between backticks is a name, with or without blanks. In a hint it may be code that is
 * meant to be copied.
 */
export const shownMessage = (text: string): string =>
  cutWords(maskSecrets(text).replace(/`[^`\n]+`/g, name => `\`${cut(name.slice(1, -1))}\``));

/** A hint as every report shows it: secrets are masked and very long names are cut in the middle. */
export const shownHint = (text: string): string => cutWords(maskSecrets(text));

const cutWords = (text: string): string => (text.length > longest ? text.replace(/[^\s`]+/g, cut) : text);

/** The start and the end of a path are the most informative parts. Surrogate pairs are not split. */
function cut(name: string): string {
  if (name.length <= longest) return name;
  const start = name.slice(0, 120).replace(/[\ud800-\udbff]$/, '');
  const end = name.slice(-60).replace(/^[\udc00-\udfff]/, '');
  return `${start}…${end}`;
}
