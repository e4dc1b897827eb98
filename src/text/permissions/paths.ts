import { escapeRegex } from '../escape-regex.ts';

/**
 * A glob as patterns in which `*` crosses folders: `**` in front is nothing or folders, `a/**` is all below `a`. Each alternative
 * of a whole folder is a pattern of its own; single `*` stays, and stands for more than it did.
 */
export function globAlternatives(glob: string): readonly string[] {
  let alternatives = [''];
  const parts = glob.split('/');
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    const end = last ? '' : '/';
    if (part !== '**') alternatives = alternatives.map(one => `${one}${part}${end}`);
    else if (last) alternatives = alternatives.map(one => `${one}*`);
    else alternatives = alternatives.flatMap(one => (one.endsWith('*/') ? [one] : [one, `${one}*/`]));
  }
  return [...new Set(alternatives)];
}

/**
 * The globs of a pattern whose `*` crosses folders: `src/*.ts` is what lies in `src` and below it. When it is to be `narrow`, stars
 * within a name stay there.
 */
export function globsFromStars(text: string, narrow: boolean): readonly string[] {
  const parts = text.split('/').map((part, index, all) => {
    if (part !== '*') return part;
    return index === all.length - 1 ? '**' : '*/**';
  });
  const glob = parts.join('/');
  if (narrow || !hasSingleStar(parts.filter(part => part !== '*/**').join('/'))) return [glob];
  let globs = [''];
  for (const [index, part] of parts.entries()) {
    const end = index === parts.length - 1 ? '' : '/';
    const stars = part === '**' || part === '*/**' ? [part] : deepened(part);
    globs = globs.flatMap(one => stars.map(star => `${one}${star}${end}`));
  }
  return globs;
}

/** A name with a star, here or with folders between its halves; nothing where that takes more than globs can say. */
function deepened(part: string): readonly string[] {
  const at = part.indexOf('*');
  if (at === -1) return [part];
  const [before, after] = [part.slice(0, at), part.slice(at)];
  if (/^\*[^*]+\*$/.test(part)) return [`**/${part}`, `**/${part}/**`];
  if (after.lastIndexOf('*') > 0) return [];
  if (before === '') return [`**/${part}`];
  return after === '*' ? [part, `${part}/**`] : [part, `${before}*/**/${after}`];
}

/** Whether single stars or question marks stand in it, which mean one folder only. */
export const hasSingleStar = (glob: string): boolean =>
  glob.split('/').some(part => part !== '**' && /[*?]/.test(part));

/** A glob as a regular expression for whole paths from the root of the project. */
export function globRegex(glob: string): string {
  const parts = glob.split('/');
  return parts
    .map((part, index) => {
      const last = index === parts.length - 1;
      if (part === '**') return last ? '.*' : '(?:.*/)?';
      const text = escapeRegex(part).replaceAll('\\*', '[^/]*').replaceAll('\\?', '[^/]');
      return last ? text : `${text}/`;
    })
    .join('');
}
