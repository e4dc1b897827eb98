import type { AddedTarget } from '../../project/add-target.ts';
import { fewNames } from '../../text/names.ts';
import { changesText } from './changes.ts';
import { plural } from './files.ts';

/** What was enabled, which entries were changed to allow the tool, and what a compile would write. */
export function addedTargetText(added: AddedTarget, dryRun: boolean, width: number): string {
  const { id, wasEnabled, like, opened, withSkills, closed, servers, mains, relinked, lostLinks, files } =
    added;
  const lines = [];
  if (!wasEnabled) lines.push(`${id} ${dryRun ? 'would be' : 'is'} enabled.`);
  if (opened.length > 0)
    lines.push(
      like === undefined
        ? `${plural(opened.length, 'source')} with the texts of other tools ${dryRun ? 'would name' : opened.length === 1 ? 'names' : 'name'} them:`
        : `${plural(opened.length, 'source')} of ${like} ${dryRun ? 'would be' : opened.length === 1 ? 'is' : 'are'} for ${id}, too:`,
      ...opened.map(path => `  ${path}`),
    );
  if (withSkills)
    lines.push(`${id} ${dryRun ? 'would get' : 'gets'} the skills: \`includeSkills: false\` is removed.`);
  if (wasEnabled && opened.length === 0 && !withSkills)
    lines.push(`${id} is enabled, and no source is closed to it.`);
  if (closed.length > 0)
    lines.push(`Left to the other tools, because ${id} cannot be given as little: ${fewNames(closed)}`);
  if (servers.length > 0)
    lines.push(
      `Left to the other tools, because ${id} fills in no variables where these servers have them: ${fewNames(servers)}`,
    );
  if (mains.length > 0)
    lines.push(
      `Left to the tools that read them, because ${id} has a main file of its own: ${fewNames(mains)}`,
    );
  if (relinked.length > 0)
    lines.push(
      `Relative links ${dryRun ? 'would be' : 'are'} rewritten, because the text is now written into another folder: ${fewNames(relinked)}`,
    );
  if (lostLinks.length > 0)
    lines.push(
      'These links lead nowhere from a new file, because their text is written into several folders. Write such paths from the root, without a link:',
      ...lostLinks.map(({ output, link }) => `  ${output}: ${link}`),
    );
  const next = dryRun ? 'Nothing was written.' : 'Next: `prs compile`; `prs undo` takes this back.';
  return `${lines.join('\n')}\n${changesText(files, width)}${next}\n`;
}
