import type { Waiver } from '../../policy/waivers.ts';

/** The members of the JSON object about exceptions to policies; none where there are none. */
export function waiverData(waivers: readonly Waiver[], today: string): Record<string, unknown> {
  if (waivers.length === 0) return {};
  return { today, waivers: waivers.map(({ at: _at, ...waiver }) => waiver) };
}
