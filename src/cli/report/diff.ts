import { sha256 } from '../../host/hash.ts';
import { diffEntry, hunkHeading, shortenHunks, sideNames, unifiedPatch } from '../../plan/diff.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { Compiled } from '../../project/compile.ts';
import type { Differences, FileDifference } from '../../project/diff.ts';
import { languageSkill } from '../../project/init/init-texts.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { fewNames } from '../../text/names.ts';
import { conflictCounts, conflictText, fileData, hunkLine, octalMode, omissionData } from './files.ts';
import { plural } from './table.ts';

/** The maximum number of lines shown per file, unless all are requested. */
const lineLimit = 200;

/** The path of the skill that teaches the language, relative to the skills of a tool. */
const bundledSkill = languageSkill.path.split('/').slice(-2).join('/');

/** The JSON members of `diff`: every planned file, those that differ with their hunks. */
export function diffData({ compiled, files }: Differences): Record<string, unknown> {
  const differences = new Map(files.map(file => [file.entry.path, file]));
  return {
    files: compiled.entries.map(entry => {
      const { before } = entry;
      const difference = differences.get(entry.path);
      return {
        ...fileData(entry),
        ...(before && !before.obstacle && { sha256Before: sha256(before.read()) }),
        ...(difference?.binary && { binary: true }),
        ...(difference?.hunks.length && { hunks: unifiedPatch(entry, difference.hunks) }),
      };
    }),
    ...conflictCounts(compiled.entries),
    omissions: omissionData(compiled),
  };
}

/** Differences in unified format, files that compile would only record, and the number of files. */
export function diffText(
  { files: differing, adopted, compiled, notCompared }: Differences,
  full: boolean,
): string {
  // Files of the bundled skill come last.
  const files = differing.toSorted((a, b) => Number(isBundled(a)) - Number(isBundled(b)));
  // After an error, missing content would be shown as deleted.
  if (compiled.broken) return 'Unknown until the errors are corrected.\n';
  const targets = compiled.targets.join(', ');
  const recorded = adopted.map(({ path }) => `${path} (says the same: compile keeps it as it is)\n`);
  const total = compiled.entries.length;
  const result =
    files.length === 0
      ? `No differences: ${plural(total, 'file')} for ${targets}.\n`
      : `${plural(files.length, 'file')} of ${total} would change for ${targets}.\n`;
  const inTheWay = conflictText(compiled.entries);
  return [
    ...files.map(file => `${fileText(file, full)}\n`),
    ...recorded,
    result,
    ...originals(compiled.entries),
    ...(inTheWay ? [`In the way: ${inTheWay}.\n`] : []),
    ...(notCompared.length > 0 ? [`Not compared: ${fewNames(notCompared)}; \`prs diff --all\` does.\n`] : []),
  ].join('');
}

const isBundled = ({ entry }: FileDifference): boolean => entry.path.endsWith(`/${bundledSkill}`);

/** Files that a plain compile does not remove. */
function originals(entries: readonly PlanEntry[]): string[] {
  const paths = entries.filter(({ original }) => original).map(({ path }) => path);
  if (paths.length === 0) return [];
  const [what, them] = paths.length === 1 ? ['It is', 'it'] : ['They are', 'them'];
  return [
    `Read twice: ${paths.join(', ')}. ${what} in the sources by now; \`prs compile --force\` removes ${them}.\n`,
  ];
}

/** At most so many files with so many lines each are shown where differences are not what was asked for. */
const briefly = { files: 5, lines: 25 };

/** The differences of the files that are in the way of a compile, shortened; empty where none is. */
export async function conflictTexts({ entries }: Compiled): Promise<readonly string[]> {
  const conflicts = entries.filter(({ state }) => state === 'conflict');
  const texts: string[] = [];
  for (const entry of conflicts.slice(0, briefly.files)) {
    const { hunks, binary } = await diffEntry(entry, { full: false });
    texts.push(fileText({ entry, hunks, binary }, false, briefly.lines));
  }
  const more = conflicts.slice(briefly.files).map(({ path }) => path);
  return more.length > 0 ? [...texts, `${plural(more.length, 'more file')}: ${more.join(', ')}\n`] : texts;
}

const stateWords: Readonly<Record<string, string>> = {
  new: 'new file',
  changed: 'changed',
  adopted: 'says the same',
  conflict: 'not ours: compile --force would replace it',
  drifted: 'edited since it was generated: absorb takes that home, compile --force would replace it',
  removed: 'no longer generated: would be deleted',
};

function fileText(
  { entry, hunks, binary, modeBefore }: FileDifference,
  full: boolean,
  limit = lineLimit,
): string {
  const heading = `${entry.path} (${stateWords[entry.state] ?? entry.state}; ${entry.targets.join(', ')})`;
  const lines = [styled.strong(heading)];
  const lost = entry.difference?.lostFields ?? [];
  if (lost.length > 0) lines.push(`It has fields that what would be written lacks: ${lost.join(', ')}`);
  if (modeBefore !== undefined) lines.push(`mode ${octalMode(modeBefore)} -> ${octalMode(entry.mode)}`);
  if (binary) lines.push('Binary content differs.');
  const shortened = full ? { hunks, omitted: 0 } : shortenHunks(hunks, limit);
  if (hunks.length > 0) {
    const [old, next] = sideNames(entry);
    lines.push(styled.strong(`--- ${old}`), styled.strong(`+++ ${next}`));
  }
  for (const hunk of shortened.hunks) lines.push(styled.help(hunkHeading(hunk)), ...hunk.lines.map(hunkLine));
  if (shortened.omitted > 0)
    lines.push(`… ${shortened.omitted} more lines; \`prs diff --all --full\` shows them.`);
  return `${lines.join('\n')}\n`;
}
