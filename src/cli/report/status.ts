import type { Status } from '../../project/status.ts';
import type { WithClock } from '../../session/world.ts';
import { plural } from './files.ts';
import { waiverData } from './waivers.ts';

/* What `prs status` says of one project. */

/** The members of its JSON object. */
export const statusData = (
  name: string,
  { sources, targets, files, drift, executables, waivers }: Status,
  context: WithClock,
): Record<string, unknown> => ({
  status: { project: name, sources, targets, files, drift, executables },
  ...waiverData(waivers, context),
});

/** The same in one line. */
export function statusLine(
  name: string,
  { sources, targets, files, drift, executables, waivers }: Status,
): string {
  const expired = waivers.filter(({ state }) => state === 'expired').length;
  const facts = [
    sources.map(({ source, current }) => `${source} ${current}`).join(', ') || 'no pinned sources',
    targets.join(', '),
    drift.length === 0
      ? `${plural(files, 'file')} up to date`
      : `${plural(drift.length, 'file')} of ${files} out of date`,
    ...(executables.length > 0 ? [`${executables.length} executable`] : []),
    ...(waivers.length > 0
      ? [`${plural(waivers.length, 'waiver')}${expired > 0 ? ` (${expired} expired)` : ''}`]
      : []),
  ];
  return `${name}: ${facts.join(' \u00b7 ')}\n`;
}
