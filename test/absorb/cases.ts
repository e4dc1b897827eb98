/**
 * A case is a project in `in/` and its edited generated files in `edits/`. An empty file in `edits/` stands for a deleted file.
 * `out/` holds the sources that `absorb` changes, and `out/edits.txt` the result of each edit.
 */
import { join } from 'node:path';
import { isReproduced, openLaboratory, readFolder } from '../support/absorb/laboratory.ts';
import { casesBeside } from '../support/cases.ts';

const quoted = (lines: readonly string[], mark: string): string[] => lines.map(line => `  ${mark} ${line}`.trimEnd());

export const cases = casesBeside(import.meta.url, ['out/'], async directory => {
  const lab = await openLaboratory(directory, readFolder(join(directory, 'in')));
  const edits = new Map([...readFolder(join(directory, 'edits'))].map(([path, text]) => [path, text || null]));
  const files = [...edits].flatMap(([path, text]) => (text === null ? [path] : []));
  const { absorbed, after, broken, drifts, said } = await lab.absorb(edits, files.length > 0 ? { files } : {});
  const results = absorbed.hunks.flatMap(({ file, line, removed, added, state, to, isRelocated, reason }) => [
    `${file}:${line} ${state === 'absorbed' ? `-> ${to.map(place => `${place.file}:${place.line}`).join(', ') || 'home already'}${isRelocated ? ', relocated' : ''}` : `stays: ${reason}`}`,
    ...quoted(removed, '-'),
    ...quoted(added, '+'),
  ]);
  const isHome = absorbed.hunks.every(({ state }) => state === 'absorbed');
  if (broken || (isHome && drifts)) throw new Error(said);
  if (isHome)
    for (const [path, text] of edits)
      if (!isReproduced(after.get(path) ?? null, text, absorbed)) throw new Error(`the next compile produces different content for ${path}`);
  const sources = absorbed.sources.map(({ path, after: text }) => [`out/${path}`, text ?? '']);
  return { 'out/edits.txt': `${results.join('\n')}\n`, ...Object.fromEntries(sources) };
});
