import { type Waiver, waiversFor } from '../../check/policy/waivers.ts';
import { recordExternalInput } from '../../host/outside.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { WithClock } from '../session/world.ts';

/** The waivers that concern a project today; where there are any, a run says something about its day alone. */
export function waiversOf(
  { config }: Pick<LoadedConfig, 'config'>,
  context: Partial<WithClock>,
): readonly Waiver[] {
  if (!config.policies?.some(({ waivers = [] }) => waivers.length > 0)) return [];
  recordExternalInput('day');
  return waiversFor(config.policies, { project: config.id, today: dayOf(context) });
}

/** The day of a run in UTC. */
export const dayOf = ({ clock = () => new Date() }: Partial<WithClock>): string =>
  clock().toISOString().slice(0, 10);
