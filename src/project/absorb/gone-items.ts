import { isMarkdownPath } from '../../text/places.ts';
import { placesOf, type Surroundings } from './candidates.ts';
import type { Hunk } from './hunks.ts';
import type { Candidate } from './trial.ts';

/**
 * The way to take away an item with its section of a file that has several: the Markdown sources go that all of it came
 * from. Whether they say more than the section is found out when it is tried.
 */
export async function withoutSources(
  { at, removed, added }: Hunk,
  around: Surroundings,
): Promise<Candidate[]> {
  const gone = removed.flatMap((line, index) => (line.trim() === '' ? [] : [at + index]));
  if (gone.length < 2 || !/^#{1,6} /.test(around.lines[gone[0]!]!) || added.some(line => line.trim() !== ''))
    return [];
  const files = new Set<string>();
  for (const line of gone) for (const { file } of await placesOf(line, around)) files.add(file);
  const isItem = (file: string) => isMarkdownPath(file) && !file.endsWith('/SKILL.md');
  if (files.size === 0 || ![...files].every(isItem)) return [];
  return [{ edits: [], moves: [...files].map(file => ({ file, text: undefined })) }];
}
