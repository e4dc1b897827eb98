import { type FrontMatter, noFrontMatter, readFrontMatter } from '../text/front-matter.ts';
import { findFrontMatter } from '../text/front-matter-lines.ts';
import type { Source } from '../text/source.ts';
import { fieldSpelled } from './catalogue.ts';
import type { MarkdownBlock } from './program.ts';

/** The front matter of a source. Lines of `---` around other text than keys are rules of Markdown, and part of the text. */
export function readSourceHead(source: Source): FrontMatter {
  const front = readFrontMatter(source);
  const lines = source.text.slice(0, front.bodyStart).split('\n').slice(1, -1);
  return front.problem?.kind === 'syntax' && !isKeyed(lines.slice(0, front.lines - 2))
    ? noFrontMatter(source)
    : front;
}

/** Whether lines are YAML, valid or not: keys, items, comments and indented lines. */
const isKeyed = (lines: readonly string[]): boolean =>
  lines.every(line => /^(?:\s*$|\s*#|\s+\S|-\s|[\w"'-]+[ \t]*:)/.test(line));

/** The keys in the front matter of a Markdown text, without reading their values. */
function keysIn(source: Source): string[] {
  const found = findFrontMatter(source.text);
  if (!found) return [];
  return [...source.text.slice(found.start, found.end).matchAll(/^([A-Za-z_][\w-]*)[ \t]*:/gm)].map(
    ([, key]) => key!,
  );
}

/** `tools` with objects in it holds overlays, which every entry may have; otherwise it is a list of tools. */
const changesForTools =
  /^tools[ \t]*:[ \t]*(?:\{[^\n{}]*\{|(?:#[^\n]*)?\r?\n[ \t]+[^\s:-][^\n:]*:[ \t]*(?:\{|(?:#[^\n]*)?\r?\n))/m;

/** The kind of a Markdown file by the keys of its front matter; without any of them it is a document. */
export function markdownKind(source: Source): MarkdownBlock | 'skill' | 'document' {
  const keys = keysIn(source);
  const has = (block: string, field: string) => keys.some(key => fieldSpelled(block, key) === field);
  if (has('guards', 'applyTo') || has('guards', 'activation')) return 'guards';
  if (has('shortcuts', 'prompt')) return 'shortcuts';
  if (!keys.includes('name') && !keys.includes('description')) return 'document';
  const isAgent = keys.some(key =>
    key === 'tools'
      ? !changesForTools.test(source.text)
      : fieldSpelled('agents', key) && !fieldSpelled('skills', key),
  );
  return isAgent ? 'agents' : 'skill';
}
