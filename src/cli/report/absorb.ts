import type { Absorbed } from '../../project/absorb/absorb.ts';
import type { AbsorbedHunk } from '../../project/absorb/hunks.ts';
import type { SourceChange } from '../../project/absorb/workspace.ts';
import { patchText } from './files.ts';
import { plural } from './table.ts';

/** The JSON members of `absorb`: every edit with its result, and the changed sources. */
export async function absorbData({ hunks, sources }: Absorbed): Promise<Record<string, unknown>> {
  return {
    edits: hunks.map(({ file, line, removed, added, state, to, isRelocated, reason }) => ({
      path: file,
      line,
      removed,
      added,
      state,
      to,
      ...(isRelocated && { relocated: true }),
      ...(reason !== undefined && { reason }),
    })),
    sources: await Promise.all(
      sources.map(async change => ({ path: change.path, hunks: await patchOf(change) })),
    ),
  };
}

/** The change of the sources as a patch, and where each edit goes or why it cannot be moved. */
export async function previewText({ hunks, sources }: Absorbed): Promise<string> {
  const patches = (await Promise.all(sources.map(patchOf))).map(patchText);
  return [...patches, ...hunks.map(placeLine)].map(line => `${line}\n`).join('');
}

function placeLine({ file, line, state, to, isRelocated, reason }: AbsorbedHunk): string {
  if (state === 'refused') return `${file}:${line} refused: ${reason}`;
  const places = [...new Set(to.map(place => `${place.file}:${place.line}`))];
  const place = places.join(', ') || 'moved already, by the same edit of another file';
  return `${file}:${line} -> ${place}${isRelocated ? ', above the generated section' : ''}`;
}

async function patchOf({ path, before, after }: SourceChange): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const [old, next] = [before === undefined ? '/dev/null' : path, after === undefined ? '/dev/null' : path];
  const patch = createTwoFilesPatch(old, next, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
  });
  return patch.replace(/^=+\n/, '');
}

/** What was done; `compiles` says that a compile follows. */
export function absorbText({ hunks, sources, written }: Absorbed, dryRun: boolean, compiles = false): string {
  if (hunks.length === 0) return 'No generated file was edited.\n';
  const applied = hunks.filter(({ state }) => state === 'absorbed').length;
  const remaining = hunks.length - applied;
  const were = applied === 1 ? 'was' : 'were';
  const verb = dryRun ? 'would be' : written || applied === 0 ? were : 'could be';
  const lines = [
    `${plural(applied, 'edit')} of ${hunks.length} ${verb} moved into ${plural(sources.length, 'source')}.`,
  ];
  for (const { path, before, after } of dryRun ? [] : sources)
    lines.push(`  ${before === undefined ? 'new    ' : after === undefined ? 'removed' : 'changed'} ${path}`);
  const relocated = hunks.filter(({ isRelocated }) => isRelocated).length;
  if (relocated > 0)
    lines.push(`A compile writes ${relocated} of them above the generated section that it was added to.`);
  if (remaining > 0)
    lines.push(`${plural(remaining, 'edit')} ${remaining === 1 ? 'stays' : 'stay'} in the generated files.`);
  if (!dryRun && written && !compiles) lines.push('Run `prs compile` to update the files of all tools.');
  return `${lines.join('\n')}\n`;
}
