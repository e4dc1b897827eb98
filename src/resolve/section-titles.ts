import { headingTitles } from '../text/headings.ts';
import { slugOf } from '../text/title.ts';
import type { ResolvedBlock, ScalarNode } from './program.ts';

interface SectionTitles {
  /** Titles by the key of a field, or by the heading of a text as written. */
  readonly titles: ReadonlyMap<string, ScalarNode>;
  readonly unknown: readonly { readonly key: string; readonly title: ScalarNode; readonly names: string[] }[];
}

/**
 * Which sections of a block its `@header <section-key> "…"` rename. A key refers to a field, or to a heading
 * in the texts of the block: `post-work` matches `## Post-Work`, else the first heading that begins with
 * these words.
 */
export function sectionTitles({
  entries,
  headers,
}: Pick<ResolvedBlock, 'entries' | 'headers'>): SectionTitles {
  const keys = [...headers].filter(([key]) => key !== '');
  const titles = new Map<string, ScalarNode>();
  if (keys.length === 0) return { titles, unknown: [] };
  const names = entries.flatMap(entry => (entry.kind === 'field' ? [entry.key] : []));
  for (const { kind, node } of entries) {
    if (kind !== 'field' && node.kind === 'scalar') names.push(...headingTitles(String(node.value)));
  }
  const unknown: SectionTitles['unknown'][number][] = [];
  for (const [key, title] of keys) {
    const name = nameFor(key, names);
    if (name === undefined) unknown.push({ key, title, names: names.map(one => slugOf(one)) });
    else titles.set(name, title);
  }
  return { titles, unknown };
}

function nameFor(key: string, names: readonly string[]): string | undefined {
  if (names.includes(key)) return key;
  const wanted = slugOf(key);
  if (wanted === '') return undefined;
  return (
    names.find(name => slugOf(name) === wanted) ?? names.find(name => slugOf(name).startsWith(`${wanted}-`))
  );
}
