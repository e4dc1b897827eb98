import type { Waiver } from '../../check/policy/waivers.ts';
import { dayOf } from '../../project/open/policy-namings.ts';
import type { WithClock } from '../../project/session/world.ts';

/** The JSON members about policy waivers; empty when there are none. */
export function waiverData(waivers: readonly Waiver[], context: WithClock): Record<string, unknown> {
  if (waivers.length === 0) return {};
  return { today: dayOf(context), waivers: waivers.map(({ at: _at, ...waiver }) => waiver) };
}
