/**
 * A case is a project in `in/` and generated files as somebody edited them in `edits/`, where an empty file is one that
 * was deleted; `apart` beside them stands for the option of that name. `out/` holds the sources that absorbing changes, and `out/edits.txt` what became of each edit.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isReproduced, openLaboratory, readFolder } from '../support/absorb/laboratory.ts';
import { casesBeside } from '../support/cases.ts';

const quoted = (lines: readonly string[], mark: string): string[] => lines.map(line => `  ${mark} ${line}`.trimEnd());

export const cases = casesBeside(import.meta.url, ['out/'], async directory => {
  const lab = await openLaboratory(directory, readFolder(join(directory, 'in')));
  const edits = new Map([...readFolder(join(directory, 'edits'))].map(([path, text]) => [path, text || null]));
  const files = [...edits].flatMap(([path, text]) => (text === null ? [path] : []));
  const request = { ...(files.length > 0 && { files }), split: existsSync(join(directory, 'split')) };
  const { absorbed, after, broken, drifts, said } = await lab.absorb(edits, request);
  const fates = absorbed.hunks.flatMap(({ file, line, removed, added, state, to, isRelocated, reason }) => [
    `${file}:${line} ${state === 'absorbed' ? `-> ${to.map(place => `${place.file}:${place.line}`).join(', ') || 'home already'}${isRelocated ? ', relocated' : ''}` : `stays: ${reason}`}`,
    ...quoted(removed, '-'),
    ...quoted(added, '+'),
  ]);
  const isHome = absorbed.hunks.every(({ state }) => state === 'absorbed');
  if (broken || (isHome && drifts)) throw new Error(said);
  if (isHome)
    for (const [path, text] of edits)
      if (!isReproduced(after.get(path) ?? null, text, absorbed)) throw new Error(`the next compile makes something else of ${path}`);
  const sources = absorbed.sources.map(({ path, after: text }) => [`out/${path}`, text ?? '']);
  return { 'out/edits.txt': `${fates.join('\n')}\n`, ...Object.fromEntries(sources) };
});
