import { basename } from 'node:path';
import type { Suggestion } from '../../project/init/init.ts';
import type { WithClock } from '../../project/session/world.ts';
import type { Status } from '../../project/status.ts';
import { fewNames } from '../../text/names.ts';
import { wrapLines } from '../../text/wrap.ts';
import { waiverData } from './files.ts';
import { plural, table } from './table.ts';

/** The JSON members of `status`. */
export const statusData = (
  { root, sources, targets, files, drift, executables, waivers }: Status,
  context: WithClock,
): Record<string, unknown> => ({
  status: { project: basename(root), sources, targets, files, drift, executables },
  ...waiverData(waivers, context),
});

/** The same as a list, and the next step. */
export function statusText(status: Status, width: number): string {
  const { root, sources, targets, executables, waivers } = status;
  const rows = [
    ['Project', basename(root)],
    ['Tools', targets.join(', ') || 'none'],
    ['Files', fileState(status)],
    ...sources.map(({ source, current }, at) => [at === 0 ? 'Sources' : '', `${source} ${current}`]),
    ...(executables.length > 0 ? [['Executable', executables.join(', ')]] : []),
    ...(waivers.length > 0 ? [['Waivers', waiverState(status)]] : []),
    ['Next', nextStep(status)],
  ];
  return table(rows, width);
}

/** The same in one line, for a list of projects. */
export function statusLine(name: string, status: Status): string {
  const { sources, targets, executables, waivers } = status;
  const facts = [
    sources.map(({ source, current }) => `${source} ${current}`).join(', ') || 'no pinned sources',
    targets.join(', '),
    fileState(status),
    ...(executables.length > 0 ? [`${executables.length} executable`] : []),
    ...(waivers.length > 0 ? [waiverState(status)] : []),
  ];
  return `${name}: ${facts.join(' \u00b7 ')}\n`;
}

const fileState = ({ files, drift }: Status): string =>
  drift.length === 0
    ? `${plural(files, 'file')} up to date`
    : `${plural(drift.length, 'file')} of ${files} out of date`;

function waiverState({ waivers }: Status): string {
  const expired = waivers.filter(({ state }) => state === 'expired').length;
  return `${plural(waivers.length, 'waiver')}${expired > 0 ? ` (${expired} expired)` : ''}`;
}

/** The most useful next command. */
function nextStep({ broken, drift, entry }: Status): string {
  if (broken) return '`prs validate` shows the errors that stop a compile.';
  const paths = (state: string) => drift.filter(one => one.state === state).map(({ path }) => path);
  const edited = paths('drifted');
  if (edited.length > 0) return `\`prs absorb\` takes the edits of ${fewNames(edited)} into the sources.`;
  const foreign = paths('conflict');
  if (foreign.length > 0)
    return `\`prs diff --all\` compares ${fewNames(foreign)}, which prs did not write, with what it would write.`;
  if (drift.length > 0) return `\`prs compile\` writes ${plural(drift.length, 'file')}.`;
  return `Edit ${entry}, then run \`prs compile\`.`;
}

/** How to begin in a folder without a project; `suggestion` is what was detected there. */
export function gettingStartedText(suggestion: Suggestion | undefined, width: number): string {
  const { compiler, instructions = [] } = suggestion ?? {};
  const next =
    compiler !== undefined
      ? `The folder has sources of ${compiler}.\nNext: \`prs init\` converts them.`
      : instructions.length > 0
        ? `The folder has instruction files: ${fewNames(instructions)}\nNext: \`prs migrate --dry-run\` shows how they become the sources of a project.`
        : 'Next: `prs init` starts a project.';
  const text = `There is no instr.yaml in this folder or above it.\n${next}\n\`prs --help\` lists the commands.\n`;
  return wrapLines(text, width, '  ');
}
